//! The canonical order and style of a document, comments kept.
