//! A file server for the built site, on this machine's loopback address alone.
//!
//! It exists so that the static site can be looked at as a host would serve it, from the root or from a
//! sub-path, with the right media types (a browser compiles wasm while it streams only as
//! `application/wasm`).

mod media_type;
mod request;

use std::fs;
use std::io::{self, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::failure::{Context, Failure, Outcome};
use request::{Method, Request};

/// What is served, and under which path.
pub(crate) struct Site {
    folder: PathBuf,
    /// Begins and ends with a slash.
    base: String,
}

impl Site {
    pub(crate) fn new(folder: PathBuf, base: &str) -> Self {
        let inner = base.trim_matches('/');
        let base = if inner.is_empty() { "/".to_owned() } else { format!("/{inner}/") };
        Self { folder, base }
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }
}

/// Takes the loopback port `wanted`, or the next free one after it.
pub(crate) fn listen(wanted: u16) -> Outcome<TcpListener> {
    for port in (wanted..=u16::MAX).take(50) {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => return Err(Failure::new(format!("cannot listen on port {port}: {error}"))),
        }
    }
    Err(Failure::new(format!("port {wanted} and the 49 after it are taken"))
        .help("name another one with --port"))
}

/// Serves until the process is stopped. Nothing has to be cleaned up then.
pub(crate) fn serve(listener: &TcpListener, site: Site) -> Outcome {
    let site = Arc::new(site);
    loop {
        let (stream, _) = listener.accept().context(|| "accept a connection".to_owned())?;
        let site = Arc::clone(&site);
        // A browser that goes away in the middle of an answer is no fault of the server.
        thread::spawn(move || answer(stream, &site).ok());
    }
}

fn answer(stream: TcpStream, site: &Site) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.set_write_timeout(Some(Duration::from_secs(30)))?;
    let mut reader = BufReader::new(&stream);
    let Some(request) = Request::read(&mut reader)? else {
        return respond(&stream, "400 Bad Request", &[], b"bad request\n", true);
    };
    let with_body = request.method != Method::Head;
    if request.method == Method::Other {
        return respond(
            &stream,
            "405 Method Not Allowed",
            &[("Allow", "GET, HEAD")],
            b"only GET and HEAD\n",
            true,
        );
    }
    // Relative addresses in the page only work when its own address ends with a slash.
    if format!("{}/", request.path) == site.base {
        return respond(&stream, "308 Permanent Redirect", &[("Location", &site.base)], b"", with_body);
    }
    let file = request
        .path
        .strip_prefix(&site.base)
        .and_then(request::relative_path)
        .map(|path| site.folder.join(path));
    match file.and_then(|file| load(&file)) {
        Some((bytes, media_type)) => {
            respond(&stream, "200 OK", &[("Content-Type", media_type)], &bytes, with_body)
        }
        None => respond(&stream, "404 Not Found", &[], b"not found\n", with_body),
    }
}

fn load(file: &Path) -> Option<(Vec<u8>, &'static str)> {
    let file = if file.is_dir() { file.join("index.html") } else { file.to_path_buf() };
    fs::read(&file).ok().map(|bytes| (bytes, media_type::for_file(&file)))
}

fn respond(
    mut stream: &TcpStream,
    status: &str,
    headers: &[(&str, &str)],
    body: &[u8],
    with_body: bool,
) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
    head.push_str("Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if !headers.iter().any(|(name, _)| *name == "Content-Type") {
        head.push_str("Content-Type: text/plain; charset=utf-8\r\n");
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    if with_body {
        stream.write_all(body)?;
    }
    stream.flush()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// Serves a folder with two files, sends `request`, and returns the whole answer.
    fn response_to(base: &str, request: &str) -> String {
        let folder = std::env::temp_dir().join(format!(
            "xtask-server-{}-{:?}",
            std::process::id(),
            thread::current().id()
        ));
        fs::create_dir_all(folder.join("site/deep")).unwrap();
        fs::write(folder.join("secret.txt"), "secret").unwrap();
        fs::write(folder.join("site/index.html"), "<p>hello").unwrap();
        fs::write(folder.join("site/deep/a b.wasm"), [0, 1]).unwrap();
        let listener = listen(20_000).unwrap();
        let address = listener.local_addr().unwrap();
        let site = Site::new(folder.join("site"), base);
        thread::spawn(move || serve(&listener, site));
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn files_come_with_their_media_type() {
        let page = response_to("/", "GET /?x=1 HTTP/1.1\r\nHost: a\r\n\r\n");
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("\r\n\r\n<p>hello"), "{page}");
        assert!(page.contains("Content-Type: text/html; charset=utf-8\r\n"), "{page}");
        let wasm = response_to("/", "GET /deep/a%20b.wasm HTTP/1.1\r\n\r\n");
        assert!(wasm.contains("Content-Type: application/wasm\r\n"), "{wasm}");
    }

    #[test]
    fn a_sub_path_serves_the_site_and_nothing_else() {
        assert!(response_to("/a/b", "GET /a/b/ HTTP/1.1\r\n\r\n").ends_with("<p>hello"));
        let redirect = response_to("/a/b", "GET /a/b HTTP/1.1\r\n\r\n");
        assert!(redirect.contains("308 Permanent") && redirect.contains("Location: /a/b/\r\n"), "{redirect}");
        assert!(response_to("/a/b", "GET /index.html HTTP/1.1\r\n\r\n").contains("404 Not Found"));
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        for path in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/deep/..%2f..%2fsecret.txt",
            "/..\\secret.txt",
            "//secret.txt",
            "/%00",
        ] {
            let answer = response_to("/", &format!("GET {path} HTTP/1.1\r\n\r\n"));
            assert!(answer.contains("404 Not Found"), "{path}: {answer}");
            assert!(!answer.contains("secret"), "{path}: {answer}");
        }
    }

    #[test]
    fn head_answers_without_a_body_and_other_methods_are_refused() {
        let head = response_to("/", "HEAD / HTTP/1.1\r\n\r\n");
        assert!(head.contains("Content-Length: 8\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        assert!(response_to("/", "POST / HTTP/1.1\r\n\r\n").contains("405 Method Not Allowed"));
        assert!(response_to("/", "nonsense\r\n\r\n").contains("400 Bad Request"));
    }

    #[test]
    fn a_taken_port_gives_the_next_free_one() {
        let first = listen(21_000).unwrap();
        let taken = first.local_addr().unwrap().port();
        let second = listen(taken).unwrap();
        assert!(second.local_addr().unwrap().port() > taken);
    }
}
