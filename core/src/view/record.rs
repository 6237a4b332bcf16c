//! A recording under way, as plain data: for the package and the command line.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::record::{
    Fact, LineProblem, Options, Problem, Recorder, Recovered, Requests, journal_header, journal_line, last,
    recordings,
};
use crate::text::Place;
use crate::write;

/// A recording under way.
#[derive(Clone, Debug)]
pub struct Recording {
    recorder: Recorder,
    requests: Requests,
}

/// The outcome of a fact.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
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
    /// What the compact form cannot express, if it was requested.
    pub losses: Vec<String>,
}

/// A nested run in a file of its own.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RecordedFile {
    /// Its path, relative to the transcript, by which the transcript refers to it.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A recording of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct JournalRecording {
    /// Its id, if it has one.
    pub id: Option<String>,
    /// The name of its transcript, if it has one.
    pub name: Option<String>,
    /// Its creation time, if it has one.
    pub created: Option<String>,
    /// The line it begins with, from 1.
    pub line: u32,
    /// How many facts it has.
    pub facts: usize,
}

/// The events between agents, as texts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecordedEvents {
    /// The log, a line of JSON for each event.
    pub log: String,
    /// A recording of `AgentLoom` with the events under `_inter_agent_events`, as JSON.
    pub recording: String,
}

/// What a journal gave.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecoveredJournal {
    /// The recordings it has, in order.
    pub recordings: Vec<JournalRecording>,
    /// Which of them this is, from 1.
    pub recording: usize,
    /// How many facts it has.
    pub facts: usize,
    /// Where it was cut, if it was.
    pub truncated_at: Option<Place>,
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
        Ok(Self::from_recorder(Recorder::new(Options::from_value(&read(options)?)?)))
    }

    /// Begins with the facts of a recording of a journal, as if they were observed again. How it was recorded stands
    /// in the journal; what `options` have counts before that. `recording` among them is the number of the recording,
    /// from 1, or its id; the last that has a fact when left out.
    ///
    /// # Errors
    /// As [`Recording::begin`], and when there is no such recording. Problems in the journal are returned with the
    /// recording.
    ///
    /// ```
    /// use transcript_core::view::Recording;
    /// let journal = r#"{"v":1,"fact":"recording_began","id":"r1","options":{"name":"hello"}}
    /// {"v":1,"seq":1,"fact":"message_appended","id":"m1","role":"user","content":"Hi"}"#;
    /// let (recording, recovered) = Recording::resume("", journal).unwrap();
    /// assert!(recording.finish("yaml").text.contains("name: hello"));
    /// assert_eq!((recovered.facts, recovered.recordings.len()), (1, 1));
    /// ```
    pub fn resume(options: &str, journal: &str) -> Result<(Self, RecoveredJournal), Problem> {
        let mut options = read(options)?;
        let mut all = recordings(journal);
        let wanted = options.as_object_mut().and_then(|options| options.shift_remove("recording"));
        let at = find_recording(&all, wanted.filter(|wanted| !wanted.is_null()).as_ref())?;
        let summary: Vec<JournalRecording> = all.iter().map(summarize).collect();
        let recovered = if at < all.len() { all.swap_remove(at) } else { Recovered::default() };
        let mut merged = recovered.options;
        match options {
            Value::Object(options) => {
                merged.extend(options.into_iter().filter(|(_, value)| !value.is_null()))
            }
            Value::Null => {}
            other => drop(Options::from_value(&other)?),
        }
        let options = Options { recording: recovered.id, ..Options::from_value(&Value::Object(merged))? };
        let mut recording = Self::from_recorder(Recorder::new(options));
        let mut summary = RecoveredJournal {
            recordings: summary,
            recording: at + 1,
            facts: recovered.facts.len(),
            truncated_at: recovered.truncated_at,
            problems: recovered.problems,
        };
        for fact in recovered.facts {
            // One that could not stand where it came cannot now, and is kept among those again.
            drop(recording.recorder.observe(fact));
        }
        let not_kept = recording.recorder.dropped_count();
        if not_kept > 0 {
            let limit = recording.recorder.options().max_bytes;
            let message = format!("{not_kept} of {} facts do not fit into {limit} bytes", summary.facts);
            summary.problems.push(LineProblem {
                line: recovered.line,
                message,
                help: Some("raise `maxBytes`".to_owned()),
            });
        }
        Ok((recording, summary))
    }

    fn from_recorder(recorder: Recorder) -> Self {
        Self { recorder, requests: Requests::default() }
    }

    /// The line that stands before those of the facts in a journal, with its line break.
    #[must_use]
    pub fn header(&self) -> String {
        journal_header(self.recorder.options())
    }

    /// Takes a fact as JSON. Data that refers to itself cannot be written as JSON; the writer detects that. A `request`
    /// may use `keep` for the number of items at the start of its list that it leaves out, because the request before it,
    /// of the same run, has them.
    ///
    /// ```
    /// use transcript_core::view::Recording;
    /// let mut recording = Recording::begin("").unwrap();
    /// let mut call = |call: &str, request: &str| {
    ///     recording.observe(&format!(r#"{{"fact": "model_called", "call": "{call}", "request": {request}}}"#))
    /// };
    /// call("c1", r#"{"keep": 0, "messages": [{"role": "user", "content": "Hi"}]}"#);
    /// let line = call("c2", r#"{"keep": 1, "messages": [{"role": "user", "content": "Bye"}]}"#).line.unwrap();
    /// assert!(line.contains("Hi") && line.contains("Bye"));
    /// assert!(call("c3", r#"{"keep": 3, "messages": []}"#).problem.is_some());
    /// ```
    pub fn observe(&mut self, fact: &str) -> Observed {
        let mut value = match crate::text::json_value(fact) {
            Ok(value) => value,
            // A text that is no fact is kept like any other.
            Err(_) => Value::String(fact.to_owned()),
        };
        let unfolded = self.requests.unfold(&mut value);
        let read = unfolded.clone().and_then(|_| Fact::from_value(&value)).map(|mut fact| {
            self.recorder.shorten(&mut fact);
            fact
        });
        let taken = match (&read, &unfolded) {
            (Ok(fact), _) => self.recorder.observe(fact.clone()),
            (Err(_), Ok(_)) => self.recorder.observe_value(&value),
            (Err(_), Err(problem)) => Err(self.recorder.refuse(problem.clone(), &value)),
        };
        if taken.is_ok() {
            self.requests.note(&value, unfolded == Ok(true));
        }
        let taken = taken.map_err(|problem| match (&value, fact.trim_start().starts_with('"')) {
            (Value::String(_), false) => Problem { message: "the fact is not JSON".to_owned(), ..problem },
            _ => problem,
        });
        let seq = self.recorder.fact_count();
        let line = read.ok().map(|mut fact| {
            fact.seq = Some(seq);
            journal_line(&fact)
        });
        Observed { seq, line, problem: taken.err() }
    }

    /// The journal of all that was taken so far.
    #[must_use]
    pub fn journal(&self) -> String {
        std::iter::once(self.header()).chain(self.recorder.facts().map(journal_line)).collect()
    }

    /// The events between the agents, if they were requested and there are several runs.
    #[must_use]
    pub fn events(&self) -> Option<RecordedEvents> {
        let events = self.recorder.agent_events()?;
        Some(RecordedEvents { log: events.log(), recording: write::json(&events.recording()) })
    }

    /// What was recorded so far, as texts; `format` is `json` or `yaml`, and anything else is `yaml`. The
    /// recording may go on.
    #[must_use]
    pub fn finish(&self, format: &str) -> FinishedRecording {
        self.finish_as(format, None, None)
    }

    /// The same, with a name and a time of creation for a recording that has none.
    #[must_use]
    pub fn finish_as(&self, format: &str, name: Option<&str>, created: Option<&str>) -> FinishedRecording {
        let text = |value: &Value| match format {
            "json" => write::json(value),
            _ => write::yaml(value),
        };
        let recorded = self.recorder.finish_as(name, created);
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

fn read(options: &str) -> Result<Value, Problem> {
    match options.trim() {
        "" => Ok(Value::Null),
        text => serde_json::from_str(text).map_err(|error| Problem {
            seq: 0,
            message: format!("the options are not JSON: {error}"),
            help: None,
        }),
    }
}

fn summarize(recording: &Recovered) -> JournalRecording {
    let text = |key: &str| recording.options.get(key).and_then(Value::as_str).map(str::to_owned);
    JournalRecording {
        id: recording.id.clone(),
        name: text("name"),
        created: text("created"),
        line: recording.line,
        facts: recording.facts.len(),
    }
}

/// The place of the recording that is wanted: by its id, the last of that, else by its number from 1.
fn find_recording(all: &[Recovered], wanted: Option<&Value>) -> Result<usize, Problem> {
    let Some(wanted) = wanted else { return Ok(last(all)) };
    let name = match wanted {
        Value::String(name) => name.clone(),
        other => other.to_string(),
    };
    let by_id = all.iter().rposition(|recording| recording.id.as_ref() == Some(&name));
    let by_number = || name.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < all.len());
    by_id.or_else(by_number).ok_or_else(|| Problem {
        seq: 0,
        message: format!("the journal has no recording `{name}`"),
        help: Some(match all.len() {
            1 => "it has only one: remove `recording`".to_owned(),
            count => format!("it has {count}, numbered from 1"),
        }),
    })
}
