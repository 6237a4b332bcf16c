//! The commands, one file each.

pub(crate) mod bench;
pub(crate) mod build;
pub(crate) mod conformance;
pub(crate) mod corpus;
pub(crate) mod fmt;
pub(crate) mod lint;
pub(crate) mod serve;
pub(crate) mod size;
pub(crate) mod test;
pub(crate) mod wasm;
