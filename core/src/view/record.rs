//! A recording under way, as plain data: for the package and the command line.

use serde::Serialize;
use serde_json::Value;

use crate::record::{Fact, LineProblem, Options, Problem, Recorder, journal_line, recover};
use crate::text::Place;
use crate::write;

/// A recording under way.
#[derive(Clone, Debug)]
pub struct Recording {
    recorder: Recorder,
}

/// What came of a fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Observed {
    /// Its number, from 1.
    pub seq: u64,
    /// Its line in a journal, with the line break; none of what is no fact.
    pub line: Option<String>,
    /// Why it was not taken.
    pub problem: Option<Problem>,
}

/// What was recorded, as texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FinishedRecording {
    /// The transcript.
    pub text: String,
    /// Whether it has the compact form.
    pub is_compact: bool,
    /// The nested runs that have files of their own.
    pub files: Vec<RecordedFile>,
    /// What was wrong, in the order of the facts.
    pub problems: Vec<Problem>,
    /// What the compact form could not say, where it was asked for.
    pub losses: Vec<String>,
}

/// A nested run in a file of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedFile {
    /// Its path beside the transcript, by which that names it.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The events between agents, as texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedEvents {
    /// The log, a line of JSON for each event.
    pub log: String,
    /// A recording of `AgentLoom` with the events under `_inter_agent_events`, as JSON.
    pub recording: String,
}

/// What a journal gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecoveredJournal {
    /// How many facts it has.
    pub facts: usize,
    /// Where it was cut, if it was.
    pub cut: Option<Place>,
    /// The lines that could not be read, and those that are missing.
    pub problems: Vec<LineProblem>,
}

impl Recording {
    /// Begins to record. `options` are JSON as [`Options::from_value`] has it; an empty text is none.
    ///
    /// # Errors
    /// When the options are no JSON, or one is not as it must be.
    ///
    /// ```
    /// use transcript_core::view::Recording;
    /// let mut recording = Recording::begin(r#"{"name": "hello"}"#).unwrap();
    /// let fact = r#"{"fact": "message_appended", "id": "m1", "role": "user", "content": "Hi"}"#;
    /// let observed = recording.observe(fact);
    /// assert!(observed.problem.is_none() && observed.line.unwrap().starts_with(r#"{"v":1,"seq":1,"#));
    /// assert!(recording.observe(r#"{"fact": "agent_left", "run": "r1"}"#).problem.is_some());
    /// assert!(recording.finish("yaml").text.starts_with("version: \"1.0\"\n"));
    /// ```
    pub fn begin(options: &str) -> Result<Self, Problem> {
        let options = match options.trim() {
            "" => Value::Null,
            text => serde_json::from_str(text).map_err(|error| Problem {
                seq: 0,
                message: format!("the options are no JSON: {error}"),
                help: None,
            })?,
        };
        Ok(Self { recorder: Recorder::new(Options::from_value(&options)?) })
    }

    /// Begins with the facts of a journal, as if they were observed again.
    ///
    /// # Errors
    /// As [`Recording::begin`]; what is wrong in the journal is told beside the recording.
    pub fn resume(options: &str, journal: &str) -> Result<(Self, RecoveredJournal), Problem> {
        let mut recording = Self::begin(options)?;
        let recovered = recover(journal);
        let told = RecoveredJournal {
            facts: recovered.facts.len(),
            cut: recovered.cut,
            problems: recovered.problems,
        };
        for fact in recovered.facts {
            // One that could not stand where it came cannot now, and is kept among those again.
            drop(recording.recorder.observe(fact));
        }
        Ok((recording, told))
    }

    /// Takes a fact as JSON. Data that refers to itself cannot be written as JSON: that is found by whoever
    /// writes it.
    pub fn observe(&mut self, fact: &str) -> Observed {
        let value = match serde_json::from_str::<Value>(fact) {
            Ok(value) => value,
            // A text that is no fact is kept like any other.
            Err(_) => Value::String(fact.to_owned()),
        };
        let read = Fact::from_value(&value);
        let taken = match &read {
            Ok(fact) => self.recorder.observe(fact.clone()),
            Err(_) => self.recorder.observe_value(&value),
        };
        let taken = taken.map_err(|problem| match (&value, fact.trim_start().starts_with('"')) {
            (Value::String(_), false) => Problem { message: "the fact is no JSON".to_owned(), ..problem },
            _ => problem,
        });
        let seq = self.recorder.seen();
        let line = read.ok().map(|mut fact| {
            fact.seq = Some(seq);
            journal_line(&fact)
        });
        Observed { seq, line, problem: taken.err() }
    }

    /// The journal of all that was taken so far.
    #[must_use]
    pub fn journal(&self) -> String {
        self.recorder.facts().map(journal_line).collect()
    }

    /// The events between the agents, if they were asked for and there are several runs.
    #[must_use]
    pub fn events(&self) -> Option<RecordedEvents> {
        let events = self.recorder.agent_events()?;
        Some(RecordedEvents { log: events.log(), recording: write::json(&events.recording()) })
    }

    /// What was recorded so far, as texts; `format` is `json` or `yaml`, and anything else is `yaml`. The
    /// recording may go on.
    #[must_use]
    pub fn finish(&self, format: &str) -> FinishedRecording {
        let text = |value: &Value| match format {
            "json" => write::json(value),
            _ => write::yaml(value),
        };
        let recorded = self.recorder.finish();
        FinishedRecording {
            text: text(&recorded.transcript),
            is_compact: recorded.is_compact,
            files: recorded
                .files
                .iter()
                .map(|(path, run)| RecordedFile { path: path.clone(), text: text(run) })
                .collect(),
            problems: recorded.problems,
            losses: recorded.losses,
        }
    }
}
