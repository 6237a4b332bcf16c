//! Texts with a special meaning: roles, types of turns, and the like.

use super::shape::{NamedValue, Shape, value};

/// The five roles. [`super::ROLES`] has only their names.
pub(super) static ROLE: Shape = Shape::OneOf(ROLE_WORDS);

/// A role at a place without a rule for it.
pub(super) static USUAL_ROLE: Shape = Shape::Known(ROLE_WORDS);

static ROLE_WORDS: &[NamedValue] = &[
    value("system", "Instructions for the model."),
    value("developer", "Instructions for newer models."),
    value("user", "A user message."),
    value("assistant", "A model message, with its tool calls."),
    value("tool", "A tool result; `tool_call_id` refers to its call."),
];

pub(super) static TURN_TYPE: Shape = Shape::OneOf(&[
    value("llm_call", "A model call, with `messages_sent_to_llm`, `llm_response`, `message_created`."),
    value("tool_call", "A tool call, with `tool_call` and `message_created`."),
    value("message", "A message during the run, with only `message_created`."),
]);

pub(super) static VISIBLE_WORD: Shape = Shape::OneOf(&[value(
    "visible",
    "All visible messages in the order of the store; used in long runs instead of lists.",
)]);

pub(super) static CALL_TYPE: Shape =
    Shape::Known(&[value("function", "A function call, the only type of chat APIs.")]);

pub(super) static FINISH: Shape = Shape::Known(&[
    value("stop", "The response is complete."),
    value("tool_calls", "The model calls tools and waits for their results."),
    value("length", "The response was cut off at the token limit."),
    value("content_filter", "The provider filtered the response or a part of it."),
]);

pub(super) static AUTHOR: Shape = Shape::Known(&[
    value("developer", "Written or recorded by a person."),
    value("llm-generated", "Written by a model."),
]);

pub(super) static CALLER: Shape = Shape::Known(&[
    value("model", "The model called the tool (the default)."),
    value("host", "The program called the tool itself."),
]);

pub(super) static ERROR_TYPE: Shape = Shape::Known(&[
    value("timeout", "The request timed out."),
    value("rate_limit", "The provider rejected too many requests."),
    value("api_error", "The provider failed."),
]);

impl Shape {
    /// The allowed or usual texts, if there are such.
    #[must_use]
    pub fn known_values(&self) -> &'static [NamedValue] {
        match self {
            Shape::OneOf(words) | Shape::Known(words) => words,
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ROLES, TurnKind};

    #[test]
    fn the_words_are_those_that_the_model_knows() {
        let names = |shape: &Shape| shape.known_values().iter().map(|word| word.name).collect::<Vec<_>>();
        assert_eq!(names(&ROLE), ROLES);
        assert_eq!(names(&TURN_TYPE), TurnKind::NAMES);
    }
}
