#![doc = include_str!("../ARCHITECTURE.md")]

pub mod diagnostic;
pub mod expand;
pub mod model;
pub mod parse;
pub mod replay;
pub mod text;
pub mod validate;
pub mod view;
pub mod write;
