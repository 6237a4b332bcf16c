//! Detects and reads chats.

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::{ChatKind, chats, classify_line, classify_lists, classify_root};
use crate::parse::Kind;
use crate::wire::Protocol;

/// Messages or requests of OpenAI's chat completions. It detects all kinds of chats.
pub(in super::super) static CHAT: Format = Format {
    kind: "chat-log",
    names: &["openai-chat", "chat", "chat-log"],
    title: "OpenAI Chat Completions",
    ..ANY
};

pub(in super::super) static CHAT_WORDS: Words = Words {
    run: "a chat",
    plural: "OpenAI, Anthropic and Gemini chats",
    sentence: "this is a chat log, a list of messages with `role` and `content`",
    // Also for a model that has to fix its own output.
    help: "convert it with `transcript convert FILE --to yaml` or `importLog`, or write each message as text: `- \"user: Hello!\"`",
    ..ANY_WORDS
};

/// Detection of files that another format of this folder detects.
pub(in super::super) static UNDETECTED: Detection = Detection::NONE;

pub(in super::super) static CHAT_DETECTION: Detection = Detection {
    keys: &["\"role\"", "\"call_id\""],
    known_by: &[&["messages", "role", "content"]],
    root_of: |root| classify_root(root).map(|kind| found(kind, false)),
    line_of: |value| classify_line(value).map(|kind| found(kind, true)),
    text_of: |text| classify_lists(text).map(|kind| found(kind, true)),
    ..Detection::NONE
};

/// Items or requests of OpenAI's Responses.
pub(in super::super) static RESPONSES: Format = Format {
    kind: "openai-responses",
    names: &["openai-responses", "responses"],
    title: "OpenAI Responses",
    ..ANY
};

pub(in super::super) static RESPONSES_WORDS: Words = Words {
    run: "an OpenAI Responses conversation",
    sentence: "these are OpenAI Responses items",
    ..ANY_WORDS
};

/// Messages or requests of Anthropic.
pub(in super::super) static ANTHROPIC: Format = Format {
    kind: "anthropic-messages",
    names: &["anthropic", "anthropic-messages"],
    title: "Anthropic Messages",
    ..ANY
};

pub(in super::super) static ANTHROPIC_WORDS: Words = Words {
    run: "an Anthropic Messages conversation",
    sentence: "this is an Anthropic Messages chat",
    ..ANY_WORDS
};

/// Examples for training, one conversation each.
pub(in super::super) static EXAMPLES: Format =
    Format { kind: "fine-tuning", names: &["fine-tuning"], title: "Fine-tuning examples", ..ANY };

pub(in super::super) static EXAMPLES_WORDS: Words = Words {
    run: "a training example",
    sentence: "these are training examples, one conversation each",
    unit: "examples",
    ..ANY_WORDS
};

/// Contents or requests of Gemini, and chats of AI Studio.
pub(in super::super) static GEMINI: Format = Format {
    kind: "gemini-contents",
    names: &["gemini", "gemini-contents"],
    title: "Gemini API, AI Studio",
    ..ANY
};

pub(in super::super) static GEMINI_WORDS: Words =
    Words { run: "a Gemini chat", sentence: "this is a Gemini chat", ..ANY_WORDS };

const ANY: Format = Format {
    rank: 200,
    is_by_lines: true,
    may_be: |kind| matches!(kind, Kind::ChatLog | Kind::Unknown),
    ..Format::BASE
};

const ANY_WORDS: Words =
    Words { entry: ("message or request", "messages and requests"), unit: "messages", ..Words::BASE };

fn found(kind: ChatKind, is_lines: bool) -> Found {
    match kind {
        ChatKind::Examples if is_lines => {
            Found::certain(&EXAMPLES, "its lines have `messages`, like training examples")
        }
        ChatKind::Examples => Found::certain(&EXAMPLES, "it has a conversation like training examples"),
        ChatKind::Of(Protocol::Responses) => Found::certain(&RESPONSES, "it has items like OpenAI Responses"),
        ChatKind::Of(Protocol::Anthropic) => {
            Found::certain(&ANTHROPIC, "it has `system`, tools or blocks like Anthropic Messages")
        }
        ChatKind::Of(Protocol::Gemini) => {
            Found::certain(&GEMINI, "it has `parts` or `chunks` like Gemini chats")
        }
        ChatKind::Of(_) => Found::certain(&CHAT, "every message is a map with a `role`, as in chat APIs"),
    }
}

pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let mut read = chats(&request.file());
    Ok(Runs::new(request, read.conversations.clone(), move |chosen| read.imported(chosen)))
}

pub(in super::super) static RESPONSES_DETECTION: Detection =
    Detection { known_by: &[&["input", "output", "type"]], ..Detection::NONE };

pub(in super::super) static ANTHROPIC_DETECTION: Detection =
    Detection { known_by: &[&["messages", "role", "content", "max_tokens"]], ..Detection::NONE };
