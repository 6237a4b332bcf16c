//! Transcripts that a language model writes. Nothing here calls one.

use serde_json::{Value, json};
use transcript_core::view::{generation_prompt, generation_repair, generation_reply};

use super::asked::{Asked, data};

/// Takes `wanted`, a map of what is wanted; the text is the description.
pub(super) fn prompt(asked: &mut Asked<'_>) -> Result<Value, String> {
    let wanted = asked.take("wanted");
    match asked.text() {
        Ok(description) => generation_prompt(description, &wanted),
        Err(_) => Err("the description is no text, or is too large".to_owned()),
    }
}

/// Takes `state` and `finish`; the text is the reply.
pub(super) fn reply(asked: &mut Asked<'_>) -> Result<Value, String> {
    let (state, finish) = (asked.take("state"), asked.word("finish"));
    match asked.text() {
        Ok(reply) => Ok(data(&generation_reply(&state, reply, &finish, &asked.options)?)),
        Err(_) => Err("the reply is no text, or is too large".to_owned()),
    }
}

/// Takes `state` and `finish`; the text is the reply.
pub(super) fn repair(asked: &mut Asked<'_>) -> Result<Value, String> {
    let (state, finish) = (asked.take("state"), asked.word("finish"));
    match asked.text() {
        Ok(reply) => Ok(json!({ "next": generation_repair(&state, reply, &finish, &asked.options)? })),
        Err(_) => Err("the reply is no text, or is too large".to_owned()),
    }
}
