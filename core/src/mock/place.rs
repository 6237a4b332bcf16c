//! The place of a part of a handler.

use crate::text::Span;

/// The place of a part of a handler: its path, and its span if it was read from a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub path: String,
    pub span: Option<Span>,
}

impl Place {
    pub(super) fn new(path: &str, span: Span) -> Self {
        Self { path: path.to_owned(), span: Some(span) }
    }

    /// The part under `key`; its place in the text is that of the whole until a better one is
    /// known.
    pub(super) fn key(&self, key: &str) -> Self {
        let path = if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Self { path, span: self.span }
    }

    pub(super) fn index(&self, index: usize) -> Self {
        Self { path: format!("{}[{index}]", self.path), span: self.span }
    }

    pub(super) fn spanned(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// The path in backticks, or `what` for a handler made in code.
    pub(super) fn name(&self, what: &str) -> String {
        if self.path.is_empty() { format!("the {what}") } else { format!("`{}`", self.path) }
    }
}
