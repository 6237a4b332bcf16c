//! Documents that are not transcripts: the report on them, and whether they were meant as transcripts.

use super::recognized::Recognized;
use super::unrecognized::{QUESTION, Unrecognized};
use crate::diagnostic::codes::Property;
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::events::{self, Shape};
use crate::import::{self, Found, LogFile};
use crate::model::{COMPACT, handler_type};
use crate::parse::{Kind, Limits, Node, Parsed, detect, parse};
use crate::text::{LineIndex, Span};

/// The keys that identify a document as ours.
const KEYS: [&str; 7] =
    ["messages", "execution", "handlers", "version", "initial_state", "agent_config", "final_state"];

/// The report on a document that is not a transcript: its actual kind, and the finding for it.
pub(super) type ForeignFile = (Recognized, Diagnostic);

/// The report on a file of another program, with how to make a transcript of it.
pub(super) fn to_import(found: &Found, text: &str) -> ForeignFile {
    let format = found.format;
    from_format(text, format.words().sentence, format.words().help, format.kind)
}

/// The report on a text that begins like a log: reading it as a document would find a fault in every line.
pub(super) fn from_lines(text: &str) -> Option<ForeignFile> {
    if let Some(found) = import::detect(text, None) {
        return Some(to_import(&found, text));
    }
    if !matches!(events::detect(text), Some(Shape::Lines | Shape::List)) {
        return None;
    }
    Some(from_events(text, "this is an event log"))
}

fn from_events(text: &str, what: &str) -> ForeignFile {
    let help = "use `transcript order FILE` to sort the events, or `transcript verify-determinism FILE` to replay them";
    from_format(text, what, help, "event-log")
}

/// The finding is at the begin of the first line.
fn from_format(text: &str, what: &str, help: &str, word: &'static str) -> ForeignFile {
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let line = text.get(start..).and_then(|text| text.lines().next()).unwrap_or("");
    let shown: usize = line.chars().take(80).map(char::len_utf8).sum();
    let span = Span::new(start, start + shown);
    let diagnostic = Diagnostic::new(codes::NOT_A_TRANSCRIPT, Severity::Error, span, what).help(help);
    (Recognized::Format(word), diagnostic)
}

/// Inspects a text of unknown format.
pub(super) fn inspect(text: &str, parsed: &Parsed) -> Option<Unrecognized> {
    if parsed.root.is_none() && !is_unreadable(&parsed.diagnostics) {
        return None;
    }
    let broken_line = first_broken_line(&LineIndex::new(text), &parsed.diagnostics);
    match not_a_transcript(text, parsed.root.as_ref(), broken_line).0 {
        Recognized::Unrecognized(looked_at) => Some(*looked_at),
        _ => None,
    }
}

/// What is wrong with files without a log among them, and what to do.
pub(crate) fn no_log(files: &[LogFile<'_>], limits: &Limits) -> (&'static str, String) {
    let formats = import::plurals();
    let none = (
        "none of the files is a supported log",
        format!("supported formats: {formats}; choose one with `from`"),
    );
    let [file] = files else { return none };
    let parsed = parse(file.text, limits);
    let kind = parsed.root.as_ref().map(detect);
    if let Some(Kind::Full | Kind::Partial | Kind::Compact | Kind::Handlers) = kind {
        return ("this is already a transcript or a handlers file", "open it directly".to_owned());
    }
    inspect(file.text, &parsed).map_or(none, |looked_at| {
        (QUESTION, format!("{}. Supported formats: {formats}; choose one with `from`", looked_at.summary()))
    })
}

/// Whether an unreadable text may be no transcript at all: it is neither empty nor beyond a limit.
pub(super) fn is_unreadable(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().all(|found| !codes::has(found.code, Property::Unreadable))
}

/// The line of the first error in the syntax, from 1.
pub(super) fn first_broken_line(lines: &LineIndex, diagnostics: &[Diagnostic]) -> Option<u32> {
    let faults = diagnostics.iter().filter(|found| found.code == codes::SYNTAX);
    faults.map(|found| lines.line(found.span.start as usize)).min()
}

/// Reports that a document is no transcript: with the key at fault if it was meant as one, else with what was
/// checked.
pub(super) fn not_a_transcript(text: &str, root: Option<&Node>, broken_line: Option<u32>) -> ForeignFile {
    if broken_line.is_none() && events::detect(text) == Some(Shape::Recording) {
        return from_events(text, "this has events in `_inter_agent_events`, but no responses");
    }
    // An unfinished text may begin with any key of a transcript.
    let first_key = text.split(':').next().unwrap_or("").trim();
    let is_begun = text.contains(':') && COMPACT.fields().iter().any(|field| field.name == first_key);
    let is_ours =
        (broken_line.is_some() || root.is_none()) && (is_begun || text.lines().any(begins_with_key));
    let meant = root.and_then(|root| meant_as_transcript(text, root, is_ours));
    let meant = meant.or_else(|| is_ours.then(|| (Recognized::Unread, not_recognized(Span::empty(0)))));
    if let Some(meant) = meant {
        return meant;
    }
    let looked_at = Unrecognized::new(text, root, broken_line);
    let mut diagnostic = looked_at.diagnostic();
    if let Some((_, sentence)) = import::format_of_empty(text) {
        diagnostic = diagnostic.help(format!("{}. {sentence}", looked_at.summary()));
    }
    (Recognized::Unrecognized(Box::new(looked_at)), diagnostic)
}

/// Whether a line without indentation begins with a typical key of our documents, or a slip of one.
fn begins_with_key(line: &str) -> bool {
    let inner = line.trim_start_matches([' ', '{']);
    let (key, has_colon) = inner.split_once(':').map_or((inner, false), |(key, _)| (key, true));
    let key = key.trim().trim_matches(['"', '\'']);
    let is_slip = || closest(key, KEYS).is_some_and(|meant| meant != "version");
    line.len() - inner.len() <= 2 && key != "version" && (KEYS.contains(&key) || has_colon && is_slip())
}

/// The fault of a document that was meant as a transcript or as handlers, and whether it may be another
/// program's as well. `is_ours` means that a line shows so.
fn meant_as_transcript(text: &str, root: &Node, is_ours: bool) -> Option<ForeignFile> {
    let entries = root.entries();
    let first = entries.first()?.key.span;
    let error =
        |span, message: &str| Diagnostic::new(codes::NOT_A_TRANSCRIPT, Severity::Error, span, message);
    if root.get("type").and_then(Node::as_str).is_some_and(|name| handler_type(name).is_some()) {
        let found = error(first, "this is a handler without an agent name")
            .help("add `handlers` and a name: `handlers: {bot: {type: ...}}`");
        return Some((Recognized::Unread, found));
    }
    // A correctly spelt key is no slip: another program may have it too. `version` is in many files.
    let slip_of = |key: &str| closest(key, KEYS).filter(|meant| *meant != "version" && !KEYS.contains(&key));
    let is_known = |key: &str| KEYS.contains(&key) || COMPACT.fields().iter().any(|field| field.name == key);
    let known = entries.iter().filter(|entry| is_known(&entry.key.text)).count();
    let slip = entries.iter().find_map(|entry| Some((entry, slip_of(&entry.key.text)?)));
    if let Some((entry, meant)) = slip.filter(|_| (known + 1) * 2 > entries.len()) {
        let found = error(entry.key.span, "this is not a transcript");
        return Some((Recognized::Unread, found.help(format!("did you mean `{meant}`?"))));
    }
    // An unfinished text, but no JSON file with only a name.
    let is_begun = known == entries.len()
        && !text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '['])
        && ["messages", "execution", "final_state"].iter().all(|key| root.get(key).is_none());
    let outcome = if is_ours { Recognized::Unread } else { Recognized::Foreign };
    (is_ours || is_begun).then(|| (outcome, not_recognized(first)))
}

fn not_recognized(span: Span) -> Diagnostic {
    Diagnostic::new(codes::NOT_A_TRANSCRIPT, Severity::Error, span, "this is not a transcript")
        .help("a transcript has a list of `messages`, or `execution` with its turns")
}

/// The type of a file that is not text, if its first bytes show it, and the remedy.
pub(crate) fn known_bytes(bytes: &[u8]) -> Option<(String, &'static str)> {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some(("UTF-16 text".to_owned(), "save it as UTF-8")),
        [0x1f, 0x8b, ..] => Some((
            "compressed with gzip, or a part of such a file".to_owned(),
            "decompress it first, with `gunzip` or a `DecompressionStream`",
        )),
        bytes if import::is_store(bytes) => Some((
            "an SQLite database".to_owned(),
            "if it is one of Cursor or LangGraph, convert it with `transcript convert FILE --from cursor-store --to yaml` or `--from langgraph-checkpoints`; close the program that writes it first",
        )),
        [b'P', b'K', 3, 4, ..] => {
            // The path of its first file.
            let (_, archive) = import::format_of_archive(bytes.get(30..).unwrap_or(&[]))?;
            Some((format!("{}, which is not supported", archive.name), archive.help))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::document::{Document, Limits};

    fn is_unrelated(text: &str) -> bool {
        Document::open(text, &Limits::default()).overview().unrelated
    }

    #[test]
    fn files_of_other_programs_are_foreign() {
        for text in [
            "{\"name\": \"x\", \"version\": \"1.0.0\"}",
            "versions: [1]\n",
            "- 1\n- 2\n",
            "apiVersion: v1\n---\nkind: Pod\n",
            "[{\"role\": \"user\", \"content\": \"Hi\"}]",
        ] {
            assert!(is_unrelated(text), "{text}");
        }
    }

    #[test]
    fn an_importable_file_is_reported_once_with_the_command() {
        for (text, word, message) in [
            (
                "{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"started\"}\n{\"_time",
                "qbit-log",
                "this is a qbit session log",
            ),
            (
                "{\"_version\": 2, \"a\": {\"content\": \"x\", \"usage\": {}}}",
                "agentloom-recording",
                "this is an AgentLoom recording",
            ),
            (
                "{\"a\": [{\"content\": \"\", \"model\": \"m\"}]}",
                "agentloom-recording",
                "this is an AgentLoom recording",
            ),
            (
                "{\"workflow_name\": \"w\", \"step_results\": {}, \"final_state\": {}}",
                "agentloom-result",
                "this is the result of an AgentLoom workflow",
            ),
            (
                "[{\"step_id\": null, \"messages\": [], \"matched\": true}]",
                "agentloom-calls",
                "these are the calls of an AgentLoom replay",
            ),
            (
                "{\"event_id\": \"a\", \"parent_event_id\": null}\n{\"event_id\": \"b\", \"par",
                "event-log",
                "this is an event log",
            ),
            ("[{\"event_id\": \"a\", \"parent_event_id\": null}]", "event-log", "this is an event log"),
            (
                "{\"_inter_agent_events\": [{\"event_id\": \"a\"}]}",
                "event-log",
                "this has events in `_inter_agent_events`, but no responses",
            ),
        ] {
            let document = Document::open(text, &Limits::default());
            let messages: Vec<&str> =
                document.diagnostics().iter().map(|found| found.message.as_str()).collect();
            assert_eq!(messages, [message], "{text}");
            assert!(document.overview().unrelated && document.text() == text);
            assert_eq!(document.other_format(), Some(word), "{text}");
        }
    }

    #[test]
    fn what_is_ours_or_may_be_is_not() {
        for text in [
            "messages: ['user: Hi']",
            "messages: 5",
            "version: '1.0'\nexecution: []",
            "handlers: {}",
            "type: queue\nresponses: [Hi]\n",
            "mesages: ['user: Hi']",
            "{\"name\": \"x\", \"exection\": []}",
            "name: [\n",
            "",
        ] {
            assert!(!is_unrelated(text), "{text}");
            assert_eq!(Document::open(text, &Limits::default()).other_format(), None, "{text}");
        }
    }
}
