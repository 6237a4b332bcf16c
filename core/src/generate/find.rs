//! The document in a model's reply.

use super::bare::{self, Bare};
use super::fences::blocks;
use super::refusal::declines;
use crate::parse::{Data, Kind, Limits, detect, parse};
use crate::text::sort_by_key;

/// How a model ended its reply, as its endpoint reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ended {
    /// Unknown, as for a pasted reply.
    #[default]
    Unknown,
    /// By itself.
    Stop,
    /// It was cut off at a number of tokens.
    Length,
    /// It declined, or a filter stopped it.
    Refused,
}

/// A text in a reply that may be the transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The text, unchanged from the reply.
    pub text: String,
    /// Whether it is complete.
    pub whole: bool,
}

/// Why a reply has no candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// It is empty.
    Empty,
    /// It declines.
    Refused,
    /// It was cut off before a document began.
    Truncated,
    /// It has words, and no document among them.
    NoDocument,
}

/// The content of a reply: candidates, the likeliest first, or why there is none.
pub type Found = Result<Vec<Candidate>, NotFound>;

/// How like a transcript a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// Data of another kind, marked as YAML or JSON.
    Data,
    /// The messages of a chat.
    Chat,
    /// A transcript that cannot be read as a whole.
    Broken,
    /// A transcript.
    Transcript,
}

/// Finds the transcript in a reply: in a fence of any name, or in YAML or JSON between prose. The model's
/// reasoning before its answer (`<think>`) is skipped. Of several transcripts, readable ones come first, and
/// later ones before earlier ones.
///
/// # Errors
/// Why there is none.
///
/// ```
/// use transcript_core::generate::{Ended, NotFound, find};
/// use transcript_core::parse::Limits;
/// let of = |reply: &str| find(reply, Ended::Unknown, &Limits::default());
/// let found = of("Here it is:\n```yaml\nmessages: ['user: Hi', 'assistant: Hello!']\n```\nAnything else?").unwrap();
/// assert_eq!((found[0].text.as_str(), found[0].whole), ("messages: ['user: Hi', 'assistant: Hello!']\n", true));
/// assert_eq!(of("I'm sorry, I can't help with that."), Err(NotFound::Refused));
/// ```
pub fn find(reply: &str, ended: Ended, limits: &Limits) -> Found {
    let reply = reply.trim_start_matches('\u{feff}');
    let Some(answer) = after_thoughts(reply) else { return Err(NotFound::Truncated) };
    let mut found: Vec<(Likeness, (usize, usize), Candidate)> = Vec::new();
    let mut fenced: Vec<(usize, usize)> = Vec::new();
    for block in blocks(answer) {
        fenced.push(block.lines);
        let is_data = matches!(block.info.as_str(), "yaml" | "yml" | "json" | "jsonc" | "json5");
        let Some(likeness) = likeness(&block.body, is_data, limits) else { continue };
        // A fence that is not closed ends where a model stopped by itself, and else where it was stopped.
        let whole = block.closed || ended == Ended::Stop && bare_end(&block.body);
        found.push((likeness, block.lines, Candidate { text: block.body, whole }));
    }
    for bare in [bare::json(answer), bare::yaml(answer)].into_iter().flatten() {
        let Bare { body, lines, cut } = bare;
        if fenced.iter().any(|fence| fence.0 <= lines.0 && lines.0 < fence.1) {
            continue;
        }
        let Some(likeness) = likeness(body, false, limits) else { continue };
        let is_json = body.starts_with(['{', '[']);
        let whole = !cut && (ended != Ended::Length || is_json);
        found.push((likeness, lines, Candidate { text: ended_by_line(body), whole }));
    }
    // The likeliest first, then complete ones, then later ones; for one begin, the likeliest end first.
    sort_by_key(&mut found, |(likeness, lines, candidate)| {
        std::cmp::Reverse((*likeness, candidate.whole, lines.0))
    });
    let candidates: Vec<Candidate> = found.into_iter().map(|(_, _, candidate)| candidate).collect();
    match candidates.is_empty() {
        false => Ok(candidates),
        true if ended == Ended::Refused => Err(NotFound::Refused),
        true if ended == Ended::Length => Err(NotFound::Truncated),
        true if answer.trim().is_empty() => Err(NotFound::Empty),
        true if declines(answer) => Err(NotFound::Refused),
        true => Err(NotFound::NoDocument),
    }
}

/// The part of a reply after the model's reasoning; `None` when there is nothing else.
fn after_thoughts(reply: &str) -> Option<&str> {
    let begin = reply.trim_start();
    for (open, close) in
        [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>")]
    {
        if let Some(rest) = begin.strip_prefix(open) {
            return rest.split_once(close).map(|(_, answer)| answer);
        }
    }
    Some(reply)
}

/// Whether JSON has all its brackets; for anything else this is unknown.
fn bare_end(body: &str) -> bool {
    let body = body.trim();
    !body.starts_with(['{', '[']) || bare::closing(body).is_some()
}

fn ended_by_line(body: &str) -> String {
    let body = body.trim_end();
    format!("{body}\n")
}

/// `None` when it is no document of any kind; `is_data` means that it is marked as data.
fn likeness(body: &str, is_data: bool, limits: &Limits) -> Option<Likeness> {
    let parsed = parse(body, limits);
    let kind = parsed.root.as_ref().map_or(Kind::Unknown, detect);
    match kind {
        Kind::Full | Kind::Partial | Kind::Compact if parsed.well_formed => Some(Likeness::Transcript),
        Kind::Full | Kind::Partial | Kind::Compact => Some(Likeness::Broken),
        Kind::ChatLog => Some(Likeness::Chat),
        Kind::Handlers => Some(Likeness::Data),
        Kind::Unknown if has_messages(body) && !parsed.well_formed => Some(Likeness::Broken),
        Kind::Unknown => {
            let is_map =
                parsed.root.as_ref().is_some_and(|root| matches!(root.data, Data::Map(_) | Data::Seq(_)));
            (is_data && (is_map || !parsed.well_formed)).then_some(Likeness::Data)
        }
    }
}

/// Whether a text that cannot be read has a line with a key of messages.
fn has_messages(body: &str) -> bool {
    body.lines().any(|line| {
        let line = line.trim_start().trim_start_matches(['"', '\'']);
        line.starts_with("messages") || line.starts_with("execution")
    })
}
