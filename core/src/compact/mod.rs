//! Converts a transcript to the compact form, and reports what that cannot express.
//!
//! Losses are found by experiment: the compact text is written, read and expanded again, and its data
//! compared with that of the transcript. Every difference is a loss.

mod compare;
mod defaults;
mod item;
mod item_writer;
mod loss;
mod pieces;

use serde_json::{Map, Value};

pub(crate) use self::item::call as call_text;
use self::item_writer::ItemWriter;
pub use self::loss::{Loss, LossKind};
pub(crate) use self::loss::{Owner, summary};
use crate::expand;
use crate::model::{Assertion, COMPACT, Shape, TRANSCRIPT, Transcript};
use crate::parse::{self, Limits, Node};
use crate::text::JsonMap;
use crate::write;

/// A transcript in the compact form.
#[derive(Clone, Debug)]
pub struct Compacted {
    /// The compact document as YAML. It lacks the reported losses.
    pub text: String,
    /// What the text lacks or expresses differently, in the order of the full form.
    pub losses: Vec<Loss>,
}

impl Compacted {
    /// The losses in few lines, one for each kind.
    ///
    /// ```
    /// use transcript_core::{compact, model::Transcript};
    /// assert!(compact::compact(&Transcript::default(), None).summary().is_empty());
    /// ```
    #[must_use]
    pub fn summary(&self) -> Vec<String> {
        loss::summary(&self.losses)
    }
}

/// Whether a key of the top level means something in a compact document that it does not mean in a full one.
fn is_head(key: &str) -> bool {
    !is_carried(key) && !matches!(key, "version" | "messages") && has(&COMPACT, key)
}

fn has(shape: &Shape, key: &str) -> bool {
    shape.fields().iter().any(|field| field.name == key)
}

/// Writes a transcript in the compact form.
///
/// `source` is the tree of the full or partial document that `transcript` was read from; without it, the
/// transcript counts as the expansion of a compact one. The cost is that of writing, reading and expanding
/// the compact text once, and grows with the size of the document.
///
/// Losses name values by their path in the full form; their spans lie in the source.
///
/// ```
/// use transcript_core::{compact, parse};
/// let text = "version: '1.0'\nexecution: []\ninitial_state: {message_store: [{role: user, content: Hi, ulid: 01H}]}";
/// let root = parse::parse(text, &parse::Limits::default()).root.unwrap();
/// let transcript = parse::read::transcript(&root, parse::read::Fill::Nothing);
/// let compacted = compact::compact(&transcript, Some(&root));
/// assert_eq!(compacted.text, "messages:\n  - \"user: Hi\"\n");
/// assert_eq!(compacted.losses[0].message, "the `ulid` of message `msg_001`");
/// assert_eq!(compacted.losses[0].path, "initial_state.message_store[0].ulid");
/// ```
#[must_use]
pub fn compact(transcript: &Transcript, source: Option<&Node>) -> Compacted {
    // The output is no larger than the input, which was within the limits of the caller.
    let limits = Limits { bytes: usize::MAX, depth: 400, ..Limits::default() };
    let mut pen = ItemWriter::new(transcript, &limits);
    for message in &transcript.initial {
        pen.initial(message);
    }
    for turn in &transcript.turns {
        pen.turn(turn);
    }
    let mut document = head(transcript);
    let extra = source.map_or_else(|| transcript.extra.clone(), carried_over_keys);
    let written = std::mem::take(&mut pen.items);
    document.put("messages", Value::Array(written));
    let is_about_left_out = |assertion: &Assertion| {
        assertion.data.get("message").and_then(Value::as_str).is_some_and(|id| pen.is_left_out(id))
    };
    let assertions: Vec<Value> = transcript
        .end
        .iter()
        .flat_map(|end| &end.assertions)
        .filter(|assertion| !is_about_left_out(assertion))
        .map(|assertion| Value::Object(assertion.data.clone()))
        .collect();
    if !assertions.is_empty() {
        document.put("assertions", Value::Array(assertions));
    }
    document.extend(extra);
    let text = write::yaml(&Value::Object(document));
    let losses = match parse::parse(&text, &limits).root {
        Some(root) => {
            let (rebuilt, _) = expand::compact(&text, &root, &limits);
            pieces::losses(transcript, source, &pen.origins, &rebuilt)
        }
        None => vec![Loss::whole("", crate::text::Span::empty(0), loss::Owner::Document)],
    };
    Compacted { text, losses }
}

/// The keys before `messages`.
fn head(transcript: &Transcript) -> Map<String, Value> {
    let mut out = Map::new();
    let from = |map: &Map<String, Value>, keys: &[&str], out: &mut Map<String, Value>| {
        for key in keys {
            if let Some(value) = map.get(*key).filter(|value| !value.is_null()) {
                out.put(key, value.clone());
            }
        }
    };
    from(&transcript.metadata, &["name", "description", "tags", "author", "created"], &mut out);
    from(&transcript.config, &["model", "temperature", "max_tokens", "tools"], &mut out);
    if !transcript.context.is_empty() {
        out.put("context", Value::Object(transcript.context.clone()));
    }
    out
}

/// The top-level keys of a full document that a compact one has unchanged.
fn carried_over_keys(source: &Node) -> Map<String, Value> {
    let entries = source.entries().iter().filter(|entry| is_carried(&entry.key.text));
    entries.map(|entry| (entry.key.text.to_string(), entry.value.to_value())).collect()
}

/// Whether both forms have a top-level key with the same meaning: both tables have it, or none, and it is
/// no part of the metadata, which a compact document has at its top.
fn is_carried(key: &str) -> bool {
    let metadata = TRANSCRIPT.fields().iter().find(|field| field.name == "metadata");
    let is_part =
        matches!(key, "version" | "messages") || metadata.is_some_and(|field| has(field.shape, key));
    !is_part && has(&TRANSCRIPT, key) == has(&COMPACT, key)
}
