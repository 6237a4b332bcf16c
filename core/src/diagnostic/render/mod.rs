//! Diagnostics as text and as data; the rules know nothing of these forms.

mod json;
mod terminal;

pub use json::{EditJson, FixJson, Problem, RelatedJson, problems};
pub use terminal::{TerminalStyle, terminal};
