//! Reads, checks, expands, replays and writes transcripts of agent runs.

pub mod diagnostic;
pub mod text;
pub mod view;
pub mod write;
