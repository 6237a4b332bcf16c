//! The answer of the reader of logs, as far as the page reads it.

use serde::Deserialize;

/// What was made of opened files: a transcript, a list to choose from, a document as it is, or the reason that there is none.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LogAnswer {
    /// Why nothing was made.
    pub problem: Option<String>,
    /// The remedy, if one is known.
    pub help: Option<String>,
    /// The document that is opened as it is.
    pub open: Option<OpenedLog>,
    /// The name of the transcript.
    pub name: Option<String>,
    /// The transcript.
    pub text: Option<String>,
    /// What the files are, in one sentence.
    pub message: Option<String>,
    /// The files that were read.
    #[serde(default)]
    pub files: Vec<ReadLog>,
    /// What was not read, and why.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// The sessions to choose from.
    #[serde(default)]
    pub sessions: Vec<String>,
    /// The first words of each session, as far as they are known.
    #[serde(default)]
    pub first_words: Vec<String>,
    /// The heads of a table.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Its cells.
    #[serde(default)]
    pub rows: Vec<Vec<String>>,
}

/// A document that is opened as it is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct OpenedLog {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadLog {
    /// Its path.
    pub path: String,
    /// How much was read, in one sentence.
    pub message: String,
    /// What is wrong with it, line by line.
    pub notes: Vec<String>,
}
