//! JSON with the exact numbers and texts of the source, as hashes of it need.
//!
//! `serde_json` makes `1e400` a fault and `9007199254740993.0` another number, and has no place for half a
//! surrogate pair. Python reads and writes all of these, and its hashes must be reproduced.

mod python;
mod rfc8785;
mod scan;
mod style;
mod tree;

pub use python::python_json;
pub use rfc8785::canonical_json;
pub use scan::{Fault, Raw, items, members, value};
pub use tree::{Exact, read};
