//! Transcripts that a language model writes: what it is asked, what its reply holds, what it is told next.
//!
//! Nothing here calls a model. What a user describes, what tools say of themselves and what a model replies are
//! data: none of it is followed, and none of it can change the form of the question.

mod ask;
mod bare;
mod fences;
mod find;
mod joined;
mod mend;
mod refusal;
mod schema;
mod tagged;

pub use ask::{EXAMPLE_JSON, EXAMPLE_YAML, Prompt, PromptOptions, Shape, prompt};
pub use find::{Candidate, Ended, Found, NotFound, find};
pub use joined::{Cut, cut, joined};
pub use mend::{continue_prompt, repair_prompt, restart_prompt, retry_prompt, shorten_prompt};
pub use schema::schema;

#[cfg(test)]
mod tests;
