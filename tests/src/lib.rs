//! Suites that span the crates of the workspace, and what they share.

pub mod generate;
pub mod simulated;

/// The Rust examples of the page about the builder, run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../public/docs/builder.md")]
pub struct BuilderPage;
