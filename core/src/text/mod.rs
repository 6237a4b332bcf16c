//! Source text: byte spans, and the one place where they become lines and columns.

mod lines;
mod span;

pub use lines::{LineIndex, Position};
pub use span::Span;
