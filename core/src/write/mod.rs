//! Data to text: YAML for people to read and edit, and JSON.
//!
//! Whatever is written here reads as the same data in YAML 1.1 and 1.2 alike: PyYAML with either of
//! its loaders, `yaml` and `js-yaml`, and this crate's own reader. The suite `interop` runs them all.
//!
//! The functions recurse once per level of nesting. Data that came from a reader is held to that
//! reader's depth limit, and `Value` itself recurses deeper than they do when it is dropped.

mod json;
mod string;
mod transcript;
mod yaml;

pub use json::json;
pub use transcript::{
    completed, completed_initial_state, completed_turn, initial_state, references, stored_message,
    transcript, turn,
};

pub use crate::text::json_line;
pub use yaml::{flow_line, yaml};
