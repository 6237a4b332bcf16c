//! Texts with a meaning of their own: roles, types of turns, and the like.

use super::shape::{Shape, Word, word};

/// The five roles. [`super::ROLES`] has their names alone.
pub(super) static ROLE: Shape = Shape::OneOf(ROLE_WORDS);

/// A role at a place where no rule looks at it.
pub(super) static USUAL_ROLE: Shape = Shape::Known(ROLE_WORDS);

static ROLE_WORDS: &[Word] = &[
    word("system", "Instructions to the model."),
    word("developer", "Instructions to the model, as newer models call them."),
    word("user", "What the person says, or whoever takes that part."),
    word("assistant", "What the model says, with the tools it calls."),
    word("tool", "What a tool returned; `tool_call_id` names the call it answers."),
];

pub(super) static TURN_TYPE: Shape = Shape::OneOf(&[
    word("llm_call", "The model was called: has `messages_sent_to_llm`, `llm_response`, `message_created`."),
    word("tool_call", "A tool ran: has `tool_call` and `message_created`."),
    word("message", "A message arrived while the run went on: has `message_created` alone."),
]);

pub(super) static VISIBLE_WORD: Shape = Shape::OneOf(&[word(
    "visible",
    "Every message that is visible at that moment, in the order of the store; a long run has it instead of the lists.",
)]);

pub(super) static CALL_TYPE: Shape =
    Shape::Known(&[word("function", "A call of a function, the one kind that chat APIs have.")]);

pub(super) static FINISH: Shape = Shape::Known(&[
    word("stop", "The model had said what it wanted to say."),
    word("tool_calls", "The model calls tools and waits for their results."),
    word("length", "The answer was cut at the most tokens allowed."),
    word("content_filter", "The provider withheld the answer or a part of it."),
]);

pub(super) static AUTHOR: Shape = Shape::Known(&[
    word("developer", "Written or recorded by a person."),
    word("llm-generated", "Written by a model."),
]);

pub(super) static CALLER: Shape = Shape::Known(&[
    word("model", "A model asked for it, as when left out."),
    word("host", "The program called the tool itself: no model asked for it."),
]);

pub(super) static ERROR_TYPE: Shape = Shape::Known(&[
    word("timeout", "No answer came in time."),
    word("rate_limit", "The provider refused for too many calls."),
    word("api_error", "The provider failed."),
]);

impl Shape {
    /// The texts that may stand here, where only some may or some are usual.
    #[must_use]
    pub fn words(&self) -> &'static [Word] {
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
        let names = |shape: &Shape| shape.words().iter().map(|word| word.name).collect::<Vec<_>>();
        assert_eq!(names(&ROLE), ROLES);
        assert_eq!(names(&TURN_TYPE), TurnKind::NAMES);
    }
}
