//! Recorded HTTP as the programs write it that record it: VCR.py and VCR for Ruby, nock, and HAR, which Polly writes too.

use serde_json::{Map, Value};

use super::super::{numbers, values};
use super::body::Body;
use super::secrets;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::{Node, parse_exactly};
use crate::text::{LineIndex, Span};
use crate::time::{http_to_rfc3339, moment};
use crate::wire::Protocol;

/// Who wrote a cassette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum Style {
    Vcr,
    RubyVcr,
    Nock,
    Har,
}

impl Style {
    pub(super) fn word(self) -> &'static str {
        match self {
            Style::Vcr => "vcr",
            Style::RubyVcr => "vcr-ruby",
            Style::Nock => "nock",
            Style::Har => "har",
        }
    }

    /// The keys that lead to the list of interactions.
    fn path(self) -> &'static [&'static str] {
        match self {
            Style::Vcr => &["interactions"],
            Style::RubyVcr => &["http_interactions"],
            Style::Nock => &[],
            Style::Har => &["log", "entries"],
        }
    }
}

/// A request and its response.
#[derive(Clone, Debug)]
pub(super) struct Interaction {
    pub line: u32,
    pub span: Span,
    pub method: String,
    /// The address without credentials.
    pub url: String,
    pub request: Body,
    pub status: Option<u64>,
    pub response: Body,
    pub time: Option<String>,
    /// Credentials, at any place.
    pub secrets: Vec<String>,
    /// Other data of it, such as when to try again.
    pub others: Map<String, Value>,
}

/// What could be read of a cassette.
#[derive(Debug)]
pub(super) struct Cassette {
    pub style: Style,
    pub interactions: Vec<Interaction>,
    /// Entries that are no interactions.
    pub unrecognized: Vec<(u32, Value)>,
    /// What could not be read: its first and last line, and its text.
    pub lost: Vec<(u32, u32, String)>,
    pub diagnostics: Vec<Diagnostic>,
    /// The other keys of the file.
    pub head: Vec<(String, Value)>,
}

/// Who wrote a cassette, by the keys of its tree.
pub(in crate::import) fn style(root: &Node) -> Option<Style> {
    let has = |node: &Node, keys: &[&str]| keys.iter().all(|key| node.get(key).is_some());
    let first = |list: &Node| list.items().first().cloned();
    if let Some(first) = first(root) {
        let is_nock = has(&first, &["scope", "method", "path", "status"]);
        return is_nock.then_some(Style::Nock);
    }
    let is_pair = |node: &Node| has(node, &["request", "response"]);
    if let Some(list) = root.get("http_interactions") {
        return first(list).is_none_or(|one| is_pair(&one)).then_some(Style::RubyVcr);
    }
    if let Some(list) = root.get("interactions") {
        return first(list).is_some_and(|one| is_pair(&one)).then_some(Style::Vcr);
    }
    let entries = root.get("log").and_then(|log| log.get("entries"))?;
    first(entries).is_some_and(|one| is_pair(&one)).then_some(Style::Har)
}

/// How many requests a cassette has, and how many of them are sent to an address that is read.
pub(in crate::import) fn requests(root: &Node, style: Style) -> (usize, usize) {
    let is_read = |node: &&Node| {
        let request = node.get("request").unwrap_or(node);
        let url = ["uri", "url", "path"].into_iter().find_map(|key| request.get(key)?.as_str());
        let method = request.get("method").and_then(Node::as_str);
        method.is_some_and(|method| method.eq_ignore_ascii_case("post"))
            && url.is_some_and(|url| Protocol::from_path(url).is_some())
    };
    let list =
        style.path().iter().try_fold(root, |node, key| node.get(key)).map(Node::items).unwrap_or_default();
    (list.len(), list.iter().filter(is_read).count())
}

/// Reads a cassette, as far as it can be read.
pub(super) fn read(text: &str) -> Option<Cassette> {
    let parsed = parse_exactly(text);
    let root = parsed.root?;
    let style = style(&root)?;
    let mut out = Cassette {
        style,
        interactions: Vec::new(),
        unrecognized: Vec::new(),
        lost: Vec::new(),
        diagnostics: Vec::new(),
        head: Vec::new(),
    };
    let lines = LineIndex::new(text);
    for entry in root.entries() {
        if Some(&&*entry.key.text) != style.path().first() {
            out.head.push((entry.key.text.to_string(), entry.value.to_value()));
        }
    }
    if style == Style::Har {
        let log = root.get("log").map(Node::entries).unwrap_or_default();
        let unmapped = log.iter().filter(|entry| &*entry.key.text != "entries");
        out.head.extend(unmapped.map(|entry| (entry.key.text.to_string(), entry.value.to_value())));
    }
    if parsed.well_formed {
        out.diagnostics.extend(numbers::all(text, &root, parsed.diagnostics));
        let list = style.path().iter().try_fold(&root, |node, key| node.get(key));
        for item in list.map(Node::items).unwrap_or_default() {
            out.add_node(item, lines.line(item.span.start as usize), text);
        }
        return Some(out);
    }
    match text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']) {
        true => out.pieces_of_json(text),
        false => out.pieces_of_yaml(text),
    }
    Some(out)
}

impl Cassette {
    fn add_node(&mut self, node: &Node, line: u32, text: &str) {
        match interaction(self.style, node, line, text) {
            Some(interaction) => self.interactions.push(interaction),
            None => {
                let message = "this is not a request with a response; it is kept in `metadata`";
                let span = first_line(text, node.span);
                let found = Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, span, message);
                self.diagnostics.push(found);
                self.unrecognized.push((line, node.to_value()));
            }
        }
    }

    /// Reads the rest of broken JSON, entry by entry.
    fn pieces_of_json(&mut self, text: &str) {
        let key = self.style.path().last().map(|key| format!("\"{key}\""));
        let from = key.and_then(|key| text.find(&key)).unwrap_or(0);
        let Some(begin) = text.get(from..).and_then(|rest| Some(from + rest.find('[')?)) else { return };
        // As many lines precede it, so that every entry has its own line number.
        let before = text.get(..begin).unwrap_or_default();
        let above = u32::try_from(before.matches('\n').count()).unwrap_or(u32::MAX);
        let values = values::read(text.get(begin..).unwrap_or_default());
        let moved = |span: Span| Span::new(span.start as usize + begin, span.end as usize + begin);
        for mut found in values.diagnostics {
            found.span = moved(found.span);
            self.diagnostics.push(found);
        }
        for piece in values.lost {
            let span = moved(piece.span);
            self.lost.push((piece.line + above, piece.end_line + above, span.slice(text).to_owned()));
        }
        for entry in values.entries {
            let span = moved(entry.span);
            self.add_node(&Node::from_value(&entry.value, span), entry.line + above, text);
        }
    }

    /// Reads the rest of broken YAML: each item of the list separately.
    fn pieces_of_yaml(&mut self, text: &str) {
        let mut starts: Vec<usize> = Vec::new();
        let mut at = 0;
        let mut is_in_list = false;
        let list = self.style.path().concat();
        let mut indent = None;
        // The first key behind the list.
        let mut end_of_list = text.len();
        for line in text.split_inclusive('\n') {
            let blanks = line.len() - line.trim_start_matches(' ').len();
            // What an item has inside is indented more.
            let is_item = is_in_list && line.get(blanks..).is_some_and(|rest| rest.starts_with("- "));
            is_in_list |= line.trim_start_matches(['"', '\'']).starts_with(&list);
            if is_item && *indent.get_or_insert(blanks) == blanks {
                starts.push(at);
                end_of_list = text.len();
            }
            let is_key = || {
                let name = line.trim_start().split(':').next().unwrap_or_default();
                matches!(name, "version" | "recorded_with")
            };
            if indent.is_some_and(|indent| blanks <= indent) && end_of_list == text.len() && is_key() {
                end_of_list = at;
            }
            at += line.len();
        }
        let ends = starts.iter().skip(1).copied().chain([end_of_list]);
        let lines = LineIndex::new(text);
        for (start, end) in starts.iter().copied().zip(ends) {
            let piece = text.get(start..end).unwrap_or_default();
            let parsed = parse_exactly(piece);
            let line = lines.line(start);
            let moved = |span: Span| Span::new(span.start as usize + start, span.end as usize + start);
            let item = parsed.root.as_ref().and_then(|root| root.items().first());
            if !parsed.well_formed {
                let last = lines.line(start + piece.trim_end().len());
                self.lost.push((line, last, piece.trim_end().to_owned()));
                let fault = parsed.diagnostics.iter().find(|found| found.severity == Severity::Error);
                let span = fault.map_or(first_line(text, Span::new(start, end)), |found| moved(found.span));
                let is_cut = end == text.len() && end == end_of_list;
                let (code, message, severity) = match is_cut {
                    true => (
                        codes::LOG_CUT,
                        "the cassette ends in the middle of an interaction",
                        Severity::Warning,
                    ),
                    false => (codes::LOG_LINE, "this interaction is damaged; it is skipped", Severity::Error),
                };
                let found = Diagnostic::new(code, severity, span, message);
                let help = "everything else is read; it is kept as text";
                self.diagnostics.push(found.help(help));
                continue;
            }
            if let Some(item) = item {
                let found =
                    numbers::all(piece, item, parsed.diagnostics.clone()).into_iter().map(|mut found| {
                        found.span = moved(found.span);
                        found
                    });
                self.diagnostics.extend(found);
                self.add_node(&item.moved(&moved), line, text);
            }
        }
    }
}

/// The first line of a place.
fn first_line(text: &str, span: Span) -> Span {
    let start = span.start as usize;
    Span::new(start, start + span.slice(text).lines().next().map_or(0, str::len).min(80))
}

fn interaction(style: Style, node: &Node, line: u32, text: &str) -> Option<Interaction> {
    let mut out = Interaction {
        line,
        span: first_line(text, node.span),
        method: String::new(),
        url: String::new(),
        request: Body::None,
        status: None,
        response: Body::None,
        time: None,
        secrets: Vec::new(),
        others: Map::new(),
    };
    let string = |node: &Node, key: &str| node.get(key).and_then(Node::as_str).unwrap_or_default().to_owned();
    let number = |node: &Node| node.as_i64().and_then(|number| u64::try_from(number).ok());
    let url;
    let (of_request, of_response);
    match style {
        Style::Nock => {
            if node.get("scope").is_none() || node.get("response").is_none() {
                return None;
            }
            url = format!("{}{}", string(node, "scope"), string(node, "path"));
            out.method = string(node, "method");
            out.status = node.get("status").and_then(number);
            of_request = pairs(node.get("reqheaders").or(node.get("requestHeaders")));
            of_response = pairs(node.get("rawHeaders").or(node.get("headers")));
            let encoding = header(&of_response, "content-encoding");
            out.request = body(node.get("body"), "", text);
            out.response = nock_response(node, encoding, text);
        }
        _ => {
            let (request, response) = (node.get("request")?, node.get("response")?);
            url = match request.get("uri").or(request.get("url"))?.as_str() {
                Some(url) => url.to_owned(),
                None => return None,
            };
            out.method = string(request, "method").to_ascii_uppercase();
            of_request = pairs(request.get("headers"));
            of_response = pairs(response.get("headers"));
            let encoding = header(&of_response, "content-encoding");
            let status = response.get("status")?;
            out.status = number(status).or_else(|| status.get("code").and_then(number));
            let sent_in = header(&of_request, "content-encoding");
            out.request = match style {
                Style::Har => body(request.get("postData").and_then(|data| data.get("text")), sent_in, text),
                _ => vcr_body(request, sent_in, text),
            };
            out.response = match style {
                Style::Har => har_content(response.get("content"), encoding, text),
                _ => vcr_body(response, encoding, text),
            };
            let recorded = node.get("recorded_at").or(node.get("startedDateTime")).and_then(Node::as_str);
            let recorded = recorded.and_then(|time| {
                moment(&time.into()).map(|moment| moment.text).or_else(|| http_to_rfc3339(time))
            });
            out.time = recorded;
        }
    }
    out.method = out.method.to_ascii_uppercase();
    out.time = out.time.or_else(|| http_to_rfc3339(header(&of_response, "date")));
    out.secrets = secrets::collect_secrets(of_request.iter().chain(&of_response), &url);
    out.url = secrets::address(&url);
    // An address may follow the type of an error.
    let error_type = header(&of_response, "x-amzn-errortype").split(':').next().unwrap_or_default();
    let others = [("retry_after", header(&of_response, "retry-after")), ("error_type", error_type)];
    let others = others.into_iter().filter(|(_, value)| !value.is_empty());
    out.others = others.map(|(key, value)| (key.to_owned(), value.into())).collect();
    Some(out)
}

/// The value of a header; empty when there is none.
fn header<'h>(headers: &'h [(String, String)], name: &str) -> &'h str {
    headers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
}

/// Headers with names in small letters: a map of texts or lists, a list of maps, or names and values in turn.
fn pairs(node: Option<&Node>) -> Vec<(String, String)> {
    let Some(node) = node else { return Vec::new() };
    let mut out = Vec::new();
    let mut put = |name: &str, value: &Node| match value.as_str() {
        Some(value) => out.push((name.to_ascii_lowercase(), value.to_owned())),
        None => {
            for value in value.items().iter().filter_map(Node::as_str) {
                out.push((name.to_ascii_lowercase(), value.to_owned()));
            }
        }
    };
    for entry in node.entries() {
        put(&entry.key.text, &entry.value);
    }
    let mut items = node.items().iter();
    while let Some(item) = items.next() {
        match (item.as_str(), item.get("name").and_then(Node::as_str), item.get("value")) {
            (Some(name), ..) => {
                if let Some(value) = items.next() {
                    put(name, value);
                }
            }
            (None, Some(name), Some(value)) => put(name, value),
            _ => {}
        }
    }
    out
}

/// Whether a value has the tag of bytes in base64.
fn is_binary(node: &Node, text: &str) -> bool {
    let before = text.get(..node.span.start as usize).unwrap_or_default();
    // The block style indicator is between the tag and a text on lines of its own.
    let tagged = before.trim_end().trim_end_matches(['|', '>', '-', '+', ' ']);
    tagged.ends_with("!!binary") || node.span.slice(text).starts_with("!!binary")
}

/// The body of a request or a response of VCR. Some recorders write JSON as data, under `parsed_body`.
fn vcr_body(node: &Node, encoding: &str, text: &str) -> Body {
    let own = body(node.get("body").or(node.get("content")), encoding, text);
    let parsed = node.get("parsed_body").filter(|parsed| !parsed.is_null());
    match (own, parsed) {
        (Body::None, Some(parsed)) => Body::Data(parsed.to_value()),
        (own, _) => own,
    }
}

/// The keys of a map that holds a body as text.
const HOLDER: [&str; 6] = ["base64_string", "string", "text", "encoding", "mimeType", "size"];

/// A body: a text, data, or a map with the text under one of several keys.
fn body(node: Option<&Node>, encoding: &str, text: &str) -> Body {
    let Some(node) = node.filter(|node| !node.is_null()) else { return Body::None };
    if let Some(body_text) = node.as_str() {
        return match is_binary(node, text) {
            true => Body::from_base64(body_text, encoding),
            false if body_text.is_empty() => Body::None,
            false => Body::Text(body_text.to_owned()),
        };
    }
    // A body that is data may have such a key as well, as requests of Responses have `text`.
    let is_holder = node.entries().iter().all(|entry| HOLDER.contains(&&*entry.key.text));
    for key in ["base64_string", "string", "text"] {
        match (node.get(key).filter(|inner| is_holder && (inner.as_str().is_some() || inner.is_null())), key)
        {
            (Some(inner), "base64_string") => {
                return Body::from_base64(inner.as_str().unwrap_or_default(), encoding);
            }
            (Some(inner), _) => return body(Some(inner), encoding, text),
            (None, _) => {}
        }
    }
    Body::Data(node.to_value())
}

/// The content of a HAR response.
fn har_content(node: Option<&Node>, encoding: &str, text: &str) -> Body {
    let is_packed = node.and_then(|node| node.get("encoding")?.as_str()) == Some("base64");
    let body_text = node.and_then(|node| node.get("text"));
    match (is_packed, body_text.and_then(Node::as_str)) {
        (true, Some(body_text)) => Body::from_base64(body_text, encoding),
        _ => body(body_text, encoding, text),
    }
}

/// The response of nock: data, a text, or the bytes of a packed one as hexadecimal texts.
fn nock_response(node: &Node, encoding: &str, text: &str) -> Body {
    let response = node.get("response");
    let is_binary = node.get("responseIsBinary").and_then(Node::as_bool) == Some(true);
    let pieces = response.map(Node::items).unwrap_or_default();
    let is_hex = |piece: &Node| piece.as_str().is_some_and(|text| bytes_of_hex(text).is_some());
    if (is_binary || !encoding.is_empty()) && !pieces.is_empty() && pieces.iter().all(is_hex) {
        let bytes = pieces.iter().filter_map(Node::as_str).filter_map(bytes_of_hex).flatten().collect();
        let written = response.map(Node::to_value).unwrap_or_default();
        return Body::from_bytes(bytes, encoding, written);
    }
    if let Some(hex) = response.and_then(Node::as_str).filter(|_| is_binary)
        && let Some(bytes) = bytes_of_hex(hex)
    {
        return Body::from_bytes(bytes, encoding, hex.into());
    }
    match response {
        Some(node) if node.as_str().is_none() && !node.is_null() => Body::Data(node.to_value()),
        other => body(other, encoding, text),
    }
}

fn bytes_of_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    let pair = |pair: &[u32]| match pair {
        [high, low] => (high * 16 + low) as u8,
        _ => 0,
    };
    Some(digits.chunks(2).map(pair).collect())
}
