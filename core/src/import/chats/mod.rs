//! Conversations in the vendors' formats: lists of messages, requests with or without their answers, answers
//! alone, and examples for training; in the form of OpenAI's chat completions and Responses, of Anthropic's
//! Messages and of Gemini.
//!
//! A list of messages is one conversation. Several lists or requests are one conversation each, unless one
//! continues an earlier one; several examples are always one each.

mod agentdojo;
mod format;
mod gemini;
mod read;
mod shape;
mod step_builder;

use serde_json::Value;

use super::conversation::{self, Conversation, Exchange};
use super::files::{LogFile, run_name};
use super::keys::text;
use super::preview;
use super::records::Records;
use super::repair::Tree;
use super::report::Imported;
use super::steps::build_conversation;
use super::threads::threads;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::{self, Data, Kind, Node};
use crate::text::Set;
use crate::wire::Protocol;
use crate::write::Entries;
pub(super) use format::{
    ANTHROPIC, ANTHROPIC_DETECTION, ANTHROPIC_WORDS, CHAT, CHAT_DETECTION, CHAT_WORDS, EXAMPLES,
    EXAMPLES_WORDS, GEMINI, GEMINI_WORDS, RESPONSES, RESPONSES_DETECTION, RESPONSES_WORDS, UNDETECTED, read,
};
use read::Source;
use shape::{RequestRecord, Shape};

/// A file of conversations, read.
#[derive(Debug)]
pub(super) struct Chats<'t> {
    /// The names of the conversations in it, each with the first words of the user.
    pub conversations: Vec<(String, String)>,
    file: LogFile<'t>,
    /// `None` for those that were imported.
    all: Vec<Option<ChatUnit>>,
    exchanges: Vec<Option<Exchange>>,
    /// The lines of calls that are in the file already.
    again: Vec<u32>,
    unrecognized: Vec<Source>,
    log: Records,
}

#[derive(Debug)]
enum ChatUnit {
    /// The messages of a list in the form of one protocol, and the lines of repeated ones.
    List(Protocol, Vec<Source>, Vec<u32>),
    /// A request in an entry of its own, and the lines of those that it continues.
    RequestRecord(Box<RequestRecord>, Source, Vec<u32>),
    /// Model calls with their answers, by index.
    Calls(Protocol, Vec<usize>),
}

/// Reads the conversations of a file.
///
/// ```
/// use transcript_core::import::{LogFile, read_as};
/// let text = r#"[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]"#;
/// let read = read_as("openai-chat", &[LogFile { path: "chat.json", text }]).unwrap();
/// assert_eq!(read.names, [("conversation-1".to_owned(), "Hi".to_owned())]);
/// assert_eq!(read.imported(Some(0)).transcript["execution"][0]["llm_response"]["content"], "Hello!");
/// ```
pub(super) fn chats<'t>(file: &LogFile<'t>) -> Chats<'t> {
    let (sources, mut log) = read::sources(file);
    let mut all: Vec<ChatUnit> = Vec::new();
    let mut lists: Vec<(usize, Vec<Source>)> = Vec::new();
    let (mut seen, mut again): (Set<String>, Vec<Source>) = (Set::new(), Vec::new());
    let mut exchanges: Vec<Exchange> = Vec::new();
    let mut protocols: Vec<Protocol> = Vec::new();
    let mut unrecognized = Vec::new();
    for mut source in sources {
        match shape::classify(&source.value) {
            Some(Shape::Message) => match lists.last_mut() {
                Some((list, messages)) if *list == source.list => messages.push(source),
                _ => lists.push((source.list, vec![source])),
            },
            Some(Shape::RequestRecord(whole)) if whole.response.is_some() || whole.error.is_some() => {
                // No vendor gives two answers one id.
                let is_named = whole.response.as_ref().is_some_and(|response| response.get("id").is_some());
                if is_named && !seen.insert(source.value.to_string()) {
                    again.push(source);
                    continue;
                }
                protocols.push(whole.protocol);
                exchanges.push(step_builder::exchange(*whole, &source));
            }
            // It is kept as text and reported; the run ends with the answer before it.
            Some(Shape::RequestRecord(whole))
                if log.report.lost.iter().any(|lost| lost.line == source.line)
                    && goes_on_with_call(&whole, &exchanges) => {}
            Some(Shape::RequestRecord(whole)) => {
                // Its content is taken over by now.
                source.value = Value::Null;
                let known = all.iter_mut().rev().take(COMPARED).find_map(|one| match one {
                    ChatUnit::RequestRecord(before, place, lines) if goes_on(before, &whole) => {
                        Some((before, place, lines))
                    }
                    _ => None,
                });
                match known {
                    Some((before, place, lines)) => {
                        lines.push(place.line);
                        (**before, *place) = (*whole, source);
                    }
                    None => all.push(ChatUnit::RequestRecord(whole, source, Vec::new())),
                }
            }
            None => unrecognized.push(source),
        }
    }
    for source in &unrecognized {
        let message = "this is neither a message nor a request; it is kept in `metadata`";
        log.diagnostics.push(Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, source.span, message));
    }
    if let Some(first) = again.first() {
        let message = match again.len() {
            1 => "this call is a duplicate".to_owned(),
            2 => "this call and one more are duplicates".to_owned(),
            count => format!("this call and {} more are duplicates", count - 1),
        };
        let note = Diagnostic::new(codes::LOG_ENTRY, Severity::Info, first.span, message);
        log.diagnostics.push(note.help("it is read once"));
    }
    for members in threads(&mut exchanges) {
        let first = members.first().and_then(|at| protocols.get(*at)).copied();
        all.push(ChatUnit::Calls(first.unwrap_or(Protocol::Chat), members));
    }
    for (messages, again) in histories(lists) {
        let values: Vec<&Value> = messages.iter().map(|source| &source.value).collect();
        all.push(ChatUnit::List(shape::protocol_of_messages(&values), messages, again));
    }
    let conversations = all.iter().enumerate().map(|(at, one)| {
        let words = match one {
            ChatUnit::List(_, sources, _) => preview::from_values(sources.iter().map(|source| &source.value)),
            ChatUnit::RequestRecord(whole, ..) => preview::from_values(step_builder::items(whole).iter()),
            ChatUnit::Calls(_, members) => {
                let first = members.first().and_then(|at| exchanges.get(*at));
                first.map(|first| preview::from_messages(&first.request.messages)).unwrap_or_default()
            }
        };
        (format!("conversation-{}", at + 1), words)
    });
    Chats {
        conversations: conversations.collect(),
        file: *file,
        all: all.into_iter().map(Some).collect(),
        exchanges: exchanges.into_iter().map(Some).collect(),
        again: again.into_iter().map(|source| source.line).collect(),
        unrecognized,
        log,
    }
}

/// The most conversations that a request or a list is compared with.
const COMPARED: usize = 16;

/// The messages of lists, each with the lines of repeated ones. A list that begins with all of an earlier one
/// continues it.
fn histories(lists: Vec<(usize, Vec<Source>)>) -> Vec<(Vec<Source>, Vec<u32>)> {
    let mut out: Vec<(Vec<Source>, Vec<u32>)> = Vec::new();
    for (_, mut new) in lists {
        let begins = |old: &[Source]| {
            old.len() <= new.len() && old.iter().zip(&new).all(|(old, new)| old.value == new.value)
        };
        match out.iter_mut().rev().take(COMPARED).find(|(old, _)| begins(old)) {
            Some((old, again)) => {
                again.extend(new.drain(..old.len()).map(|source| source.line));
                old.append(&mut new);
            }
            None => out.push((new, Vec::new())),
        }
    }
    out
}

/// Whether a request with a truncated answer continues with a call.
fn goes_on_with_call(whole: &RequestRecord, exchanges: &[Exchange]) -> bool {
    let Some(request) = whole.request.as_ref().and_then(|request| whole.protocol.parse_request(request))
    else {
        return false;
    };
    let keys: Vec<String> = request.messages.iter().map(conversation::message_key).collect();
    exchanges.iter().rev().take(COMPARED).any(|call| {
        let known = &call.request.messages;
        !known.is_empty()
            && known.len() <= keys.len()
            && known.iter().zip(&keys).all(|(known, key)| conversation::message_key(known) == *key)
    })
}

/// Whether a request continues an earlier one: it begins with what that one was sent, or repeats it. An
/// example does not.
fn goes_on(before: &RequestRecord, next: &RequestRecord) -> bool {
    let (old, new) = (step_builder::items(before), step_builder::items(next));
    let has_model =
        |whole: &RequestRecord| whole.request.as_ref().is_some_and(|request| request.get("model").is_some());
    has_model(before)
        && has_model(next)
        && before.protocol == next.protocol
        && new.starts_with(old)
        && (old.len() < new.len() || before.request == next.request)
}

impl Chats<'_> {
    /// One of the conversations as a transcript; each is imported once.
    pub(super) fn imported(&mut self, chosen: Option<usize>) -> Imported {
        let Self { conversations, file, all, exchanges, again, unrecognized, log } = self;
        let mut log = log.clone();
        let one = chosen.and_then(|at| all.get_mut(at)?.take());
        let mut own = Entries::default();
        let (mut entries, mut format) = (0, None);
        let conversation = match one {
            None => Conversation::default(),
            Some(ChatUnit::List(protocol, sources, again)) => {
                format = Some(protocol);
                entries += sources.len() + again.len();
                log.report.streamed.extend(again);
                let mut step_builder = step_builder::StepBuilder::new(protocol);
                for source in sources {
                    match step_builder.add_item(&source.value, source.line, source.span) {
                        true => log.mark_used(source.line),
                        false => {
                            let kind = super::items::kind(&source.value).to_owned();
                            log.keep_value(source.line, &kind, source.value);
                        }
                    }
                }
                build_conversation(step_builder.into_steps(None), &mut log)
            }
            Some(ChatUnit::RequestRecord(whole, source, lines)) => {
                format = Some(whole.protocol);
                entries += 1 + lines.len();
                log.mark_used(source.line);
                log.report.streamed.extend(lines);
                let (steps, about) =
                    step_builder::record_steps(*whole, &source, file.text, &mut log.diagnostics);
                own.0.extend(about);
                build_conversation(steps, &mut log)
            }
            Some(ChatUnit::Calls(protocol, members)) => {
                format = Some(protocol);
                entries += members.len();
                let mut conversation = Conversation::default();
                for at in members {
                    let Some(mut exchange) = exchanges.get_mut(at).and_then(Option::take) else { continue };
                    exchange.lane = 0;
                    log.mark_used(exchange.line);
                    conversation.add_exchange(exchange);
                }
                log.diagnostics.extend(conversation.finish("no message", "this one"));
                conversation
            }
        };
        entries += unrecognized.len() + again.len();
        log.report.streamed.extend_from_slice(again);
        for Source { value, line, .. } in unrecognized {
            let kind = text(value, "type").unwrap_or_default().to_owned();
            log.keep_value(*line, &kind, value.clone());
        }
        log.report.entries = entries;
        let several = chosen.filter(|_| conversations.len() > 1);
        own.put("conversation", several.map(|at| Value::from(at + 1)));
        let run = several.and_then(|at| conversations.get(at)).map(|(name, _)| name.as_str());
        let name = run_name(file.path, run);
        let metadata = log.metadata(name, None, format.map_or("", Protocol::word), own);
        log.imported(conversation.transcript(metadata))
    }
}

/// The kind of a file of chats, by its tree or one of its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChatKind {
    Of(Protocol),
    Examples,
}

/// Detects the kind of a line by its keys.
fn classify_line(value: &Value) -> Option<ChatKind> {
    match shape::classify(value)? {
        Shape::Message => Some(ChatKind::Of(shape::protocol_of_messages(&[value]))),
        Shape::RequestRecord(whole) if whole.is_example => Some(ChatKind::Examples),
        Shape::RequestRecord(whole) => {
            let is_body = whole.request.as_ref() == Some(value);
            let is_set_up = ["model", "system", "max_tokens", "custom_id", "generationConfig"]
                .iter()
                .any(|key| value.get(key).is_some());
            Some(match is_body && !is_set_up {
                true => ChatKind::Examples,
                false => ChatKind::Of(whole.protocol),
            })
        }
    }
}

/// Detects the kind of a file by its tree.
fn classify_root(root: &Node) -> Option<ChatKind> {
    const KEYS: [&str; 12] = [
        "messages",
        "input",
        "choices",
        "content",
        "output",
        "body",
        "request",
        "response",
        "params",
        "contents",
        "candidates",
        "chunkedPrompt",
    ];
    if !matches!(parse::detect(root), Kind::ChatLog | Kind::Unknown) {
        return None;
    }
    match &root.data {
        Data::Seq(items) => {
            // Of a long list, as many spread over its length.
            let step = items.len().div_ceil(LOOKED_AT).max(1);
            let values: Vec<Value> = items.iter().step_by(step).map(Node::to_value).collect();
            let is_message = |value: &Value| matches!(shape::classify(value), Some(Shape::Message));
            let is_request = |value: &Value| matches!(shape::classify(value), Some(Shape::RequestRecord(_)));
            if shape::nearly_all(&values, is_message) {
                let all: Vec<&Value> = values.iter().filter(|value| is_message(value)).collect();
                return Some(ChatKind::Of(shape::protocol_of_messages(&all)));
            }
            if shape::nearly_all(&values, is_request) {
                return values.iter().find_map(classify_line);
            }
            // Lists of messages; each is a conversation.
            let lists = values.iter().map(|list| list.as_array().map(Vec::as_slice));
            let lists: Vec<&[Value]> = lists.collect::<Option<_>>()?;
            let is_one = |list: &&[Value]| !list.is_empty() && list.iter().all(is_message);
            let all: Vec<&Value> = lists.iter().find(|list| is_one(list))?.iter().collect();
            lists
                .iter()
                .all(|list| list.is_empty() || list.iter().any(is_message))
                .then(|| ChatKind::Of(shape::protocol_of_messages(&all)))
        }
        Data::Map(_) if KEYS.iter().any(|key| root.get(key).is_some()) => {
            let value = root.to_value();
            match shape::classify(&value)? {
                // A single message is no chat file, and a whole example is a request as well.
                Shape::Message => None,
                Shape::RequestRecord(whole) if whole.is_example => Some(ChatKind::Examples),
                Shape::RequestRecord(whole) => Some(ChatKind::Of(whole.protocol)),
            }
        }
        _ => None,
    }
}

/// Detects the kind of a file with a list of messages on each line by the first complete one.
fn classify_lists(text: &str) -> Option<ChatKind> {
    let mut lines = text.trim_start_matches('\u{feff}').lines().filter(|line| !line.trim().is_empty());
    let (first, second) = (lines.next()?, lines.next()?);
    if !first.starts_with('[') || !second.starts_with('[') {
        return None;
    }
    let lists =
        [first, second].into_iter().chain(lines.take(LOOKED_AT)).filter(|line| line.starts_with("[{"));
    lists
        .map(|line| Tree::read(line.trim_end().trim_end_matches(','), 0))
        .find_map(|tree| classify_root(&tree.placed().filter(|_| tree.is_whole)?))
}

/// How many entries of a list are examined.
const LOOKED_AT: usize = 64;
