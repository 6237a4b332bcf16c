//! Transcripts that a language model writes: the prompt, the transcript in the reply, the next prompt.
//!
//! Nothing here calls a model. The user's description, the descriptions of tools and the replies of a model
//! are data: none of it is followed, and none can change the form of the prompt.

mod bare;
mod fences;
mod find;
mod joined;
mod prompt;
mod refusal;
mod repair;
mod schema;
mod tagged;

pub use find::{Candidate, Ended, Found, NotFound, find};
pub use joined::{Cut, cut, joined};
pub use prompt::{EXAMPLE_JSON, EXAMPLE_YAML, Prompt, PromptOptions, Shape, prompt};
pub use repair::{continue_prompt, repair_prompt, restart_prompt, retry_prompt, shorten_prompt};
pub use schema::schema;

#[cfg(test)]
mod tests;
