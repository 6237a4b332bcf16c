//! Suites that span the crates of the workspace.
