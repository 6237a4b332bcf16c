//! Transcripts that a language model writes. Nothing here calls one.

use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::view::{NextPrompt, assess_response, generation_prompt, generation_repair};

use super::input::{OperationInput, data};

/// Takes `wanted`, a map of what is wanted; the text is the description.
pub(super) fn prompt(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let wanted = input.take("wanted");
    match input.text() {
        Ok(description) => generation_prompt(description, &wanted),
        Err(_) => Err("the description is not a string, or is too large".into()),
    }
}

/// Takes `state` and `finish`; the text is the response.
pub(super) fn response(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let (state, finish) = (input.take("state"), input.word("finish"));
    match input.text() {
        Ok(response) => Ok(data(&assess_response(&state, response, &finish, &input.options)?)),
        Err(_) => Err("the response is not a string, or is too large".into()),
    }
}

/// Takes `state` and `finish`; the text is the response.
pub(super) fn repair(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let (state, finish) = (input.take("state"), input.word("finish"));
    match input.text() {
        Ok(response) => {
            Ok(data(&NextPrompt { next: generation_repair(&state, response, &finish, &input.options)? }))
        }
        Err(_) => Err("the response is not a string, or is too large".into()),
    }
}
