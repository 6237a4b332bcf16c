//! Source text: byte spans, and the one place where they become lines and columns.

mod content_key;
mod doc;
mod json_line;
mod lines;
mod locate;
mod order;
pub mod secrets;
mod shown;
mod span;

pub use content_key::{content_key, is_content_key};
pub use doc::doc;
pub use json_line::json_line;
pub use lines::{LineIndex, Position};
pub use locate::Locator;
pub use order::{gathered, sort_by, sort_by_key};
pub use shown::is_shown;
pub use span::Span;
