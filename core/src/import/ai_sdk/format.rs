//! Detects and reads messages and devtools of the AI SDK.

use serde_json::Value;

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::{ai_sdk_chats, devtools, recognized_by};
use crate::parse::{Kind, Node};

pub(in super::super) static FORMAT: Format = Format {
    kind: "ai-sdk-messages",
    names: &["ai-sdk", "vercel", "ai-sdk-messages"],
    title: "AI SDK",
    rank: 60,
    // It has `messages`, as a compact transcript has.
    may_be: |kind| matches!(kind, Kind::Unknown | Kind::Compact | Kind::ChatLog),
    ..Format::BASE
};

pub(in super::super) static WORDS: Words = Words {
    run: "an AI SDK chat",
    entry: ("message", "messages"),
    nouns: ("file has", "chat"),
    plural: "AI SDK messages and DevTools logs",
    sentence: "these are AI SDK messages",
    unit: "messages",
    ..Words::BASE
};

pub(in super::super) static DETECTION: Detection = Detection {
    keys: &["\"parts\"", "\"toolInvocations\"", "\"toolCallId\""],
    known_by: &[&["messages", "role", "parts"]],
    entry_of,
    root_of,
    ..Detection::NONE
};

/// The files of the devtools.
pub(in super::super) static DEVTOOLS: Format = Format {
    kind: "ai-sdk-devtools",
    names: &["ai-sdk-devtools", "devtools"],
    title: "AI SDK DevTools",
    rank: 45,
    ..Format::BASE
};

pub(in super::super) static DEVTOOLS_WORDS: Words = Words {
    run: "an AI SDK run",
    entry: ("call", "calls"),
    nouns: ("log has", "trace"),
    sentence: "this is an AI SDK DevTools log",
    unit: "calls",
    ..Words::BASE
};

pub(in super::super) static DEVTOOLS_DETECTION: Detection = Detection {
    keys: &["\"step_number\""],
    known_by: &[&["runs", "steps", "run_id"]],
    root_of: root_of_devtools,
    ..Detection::NONE
};

/// How many messages of a chat are examined.
const EXAMINED: usize = 32;

fn entry_of(value: &Value, is_first: bool) -> Option<Found> {
    if let Some(what) = recognized_by(value) {
        let which = if is_first { "first entry" } else { "entry" };
        return Some(Found::certain(&FORMAT, &format!("its {which} {what}")));
    }
    let messages = value.get("messages")?.as_array()?;
    let what = messages.iter().take(EXAMINED).find_map(recognized_by)?;
    Some(Found::certain(&FORMAT, &format!("it has `messages`, and one {what}")))
}

fn root_of(root: &Node) -> Option<Found> {
    let (list, whole) = match root.get("messages") {
        Some(messages) => (messages.items(), "it has `messages`, and one"),
        None => (root.items(), "one of its entries"),
    };
    let what = list.iter().take(EXAMINED).find_map(|message| recognized_by(&message.to_value()))?;
    Some(Found::certain(&FORMAT, &format!("{whole} {what}")))
}

fn root_of_devtools(root: &Node) -> Option<Found> {
    root.get("runs")?;
    let is_so = root.get("steps")?.items().iter().any(devtools::is_step);
    let reason = "it has `runs` and `steps` with `run_id`, like AI SDK DevTools logs";
    is_so.then(|| Found::certain(&DEVTOOLS, reason))
}

pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let mut read = ai_sdk_chats(&request.file());
    Ok(Runs::new(request, read.chats.clone(), move |chosen| read.imported(chosen)))
}

pub(in super::super) fn read_devtools<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    Ok(devtools::ai_sdk_devtools(&request.file()).into_runs(request))
}
