//! A link between a table and a console: whole messages as texts over a WebSocket, within the bounds of the contract, and how a
//! link ends.
//!
//! Source: `docs/hall.md`, §3 and §9; WebSocket (RFC 6455).

use std::fmt;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{CapacityError, Error, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::fragments::{Counted, FragmentCount, TooManyFragments};
use crate::wire::LONGEST;

/// The subprotocol of the link, which is the version of the contract.
pub const PROTOCOL: &str = "tabiya.hall.1";
/// How long a link may be silent.
pub const SILENCE: Duration = Duration::from_secs(6);
/// The longest reason in a close frame, in bytes (RFC 6455, 5.5).
const LONGEST_REASON: usize = 123;
/// How much may wait to be sent before nothing more is read.
const MOST_UNSENT: usize = 256 << 10;
/// How long the other side may take to close.
const GOODBYE: Duration = Duration::from_secs(1);

/// Why a link ends, as a number of the contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndCode {
    /// The program ends.
    Away,
    /// A frame is wrong.
    Frame,
    /// A message was binary.
    Binary,
    /// A text is not UTF-8.
    Utf8,
    /// Too many fragments.
    Policy,
    /// A message is too long.
    Long,
    /// A known message is wrong.
    Wrong,
    /// Not in this event, or not any more.
    Stranger,
    /// Nothing was heard.
    Silent,
    /// Another program speaks as this table.
    Twice,
    /// A later link of the same program has taken its place.
    Replaced,
}

impl EndCode {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Away,
        Self::Frame,
        Self::Binary,
        Self::Utf8,
        Self::Policy,
        Self::Long,
        Self::Wrong,
        Self::Stranger,
        Self::Silent,
        Self::Twice,
        Self::Replaced,
    ];

    /// The number.
    pub fn number(self) -> u16 {
        match self {
            Self::Away => 1001,
            Self::Frame => 1002,
            Self::Binary => 1003,
            Self::Utf8 => 1007,
            Self::Policy => 1008,
            Self::Long => 1009,
            Self::Wrong => 4400,
            Self::Stranger => 4401,
            Self::Silent => 4408,
            Self::Twice => 4409,
            Self::Replaced => 4410,
        }
    }
}

/// How a link has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkEnd {
    /// The number; `None` if the link was cut, or for a number that the contract does not have.
    pub code: Option<EndCode>,
    /// Why, for people.
    pub why: String,
}

impl LinkEnd {
    /// An end with this number.
    pub fn new(code: EndCode, why: impl Into<String>) -> Self {
        Self { code: Some(code), why: why.into() }
    }

    /// The link was cut.
    pub fn cut(why: impl Into<String>) -> Self {
        Self { code: None, why: why.into() }
    }
}

impl fmt::Display for LinkEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "{} ({})", self.why, code.number()),
            None => f.write_str(&self.why),
        }
    }
}

/// The bounds of the contract for what comes and goes over a WebSocket.
pub fn bounds() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(16 << 10)
        .write_buffer_size(0)
        .max_write_buffer_size(MOST_UNSENT)
        .max_message_size(Some(LONGEST))
        .max_frame_size(Some(LONGEST))
}

/// A link over this stream.
#[derive(Debug)]
pub struct HallSocket<S>(WebSocketStream<Counted<S>>);

impl<S: AsyncRead + AsyncWrite + Unpin> HallSocket<S> {
    /// The link over a stream whose upgrade is done, at the console.
    pub async fn accepted(stream: S) -> Self {
        Self::over(stream, Role::Server).await
    }

    /// The link over a stream on which frames travel already.
    pub async fn over(stream: S, role: Role) -> Self {
        let counted = Counted::new(stream, FragmentCount::of_frames());
        Self(WebSocketStream::from_raw_socket(counted, role, Some(bounds())).await)
    }

    /// The link over a WebSocket that was opened, at the table.
    pub fn opened(socket: WebSocketStream<Counted<S>>) -> Self {
        Self(socket)
    }

    /// The next message. `Err` is how the link ends.
    pub async fn hear(&mut self) -> Result<Utf8Bytes, LinkEnd> {
        loop {
            return match self.0.next().await {
                Some(Ok(Message::Text(text))) => Ok(text),
                Some(Ok(Message::Binary(_))) => Err(LinkEnd::new(EndCode::Binary, "a message was binary")),
                Some(Ok(Message::Close(frame))) => Err(closed(frame)),
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => continue,
                Some(Err(error)) => Err(failed(&error)),
                None => Err(LinkEnd::cut("the link was cut")),
            };
        }
    }

    /// Sends a message. Waits until the system has taken it, but no longer than a link may be silent.
    pub async fn say(&mut self, text: String) -> Result<(), LinkEnd> {
        match timeout(SILENCE, self.0.send(Message::text(text))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(failed(&error)),
            Err(_) => Err(LinkEnd::new(EndCode::Silent, "nothing could be sent for 6 s")),
        }
    }

    /// Ends the link as this side wants it, and waits a moment for the other side's answer.
    pub async fn end(mut self, end: &LinkEnd) {
        let Some(code) = end.code else { return };
        let mut reason = String::new();
        for sign in end.why.chars() {
            if reason.len() + sign.len_utf8() > LONGEST_REASON {
                break;
            }
            reason.push(sign);
        }
        let frame = CloseFrame { code: CloseCode::from(code.number()), reason: reason.into() };
        // What cannot be said any more was said by the cut.
        let _ = timeout(GOODBYE, async {
            if self.0.close(Some(frame)).await.is_ok() {
                while let Some(Ok(_)) = self.0.next().await {}
            }
        })
        .await;
    }
}

fn closed(frame: Option<CloseFrame>) -> LinkEnd {
    let Some(CloseFrame { code, reason }) = frame else {
        return LinkEnd::cut("the other side closed the link");
    };
    let number = u16::from(code);
    let code = EndCode::ALL.into_iter().find(|code| code.number() == number);
    let why = if reason.is_empty() {
        format!("the other side closed the link with {number}")
    } else {
        reason.to_string()
    };
    LinkEnd { code, why }
}

fn failed(error: &Error) -> LinkEnd {
    let code = match error {
        Error::Capacity(CapacityError::MessageTooLong { .. }) => EndCode::Long,
        Error::Utf8(_) => EndCode::Utf8,
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => {
            return LinkEnd::cut("the link was cut");
        }
        Error::Protocol(_) => EndCode::Frame,
        Error::Io(error)
            if error.get_ref().and_then(|why| why.downcast_ref::<TooManyFragments>()).is_some() =>
        {
            return LinkEnd::new(EndCode::Policy, TooManyFragments.to_string());
        }
        // What the system says of a cut helps nobody.
        Error::Io(_) | Error::ConnectionClosed | Error::AlreadyClosed => {
            return LinkEnd::cut("the link was cut");
        }
        error => return LinkEnd::cut(error.to_string()),
    };
    LinkEnd::new(code, error.to_string())
}
