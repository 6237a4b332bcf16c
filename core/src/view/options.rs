//! What a caller may say about the opening of a text.

use crate::parse::Limits;
use crate::validate::Levels;

/// What a caller may say about the opening of a text.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Bounds against hostile input.
    pub limits: Limits,
    /// The severities that the project has set for codes.
    pub levels: Levels,
}
