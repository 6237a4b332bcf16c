//! The answer of the reader of logs, which writes it, to the page, which reads it.

use serde::{Deserialize, Serialize};

/// What was made of opened files: a transcript, a list to choose from, a document as it is, or the reason that there is none.
#[derive(Clone, Debug, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogAnswer {
    /// Why nothing was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The remedy, if one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The document that is opened as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<OpenedLog>,
    /// The name of the transcript.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The transcript.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What the files are, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The files that were read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ReadLog>,
    /// The sessions to choose from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<String>,
    /// The first words of each session, as far as they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_words: Vec<String>,
    /// The heads of a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// Its cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<String>>,
    /// What was not read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// A document that is opened as it is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct OpenedLog {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ReadLog {
    /// Its path.
    pub path: String,
    /// How much was read, in one sentence.
    pub message: String,
    /// What is wrong with it, line by line.
    pub notes: Vec<String>,
}
