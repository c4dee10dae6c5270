//! For tests: a browser of few words, which speaks to pages over real TLS.
#![allow(clippy::disallowed_methods, reason = "what travels over a real port is waited for in real time")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::tls;

const PATIENCE: Duration = Duration::from_mins(1);

/// Who asks for pages at this address.
pub(crate) struct PageClient {
    listens: SocketAddr,
    runtime: tokio::runtime::Runtime,
}

/// An answer: its status, its head, its body.
pub(crate) struct HttpAnswer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl HttpAnswer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn cookie(&self) -> String {
        let set = self.header("set-cookie").expect("a cookie");
        set.split(';').next().expect("a pair").to_owned()
    }

    /// The number of the page's forms.
    pub(crate) fn form(&self) -> String {
        let (_, after) = self.body.split_once("name=\"form\" value=\"").expect("a form");
        after.split('"').next().expect("a number").to_owned()
    }
}

impl PageClient {
    pub(crate) fn new(listens: SocketAddr) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        Self { listens, runtime }
    }

    pub(crate) fn host(&self) -> String {
        self.listens.to_string()
    }

    /// Sends these bytes in a connection of their own.
    pub(crate) fn send(&self, bytes: &[u8]) -> HttpAnswer {
        self.runtime.block_on(async {
            let connector = TlsConnector::from(Arc::new(tls::to_page().expect("TLS")));
            let stream = TcpStream::connect(self.listens).await.expect("it listens");
            let name = "127.0.0.1".try_into().expect("an address");
            let mut stream = connector.connect(name, stream).await.expect("a handshake");
            // Who is answered early may not be read to the end.
            let _ = stream.write_all(bytes).await;
            let _ = stream.flush().await;
            let mut read = Vec::new();
            let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut read)).await;
            let text = String::from_utf8(read).expect("UTF-8");
            let (head, body) = text.split_once("\r\n\r\n").expect("a head");
            let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
            HttpAnswer { status, head: head.to_owned(), body: body.to_owned() }
        })
    }

    pub(crate) fn get(&self, path: &str, cookie: &str) -> HttpAnswer {
        let host = self.host();
        self.send(
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n")
                .as_bytes(),
        )
    }

    pub(crate) fn post(&self, path: &str, cookie: &str, form: &str) -> HttpAnswer {
        let host = self.host();
        self.post_from(path, cookie, form, Some(&format!("https://{host}")))
    }

    pub(crate) fn post_from(&self, path: &str, cookie: &str, form: &str, origin: Option<&str>) -> HttpAnswer {
        let (host, length) = (self.host(), form.len());
        let origin = origin.map(|origin| format!("Origin: {origin}\r\n")).unwrap_or_default();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\n{origin}Cookie: {cookie}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        self.send(format!("{head}{form}").as_bytes())
    }

    /// Looks at a page until it has this.
    pub(crate) fn until(&self, path: &str, cookie: &str, has: impl Fn(&str) -> bool) -> HttpAnswer {
        let began = Instant::now();
        loop {
            let answer = self.get(path, cookie);
            if has(&answer.body) {
                return answer;
            }
            assert!(began.elapsed() < PATIENCE, "{path}: {}", answer.body);
            std::thread::park_timeout(Duration::from_millis(50));
        }
    }
}
