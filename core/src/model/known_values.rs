//! Texts with a special meaning: roles, types of turns, and the like.

use super::shape::{NamedValue, Shape, value};

/// The five roles. [`super::ROLES`] has only their names.
pub(super) static ROLE: Shape = Shape::OneOf(ROLE_WORDS);

/// A role at a place without a rule for it.
pub(super) static USUAL_ROLE: Shape = Shape::Known(ROLE_WORDS);

static ROLE_WORDS: &[NamedValue] = &[
    value("system", "Instructions to the model."),
    value("developer", "Instructions to the model, as newer models call them."),
    value("user", "What the person says, or whoever takes that part."),
    value("assistant", "What the model says, with the tools it calls."),
    value("tool", "What a tool returned; `tool_call_id` names the call it answers."),
];

pub(super) static TURN_TYPE: Shape = Shape::OneOf(&[
    value("llm_call", "The model was called: has `messages_sent_to_llm`, `llm_response`, `message_created`."),
    value("tool_call", "A tool ran: has `tool_call` and `message_created`."),
    value("message", "A message arrived while the run went on: has `message_created` alone."),
]);

pub(super) static VISIBLE_WORD: Shape = Shape::OneOf(&[value(
    "visible",
    "Every message that is visible at that moment, in the order of the store; a long run has it instead of the lists.",
)]);

pub(super) static CALL_TYPE: Shape =
    Shape::Known(&[value("function", "A call of a function, the one kind that chat APIs have.")]);

pub(super) static FINISH: Shape = Shape::Known(&[
    value("stop", "The model had said what it wanted to say."),
    value("tool_calls", "The model calls tools and waits for their results."),
    value("length", "The answer was cut at the most tokens allowed."),
    value("content_filter", "The provider withheld the answer or a part of it."),
]);

pub(super) static AUTHOR: Shape = Shape::Known(&[
    value("developer", "Written or recorded by a person."),
    value("llm-generated", "Written by a model."),
]);

pub(super) static CALLER: Shape = Shape::Known(&[
    value("model", "A model asked for it, as when left out."),
    value("host", "The program called the tool itself: no model asked for it."),
]);

pub(super) static ERROR_TYPE: Shape = Shape::Known(&[
    value("timeout", "No answer came in time."),
    value("rate_limit", "The provider refused for too many calls."),
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
