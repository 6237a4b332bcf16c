//! Suites that span the crates of the workspace, and what they share.

pub mod generate;
