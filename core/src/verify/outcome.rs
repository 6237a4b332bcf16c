//! The result of a host's tool.

use crate::encoding::exact::{Exact, Fault, read};

/// The outcome of a tool that the host ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its result.
    Result(Exact),
    /// Its error message.
    Error(String),
}

impl Outcome {
    /// Reads `{"result": ...}` or `{"error": "..."}`; without either, there is no result.
    ///
    /// # Errors
    /// When the text is no JSON.
    ///
    /// ```
    /// use transcript_core::verify::Outcome;
    /// assert_eq!(Outcome::read(r#"{"error": "no such file"}"#), Ok(Outcome::Error("no such file".to_owned())));
    /// ```
    pub fn read(json: &str) -> Result<Self, Fault> {
        let value = read(json)?;
        Ok(match value.get("error") {
            Some(Exact::Text(text)) => Outcome::Error(String::from_utf8_lossy(text).into_owned()),
            Some(_) => Outcome::Error("the tool failed".to_owned()),
            None => Outcome::Result(value.get("result").cloned().unwrap_or(Exact::Null)),
        })
    }

    /// As data: a map with one key.
    pub(super) fn to_exact(&self) -> Exact {
        let (key, value) = match self {
            Outcome::Result(value) => ("result", value.clone()),
            Outcome::Error(message) => ("error", Exact::text(message)),
        };
        Exact::Map(vec![(key.as_bytes().to_vec(), value)])
    }
}
