//! Reads the part of an HTTP request that a file server needs.

use std::io::{self, BufRead, Read};
use std::path::{Component, Path, PathBuf};

/// More than any browser sends for a page without cookies.
const LONGEST_HEAD: u64 = 64 * 1024;

#[derive(PartialEq)]
pub(super) enum Method {
    Get,
    Head,
    Other,
}

pub(super) struct Request {
    pub(super) method: Method,
    /// Percent-decoded, without the query. Begins with a slash.
    pub(super) path: String,
}

impl Request {
    /// Reads the request line and passes over the headers. `None` is a request that makes no sense.
    pub(super) fn read(reader: &mut impl BufRead) -> io::Result<Option<Self>> {
        let mut head = reader.take(LONGEST_HEAD);
        let mut first = String::new();
        head.read_line(&mut first)?;
        let mut header = String::new();
        while head.read_line(&mut header)? > 0 && !header.trim_end().is_empty() {
            header.clear();
        }
        Ok(Self::parse(&first))
    }

    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let method = match words.next()? {
            "GET" => Method::Get,
            "HEAD" => Method::Head,
            _ => Method::Other,
        };
        let target = words.next()?;
        let path = target.split(['?', '#']).next()?;
        let path = decode(path).filter(|path| path.starts_with('/'))?;
        words.next()?.starts_with("HTTP/1.").then_some(Self { method, path })
    }
}

/// The file path below the served folder, unless it could lead out of it.
pub(super) fn relative_path(path: &str) -> Option<PathBuf> {
    // A backslash or a colon would name a drive or a stream on Windows.
    if path.contains(['\\', ':', '\0']) {
        return None;
    }
    let path = Path::new(path);
    path.components().all(|part| matches!(part, Component::Normal(_))).then(|| path.to_path_buf())
}

/// Undoes percent encoding; `None` when an escape is broken or the bytes are not UTF-8.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}
