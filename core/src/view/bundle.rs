//! A zip file of a document and of the runs of other agents in it.

use serde::{Deserialize, Serialize};

/// A zip file with what is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bundle {
    /// Whether the document could be read. If not, it has no runs of other agents.
    pub ok: bool,
    /// The bytes in Base64.
    pub base64: String,
    /// The files in it.
    pub files: Vec<BundledFile>,
    /// How many runs have no room in it.
    pub left_out: usize,
}

/// A file of a [`Bundle`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct BundledFile {
    /// Its path.
    pub path: String,
    /// The number of its bytes before they are packed.
    pub bytes: usize,
}
