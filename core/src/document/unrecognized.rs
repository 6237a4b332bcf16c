//! Files of unknown origin: what was checked, for a person who knows more.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::import::{Nearest, nearest};
use crate::parse::{Data, Limits, Node, parse};
use crate::text::Span;

/// The checks on a file of no known format.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Unrecognized {
    /// How it is written.
    #[cfg_attr(feature = "typescript", ts(type = "'json' | 'jsonl' | 'yaml' | 'markdown' | 'text'"))]
    pub syntax: Cow<'static, str>,
    /// The number of its records: the items of a list, the lines of JSON Lines, Markdown and text, 1 for a map.
    pub records: usize,
    /// The first keys of the first record.
    pub keys: Vec<String>,
    /// The first line that its syntax does not allow, from 1.
    pub broken_line: Option<u32>,
    /// The nearest known formats.
    pub nearest: Vec<Nearest>,
}

/// The question that a file of no known format is answered with.
pub(super) const QUESTION: &str = "We don't recognize this format. Which tool wrote it?";

/// In broken YAML, this many entries may be words of a text followed by a colon.
const FEW: usize = 2;

/// The maximum number of keys that are named, and of characters of one.
const KEYS: usize = 8;
const KEY: usize = 40;

impl Unrecognized {
    /// Inspects a text, and what could be read of it.
    pub(super) fn new(text: &str, root: Option<&Node>, broken_line: Option<u32>) -> Self {
        let syntax = syntax_of(text, root, broken_line.is_some());
        let lines = || text.lines().filter(|line| !line.trim().is_empty());
        let line = (syntax == "jsonl").then(|| lines().next()).flatten();
        let first = line.and_then(|line| parse(line, &Limits::default()).root);
        let root = match syntax {
            "jsonl" => first.as_ref(),
            "markdown" | "text" => None,
            _ => root,
        };
        let record = root.map(|root| root.items().first().unwrap_or(root));
        let entries = record.map(Node::entries).unwrap_or_default();
        Self {
            syntax: syntax.into(),
            records: match root.map(|root| &root.data) {
                _ if line.is_some() => lines().count(),
                Some(Data::Seq(items)) => items.len(),
                Some(_) => 1,
                None => lines().count(),
            },
            keys: entries.iter().take(KEYS).map(|entry| entry.key.text.chars().take(KEY).collect()).collect(),
            // For other syntaxes, other readers report the fault better.
            broken_line: broken_line.filter(|_| matches!(syntax, "json" | "yaml")),
            nearest: root.map(nearest).unwrap_or_default(),
        }
    }

    /// The checks, in a few short sentences.
    #[must_use]
    pub fn summary(&self) -> String {
        let (name, unit) = match &*self.syntax {
            "json" => ("JSON", "record"),
            "jsonl" => ("JSON Lines", "record"),
            "yaml" => ("YAML", "record"),
            "markdown" => ("Markdown", "line"),
            _ => ("plain text", "line"),
        };
        let plural = if self.records == 1 { "" } else { "s" };
        let mut out = format!("It is {name} with {} {unit}{plural}", self.records);
        if let Some(line) = self.broken_line {
            out.push_str(&format!(", broken in line {line}"));
        }
        match self.keys.len() {
            0 => {}
            1 => out.push_str(&format!("; its first key is {}", listed(&self.keys))),
            _ => out.push_str(&format!("; its first keys are {}", listed(&self.keys))),
        }
        for near in &self.nearest {
            out.push_str(&format!(". Like {}, it has {}, but ", near.format, listed(&near.has)));
            match near.lacks.is_empty() {
                true => out.push_str("with other values"),
                false => out.push_str(&format!("no {}", listed(&near.lacks))),
            }
        }
        out
    }

    /// The one finding of such a file. It has no place: it is about the whole file.
    pub(super) fn diagnostic(&self) -> Diagnostic {
        let help = format!(
            "{}. If a known tool wrote it, name the tool: `transcript convert FILE --from TOOL`. A transcript has a list \
             of `messages`, or `execution` with its turns",
            self.summary()
        );
        Diagnostic::new(codes::UNRECOGNIZED_FORMAT, Severity::Error, Span::empty(0), QUESTION)
            .help(help)
            .about_the_file()
    }
}

fn listed(keys: &[impl AsRef<str>]) -> String {
    let keys: Vec<String> = keys.iter().map(|key| format!("`{}`", key.as_ref())).collect();
    keys.join(", ")
}

/// The apparent syntax of the text.
fn syntax_of(text: &str, root: Option<&Node>, is_broken: bool) -> &'static str {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let entries = root.map_or(0, |root| root.entries().len() + root.items().len());
    if text.starts_with(['{', '[']) && (entries > 0 || !is_broken) {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let is_record = |line: &str| {
            let line = line.trim();
            line.starts_with('{') && line.ends_with('}') || line.starts_with('[') && line.ends_with(']')
        };
        let is_lines = lines.next().is_some_and(is_record) && lines.next().is_some();
        return if is_lines { "jsonl" } else { "json" };
    }
    if entries > 0 && !is_broken {
        return "yaml";
    }
    // A comment of YAML looks like a heading, so headings only count if the text is not YAML.
    let is_mark = |line: &str| {
        line.starts_with("```") || line.trim_start_matches('#').starts_with(' ') && line.starts_with('#')
    };
    match text.lines().any(is_mark) {
        true => "markdown",
        false if entries > FEW => "yaml",
        false => "text",
    }
}
