//! Documents that are no transcripts: what is told of them, and whether they were meant as ones.

use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::events::{self, Shape};
use crate::import::{self, Format, Found};
use crate::model::handler_type;
use crate::parse::{Kind, Node};
use crate::text::Span;

/// The keys by which a document is known as one of ours.
const KEYS: [&str; 7] =
    ["messages", "execution", "handlers", "version", "initial_state", "agent_config", "final_state"];

/// What is told of a document that is no transcript.
pub(super) struct Other {
    pub diagnostic: Diagnostic,
    /// Whether it was never meant as one, by all that can be seen.
    pub is_foreign: bool,
    /// What it is instead, where that is known, in the words of [`super::detection`].
    pub word: Option<&'static str>,
}

/// Tells what a file of another program is, and how to make a transcript of it.
pub(super) fn to_import(found: &Found, text: &str) -> Other {
    let what = match found.format {
        Format::Qbit => "this is the log of a qbit session",
        Format::AgentLoom => "this is a recording of AgentLoom",
        Format::AgentLoomCalls => "these are the calls of a replay by AgentLoom",
        Format::AgentLoomResult => "this is the result of an AgentLoom workflow",
        Format::Http => "this is recorded HTTP",
        Format::Traces => "this is a log of traces of the OpenAI Agents SDK",
        Format::Fixtures => "these are fixtures of aimock",
        Format::ClaudeCode => "this is a session of Claude Code",
        Format::Codex => "this is a rollout of Codex",
        Format::Chat => "this is a chat log, a list of messages with `role` and `content`",
        Format::Responses => "these are items of OpenAI's Responses",
        Format::Anthropic => "this is a chat in the form of Anthropic's Messages",
        Format::Examples => "these are examples for training, a conversation each",
        Format::Trajectory => "this is a trajectory of harbor",
        Format::AiSdk => "these are messages of the AI SDK",
        Format::AiSdkDevtools => "this is what the devtools of the AI SDK write",
        Format::Otel => "these are spans of OpenTelemetry",
        Format::Inspect => "this is a log of Inspect AI",
        Format::LangSmith => "these are runs of LangSmith",
    };
    let help = match found.format {
        Format::Fixtures => {
            "make handlers of them with `transcript convert FILE --to handlers`, or with `importLog`"
        }
        Format::AgentLoomCalls | Format::AgentLoomResult => {
            "give it together with its recording: `transcript convert RECORDING FILE --to yaml`, or `importLog`"
        }
        // Also for a model that is asked to mend what it wrote.
        Format::Chat => {
            "write each message as a text: `- \"user: Hello!\"`; `transcript convert FILE --to yaml` does it, as does `importLog`"
        }
        _ => "make a transcript of it with `transcript convert FILE --to yaml`, or with `importLog`",
    };
    of_other(text, what, help, found.format.word())
}

/// Tells of a text that is a log, by its begin: it is no document, and reading it as one would find a fault in every line.
pub(super) fn of_lines(text: &str) -> Option<Other> {
    if let Some(found) = import::detect(text, None) {
        return Some(to_import(&found, text));
    }
    if !matches!(events::detect(text), Some(Shape::Lines | Shape::List)) {
        return None;
    }
    Some(of_events(text, "this is a log of the events of agents"))
}

fn of_events(text: &str, what: &str) -> Other {
    let help = "`transcript order FILE` tells their order, `transcript verify-determinism FILE` replays them";
    of_other(text, what, help, "event-log")
}

/// The finding stands at the begin of the first line.
fn of_other(text: &str, what: &str, help: &str, word: &'static str) -> Other {
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let line = text.get(start..).and_then(|text| text.lines().next()).unwrap_or("");
    let shown: usize = line.chars().take(80).map(char::len_utf8).sum();
    let span = Span::new(start, start + shown);
    let diagnostic = Diagnostic::new(codes::NOT_A_TRANSCRIPT, Severity::Error, span, what).help(help);
    Other { diagnostic, is_foreign: true, word: Some(word) }
}

/// Tells that a document is no transcript, and the key that was meant where one is misspelt.
pub(super) fn not_a_transcript(text: &str, root: &Node, kind: Kind) -> Other {
    if kind == Kind::Unknown && events::detect(text) == Some(Shape::Recording) {
        return of_events(
            text,
            "this holds the events of agents, under `_inter_agent_events`, and no answers",
        );
    }
    let first = root.entries().first().map_or(root.span, |entry| entry.key.span);
    let span = Span::new(first.start as usize, first.end.min(first.start.saturating_add(80)) as usize);
    let error =
        |span, message: &str| Diagnostic::new(codes::NOT_A_TRANSCRIPT, Severity::Error, span, message);
    if kind == Kind::ChatLog {
        let diagnostic = error(span, "this is a chat log, a list of messages with `role` and `content`")
            .help("write each message as a text: `- \"user: Hello!\"`");
        return Other { diagnostic, is_foreign: true, word: None };
    }
    if root.get("type").and_then(Node::as_str).is_some_and(|name| handler_type(name).is_some()) {
        let diagnostic = error(span, "this is a handler without the name of its agent")
            .help("put it under `handlers` and a name: `handlers: {bot: {type: ...}}`");
        return Other { diagnostic, is_foreign: false, word: None };
    }
    // A key that is spelt rightly is no slip: another program may have one of the same name.
    let mut others = root.entries().iter().filter(|entry| !KEYS.contains(&&*entry.key.text));
    match others.find_map(|entry| Some((entry, closest(&entry.key.text, KEYS)?))) {
        Some((entry, meant)) => Other {
            diagnostic: error(entry.key.span, "this is not a transcript: no key says so")
                .help(format!("did you mean `{meant}`?")),
            // Keys like `version` are in the files of many programs.
            is_foreign: meant == "version",
            word: None,
        },
        None => Other {
            diagnostic: error(span, "this is not a transcript").help(match text.trim_ascii() {
                // AgentLoom writes this when a run made no call that it records, such as a streamed one.
                "{}" => {
                    "a transcript has a list of `messages`, or `execution` with its turns; a recording of AgentLoom \
                     that has no answers looks like this"
                }
                _ => "a transcript has a list of `messages`, or `execution` with its turns",
            }),
            is_foreign: true,
            word: None,
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::view::{Document, Limits};

    fn is_foreign(text: &str) -> bool {
        Document::open(text, &Limits::default()).overview().foreign
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
            assert!(is_foreign(text), "{text}");
        }
    }

    #[test]
    fn what_can_be_imported_is_told_once_and_how() {
        for (text, word, message) in [
            (
                "{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"started\"}\n{\"_time",
                "qbit-log",
                "this is the log of a qbit session",
            ),
            (
                "{\"_version\": 2, \"a\": {\"content\": \"x\", \"usage\": {}}}",
                "agentloom-recording",
                "this is a recording of AgentLoom",
            ),
            (
                "{\"a\": [{\"content\": \"\", \"model\": \"m\"}]}",
                "agentloom-recording",
                "this is a recording of AgentLoom",
            ),
            (
                "{\"workflow_name\": \"w\", \"step_results\": {}, \"final_state\": {}}",
                "agentloom-result",
                "this is the result of an AgentLoom workflow",
            ),
            (
                "[{\"step_id\": null, \"messages\": [], \"matched\": true}]",
                "agentloom-calls",
                "these are the calls of a replay by AgentLoom",
            ),
            (
                "{\"event_id\": \"a\", \"parent_event_id\": null}\n{\"event_id\": \"b\", \"par",
                "event-log",
                "this is a log of the events of agents",
            ),
            (
                "[{\"event_id\": \"a\", \"parent_event_id\": null}]",
                "event-log",
                "this is a log of the events of agents",
            ),
            (
                "{\"_inter_agent_events\": [{\"event_id\": \"a\"}]}",
                "event-log",
                "this holds the events of agents, under `_inter_agent_events`, and no answers",
            ),
        ] {
            let document = Document::open(text, &Limits::default());
            let messages: Vec<&str> =
                document.diagnostics().iter().map(|found| found.message.as_str()).collect();
            assert_eq!(messages, [message], "{text}");
            assert!(document.overview().foreign && document.text() == text);
            assert_eq!(document.other(), Some(word), "{text}");
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
            assert!(!is_foreign(text), "{text}");
            assert_eq!(Document::open(text, &Limits::default()).other(), None, "{text}");
        }
    }
}
