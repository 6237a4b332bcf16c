//! A recording as a table of answers.

use serde::Serialize;
use serde_json::{Map, Value};

use super::super::broken::{self, Broken};
use super::super::imported_response::ImportedResponse;
use super::super::numbers;
use super::super::report::{LostLines, Report};
use crate::diagnostic::{self, Diagnostic, Severity, codes};
use crate::parse::{Node, Parsed, parse_exactly};
use crate::text::{JsonMap, LineIndex, Set, Span};

/// The flavours in which recordings are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Flavour {
    /// From release 0.4.0 and earlier: no `_version`, answers by the hash of the messages.
    #[default]
    #[serde(rename = "v1")]
    V1,
    /// `_version: 2`, answers by the hash of the whole request.
    #[serde(rename = "v2")]
    V2,
    /// Each answer has the `request_hash` of its request.
    #[serde(rename = "v2 with request hashes")]
    V2WithHashes,
    /// Written by hand: named steps, providers, tool calls, several turns of a step.
    #[serde(rename = "fixture")]
    Fixture,
}

impl Flavour {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Flavour::V1 => "v1",
            Flavour::V2 => "v2",
            Flavour::V2WithHashes => "v2 with request hashes",
            Flavour::Fixture => "fixture",
        }
    }
}

/// A recording that has been read.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The flavour.
    pub flavour: Flavour,
    /// Its answers in the order of the file.
    pub rows: Vec<ImportedResponse>,
    /// The keys at the top that begin with `_`.
    pub metadata: Map<String, Value>,
    /// Entries that are no answers.
    pub unrecognized: Vec<(String, u32, Value)>,
    /// What could not be read, or not completely: its line, from 1, and its text.
    pub lost: Vec<(u32, String)>,
    /// What was read, but not exactly: its line, from 1, and its text.
    pub damaged: Vec<(u32, String)>,
    /// The report on each entry.
    pub report: Report,
    /// Its problems, at places of its text, in canonical order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a recording. A broken entry is read as far as possible, and all others too.
///
/// ```
/// use transcript_core::import::{Flavour, recording};
/// let read = recording(r#"{"_version": 2, "greet": {"content": "Hi!", "model": "m", "usage": {}}}"#);
/// assert_eq!(read.flavour, Flavour::V2);
/// assert_eq!((read.rows[0].key.as_str(), read.rows[0].content.as_deref()), ("greet", Some("Hi!")));
/// ```
#[must_use]
pub fn recording(text: &str) -> Recording {
    let lines = LineIndex::new(text);
    let line = |span: Span| lines.position(text, span.start as usize).line;
    let mut out = Recording::default();
    let mut partial = Set::new();
    let root = match tree(text) {
        Ok(parsed) => {
            out.diagnostics = match &parsed.root {
                Some(root) => numbers::diagnose_numbers(text, root, parsed.diagnostics),
                None => parsed.diagnostics,
            };
            parsed.root
        }
        Err(broken) => {
            let last = |span: Span| lines.position(text, span.end as usize).line;
            let place = |span: &Span| LostLines { line: line(*span), end_line: last(*span) };
            let kept = |span: &Span| (line(*span), span.slice(text).to_owned());
            out.report.lost = broken.lost.iter().map(place).collect();
            out.report.damaged = broken.damaged.iter().map(place).collect();
            out.lost = broken.lost.iter().map(kept).collect();
            out.damaged = broken.damaged.iter().map(kept).collect();
            out.report.truncated_line = broken.cut.map(line);
            out.diagnostics = broken.diagnostics;
            partial = broken.partial;
            Some(broken.root)
        }
    };
    out.report.layout = "object".into();
    if let Some(root) = root {
        if !root.is_map() {
            let message = format!("recording: expected a map, found {}", root.kind_name());
            let span = Span::new(root.span.start as usize, root.span.start as usize + 1);
            out.diagnostics.push(Diagnostic::new(codes::LOG_ENTRY, Severity::Error, span, message));
            out.unrecognized.push((String::new(), line(root.span), root.to_value()));
        }
        for entry in root.entries() {
            let (key, node) = (&*entry.key.text, &entry.value);
            if key.starts_with('_') {
                if key == "_version" && !matches!(node.as_i64(), Some(2..)) {
                    let message = format!("unknown recording version `{}`", node.to_value());
                    let found = Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, node.span, message);
                    out.diagnostics.push(found.help("AgentLoom accepts integers from 2"));
                }
                out.report.keep(line(entry.key.span), key);
                out.metadata.put(key, node.to_value());
                continue;
            }
            let is_list = matches!(node.data, crate::parse::Data::Seq(_));
            let turns = if is_list { node.items() } else { std::slice::from_ref(node) };
            if turns.is_empty() {
                out.report.keep(line(entry.key.span), key);
                out.unrecognized.push((key.to_owned(), line(entry.key.span), node.to_value()));
            }
            for (at, turn) in turns.iter().enumerate() {
                let at_line = line(if is_list { turn.span } else { entry.key.span });
                match out.row(key, turn, at_line) {
                    Some(mut row) => {
                        row.is_incomplete = partial.contains(key) && at + 1 == turns.len();
                        match row.embeddings {
                            Some(_) => out.report.keep(at_line, key),
                            None => out.report.used.push(at_line),
                        }
                        out.rows.push(ImportedResponse { turn: is_list.then_some(at + 1), ..row });
                    }
                    None => {
                        out.report.keep(at_line, key);
                        out.unrecognized.push((key.to_owned(), at_line, turn.to_value()));
                    }
                }
            }
        }
    }
    out.report.entries = out.report.used.len() + out.report.kept.len();
    out.flavour = flavour(&out);
    diagnostic::sort(&mut out.diagnostics);
    out.report = std::mem::take(&mut out.report).sorted();
    out
}

/// The tree of a recording, or the readable part of a broken one.
fn tree(text: &str) -> Result<Parsed, Box<Broken>> {
    let parsed = parse_exactly(text);
    if parsed.well_formed && parsed.diagnostics.is_empty() {
        return Ok(parsed);
    }
    match broken::map(text) {
        // Slips such as an extra comma lose nothing.
        Some(broken) if !parsed.well_formed || broken.lost.is_empty() || has_doubles(&parsed) => {
            Err(Box::new(broken))
        }
        _ => Ok(parsed),
    }
}

fn has_doubles(parsed: &Parsed) -> bool {
    parsed.diagnostics.iter().any(|found| found.code == codes::DUPLICATE_KEY)
}

impl Recording {
    fn row(&mut self, key: &str, node: &Node, line: u32) -> Option<ImportedResponse> {
        let mut warn = |message: String, help: &str| {
            let head = Span::new(node.span.start as usize, node.span.start as usize + 1);
            self.diagnostics
                .push(Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, head, message).help(help));
        };
        if !node.is_map() {
            let message = format!("response of `{key}`: expected a map, found {}", node.kind_name());
            warn(message, "it is kept as it is");
            return None;
        }
        let text = |key: &str| node.get(key).and_then(Node::as_str).map(str::to_owned);
        let number = |key: &str| match node.get(key)?.to_value() {
            Value::Number(number) => number.as_f64(),
            _ => None,
        };
        let row = ImportedResponse {
            key: key.to_owned(),
            is_hash: is_hash(key),
            turn: None,
            line,
            model: text("model"),
            provider: text("provider"),
            content: text("content"),
            tool_calls: node
                .get("tool_calls")
                .map(Node::items)
                .unwrap_or_default()
                .iter()
                .map(Node::to_value)
                .collect(),
            usage: node.present("usage").map(Node::to_value),
            cost_usd: number("cost_usd"),
            latency_ms: number("latency_ms"),
            finish_reason: text("finish_reason"),
            request_hash: text("request_hash"),
            embeddings: node.get("embeddings").map(|list| list.items().len()),
            is_incomplete: false,
            entry: node.to_value(),
            span: node.span,
        };
        if row.content.is_none() && row.tool_calls.is_empty() && row.embeddings.is_none() {
            warn(format!("the entry `{key}` has no string `content`"), "it is kept as it is");
            return None;
        }
        if row.finish_reason.as_deref() == Some("tool_calls") && row.tool_calls.is_empty() {
            let message = format!("the response of `{key}` calls tools, but its calls were not recorded");
            warn(message, "AgentLoom drops them, so a replay stops here");
        }
        Some(row)
    }
}

/// Whether a key is a SHA-256 in hexadecimal digits.
fn is_hash(key: &str) -> bool {
    key.len() == 64 && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn flavour(recording: &Recording) -> Flavour {
    let any = |is: fn(&ImportedResponse) -> bool| recording.rows.iter().any(is);
    if any(|row| row.request_hash.is_some()) {
        Flavour::V2WithHashes
    } else if any(|row| row.provider.is_some() || row.turn.is_some() || !row.tool_calls.is_empty()) {
        Flavour::Fixture
    } else if recording.metadata.contains_key("_version") {
        Flavour::V2
    } else {
        Flavour::V1
    }
}
