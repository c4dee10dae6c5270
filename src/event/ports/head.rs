//! The time that the head of a request may take. Who is too slow gets 408: the library that reads requests only closes there.
//!
//! Source: `docs/hall.md`, §8 and §9; HTTP (RFC 9110, 15.5.9).

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::passing::passes_writes;

/// What is answered.
const TOO_SLOW: &[u8] = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// Whether the head of a request has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeadCame(Arc<AtomicBool>);

impl HeadCame {
    /// The head has come: the time for it does not count any more.
    pub(crate) fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A connection on which the head of a request is awaited only so long.
#[derive(Debug)]
pub(crate) struct PatientHead<S> {
    stream: S,
    came: HeadCame,
    patience: Pin<Box<Sleep>>,
    /// How much of the answer was written.
    answered: usize,
}

impl<S> PatientHead<S> {
    /// Awaits the head on this connection; whoever takes the request notes it in `came`.
    pub(crate) fn new(stream: S, patience: Duration, came: HeadCame) -> Self {
        Self { stream, came, patience: Box::pin(sleep(patience)), answered: 0 }
    }
}

impl<S: AsyncWrite + Unpin> PatientHead<S> {
    fn answer(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(rest) = TOO_SLOW.get(self.answered..).filter(|rest| !rest.is_empty()) {
            match ready!(Pin::new(&mut self.stream).poll_write(cx, rest))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => self.answered += written,
            }
        }
        Pin::new(&mut self.stream).poll_flush(cx)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for PatientHead<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.came.0.load(Ordering::Relaxed) && self.patience.as_mut().poll(cx).is_ready() {
            ready!(self.answer(cx))?;
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

passes_writes!(PatientHead);
