//! Files of which each may have several runs, whatever their format.

use super::ai_sdk::devtools::ai_sdk_devtools;
use super::ai_sdk::{AiSdkChats, ai_sdk_chats};
use super::atif::{Trajectories, trajectories};
use super::codex::{Rollouts, codex};
use super::detect::Format;
use super::files::LogFile;
use super::inspect::{Samples, inspect_log};
use super::langsmith::langsmith_runs;
use super::otel::otel_spans;
use super::report::Imported;
use super::traces::{Traces, traces};

/// A file that may have several runs, read.
#[derive(Debug)]
pub enum Runs {
    /// Traces, of whatever program.
    Traces(Traces),
    /// Trajectories of harbor.
    Trajectories(Trajectories),
    /// Chats of the AI SDK.
    Chats(AiSdkChats),
    /// Samples of an evaluation by Inspect AI.
    Samples(Samples),
    /// Sessions of Codex.
    Rollouts(Rollouts),
}

impl Runs {
    /// Reads a file of that format; one of another kind as traces, of which it has none.
    ///
    /// ```
    /// use transcript_core::import::{Format, LogFile, Runs};
    /// let text = r#"[{"role": "user", "parts": [{"type": "text", "text": "Hi"}]}]"#;
    /// let runs = Runs::read(Format::AiSdk, &LogFile { path: "chat.json", text });
    /// assert_eq!(runs.names(), [("chat-1".to_owned(), "Hi".to_owned())]);
    /// assert_eq!(runs.nouns(), ("file", "chat"));
    /// ```
    #[must_use]
    pub fn read(format: Format, file: &LogFile<'_>) -> Self {
        match format {
            Format::Trajectory => Self::Trajectories(trajectories(file)),
            Format::AiSdk => Self::Chats(ai_sdk_chats(file)),
            Format::Inspect => Self::Samples(inspect_log(file)),
            Format::Codex => Self::Rollouts(codex(file)),
            Format::AiSdkDevtools => Self::Traces(ai_sdk_devtools(file)),
            Format::Otel => Self::Traces(otel_spans(file)),
            Format::LangSmith => Self::Traces(langsmith_runs(file)),
            _ => Self::Traces(traces(file)),
        }
    }

    /// The names of the runs, each with words that tell what it is.
    #[must_use]
    pub fn names(&self) -> &[(String, String)] {
        match self {
            Self::Traces(read) => &read.traces,
            Self::Trajectories(read) => &read.runs,
            Self::Chats(read) => &read.chats,
            Self::Samples(read) => &read.samples,
            Self::Rollouts(read) => &read.sessions,
        }
    }

    /// What the whole is called, and one of its runs.
    #[must_use]
    pub fn nouns(&self) -> (&'static str, &'static str) {
        match self {
            Self::Traces(_) => ("log", "trace"),
            Self::Trajectories(_) => ("file", "trajectory"),
            Self::Chats(_) => ("file", "chat"),
            Self::Samples(_) => ("log", "sample"),
            Self::Rollouts(_) => ("file", "session"),
        }
    }

    /// One of the runs as a transcript; with none an empty one.
    #[must_use]
    pub fn imported(self, chosen: Option<usize>) -> Imported {
        match self {
            Self::Traces(read) => read.imported(chosen),
            Self::Trajectories(read) => read.imported(chosen),
            Self::Chats(read) => read.imported(chosen),
            Self::Samples(read) => read.imported(chosen),
            Self::Rollouts(read) => read.imported(chosen),
        }
    }
}
