//! Transcripts that a language model writes, as plain data: the question, the assessment of its response, the next question.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{CheckView, ProblemLine, edit, option_values};
use crate::check::Status;
use crate::diagnostic::render::{Problem, TerminalStyle, problems, terminal};
use crate::diagnostic::{Diagnostic, InvalidInput, Severity, codes};
use crate::document::{Document, Form, Options};
use crate::generate::{self, Cut, Ended, NotFound, Prompt, PromptOptions, Shape};
use crate::replay::{ReplayAnswer, Session};
use crate::text::{LineIndex, Span, Table, json, sort_by_key};
use crate::validate::Level;

/// The file name in places of a response's transcript.
pub const RESPONSE_FILE: &str = "transcript.yaml";

/// The most findings in one prompt for a model.
const MAX_FINDINGS: usize = 20;

/// The most candidates of one response that are checked as a whole.
const CHECKED: usize = 4;

/// The assessment of a response: a transcript that is in order, one with problems, cut off, declined, nothing, or only words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AssessmentStatus {
    /// It holds a transcript without errors, whose assertions hold and which replays.
    Ok,
    /// It holds a transcript with problems.
    Problems,
    /// It was cut off.
    Truncated,
    /// It declines.
    Refused,
    /// It is empty.
    Empty,
    /// It holds no document.
    NoDocument,
}

/// The outcome of a strict replay of a transcript against itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SelfReplay {
    /// Whether all recorded calls were answered.
    pub ok: bool,
    /// How many there were.
    pub calls: usize,
    /// What went wrong.
    pub message: Option<String>,
}

/// The assessment of a model's response, and the transcript in it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "GenerateAssessment"))]
#[serde(rename_all = "camelCase")]
pub struct GenerationView {
    /// Whether the status is `ok`: no errors, all assertions hold, and it replays.
    pub ok: bool,
    /// The outcome.
    pub status: AssessmentStatus,
    /// The transcript, or what there is of it; null when there is none.
    pub text: Option<String>,
    /// Which way it is written.
    pub form: Option<Form>,
    /// Its name.
    pub name: Option<String>,
    /// The number of its steps.
    pub steps: usize,
    /// What is wrong with it, assertions that do not hold among them, with places in `text`.
    pub diagnostics: Vec<Problem>,
    /// The outcomes of its assertions.
    pub assertions: Vec<CheckView>,
    /// The outcome of a strict replay against itself; `None` if it could not be replayed.
    pub replay: Option<SelfReplay>,
    /// How many transcripts the response holds, the broken ones included.
    pub candidates: usize,
    /// The findings as a compiler prints them.
    pub rendered: String,
}

/// A [`GenerationView`] with its problems by their lines: the page decodes no flattened fields, as the places of a
/// [`Problem`] are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct AssessedResponse {
    /// Whether the status is `ok`.
    pub ok: bool,
    /// The outcome.
    pub status: AssessmentStatus,
    /// The transcript, or what there is of it.
    pub text: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// What is wrong with it.
    pub diagnostics: Vec<ProblemLine>,
}

/// A conversation with a model about one transcript: plain data that a caller keeps between the calls.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub struct GenerationState {
    /// The messages to send.
    pub messages: Vec<PromptMessage>,
    /// The number of repair prompts so far.
    pub round: u64,
    /// The most repair prompts.
    pub rounds: u64,
    /// The text of a response that was cut off, when the model has to continue it.
    pub partial_response: Option<String>,
    /// The options as provided by the caller.
    pub options: Value,
}

/// The next question to a model, as `generateRepair` of the package answers it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct NextPrompt {
    /// The state with the question; `None` when there is none.
    pub next: Option<GenerationState>,
}

/// A message to a model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PromptMessage {
    /// `system`, `user` or `assistant`.
    pub role: String,
    /// Its text.
    pub content: String,
}

const OPTIONS: [&str; 9] =
    ["name", "tools", "tone", "turns", "edge_cases", "assertions", "format", "rounds", "color"];

/// The default and the maximum number of repair prompts.
const ROUNDS: u64 = 3;
const MOST_ROUNDS: u64 = 20;

/// The prompt for a transcript that matches `description`: `{messages, system, user, schema, round, rounds, options}`.
/// This is the state that [`assess_response`] and [`generation_repair`] take. `options` are `name`, `tools`, `tone`,
/// `turns`, `edge_cases` (true, or a list of texts), `assertions` (true by default), `format` (`yaml` or `json`) and
/// `rounds` (3 by default).
///
/// ```
/// use serde_json::json;
/// use transcript_core::view::generation_prompt;
/// let state = generation_prompt("The user asks for the weather in Rome.", &json!({"tools": ["weather"]})).unwrap();
/// assert_eq!((state["messages"][0]["role"].as_str(), state["round"].as_u64()), (Some("system"), Some(0)));
/// assert!(generation_prompt("  ", &json!({})).unwrap_err().to_string().starts_with("the description is empty"));
/// ```
///
/// # Errors
/// What is wrong with the description or the options.
pub fn generation_prompt(description: &str, options: &Value) -> Result<Value, InvalidInput> {
    if description.trim().is_empty() {
        return Err("the description is empty; describe the run".into());
    }
    let (wanted, rounds) = read_options(options)?;
    let Prompt { system, user, schema } = generate::prompt(description, &wanted);
    let state = GenerationState {
        messages: vec![message("system", &system), message("user", &user)],
        round: 0,
        rounds,
        partial_response: None,
        options: options.clone(),
    };
    let mut out = serde_json::to_value(&state).unwrap_or_default();
    if let Value::Object(entries) = &mut out {
        entries.extend([
            ("system".to_owned(), system.into()),
            ("user".to_owned(), user.into()),
            ("schema".to_owned(), schema),
        ]);
    }
    Ok(out)
}

/// Assesses a response. `state` is the state of the prompt, or null when it is not known; `finish` is how the response ended:
/// `stop`, `length`, `refusal`, or nothing.
///
/// The provided tools stand unchanged in the text, and calls that do not fit them are errors. Files that the response
/// names are not read.
///
/// ```
/// use serde_json::Value;
/// use transcript_core::document::Options;
/// use transcript_core::view::{AssessmentStatus, assess_response};
/// let response = "```yaml\nmessages: ['user: Hi', 'assistant: Hello!']\nassertions: [{contains: Hello}]\n```";
/// let found = assess_response(&Value::Null, response, "", &Options::default()).unwrap();
/// assert_eq!((found.status, found.steps), (AssessmentStatus::Ok, 1));
/// ```
///
/// # Errors
/// When `state` or `finish` is nothing of the kind.
pub fn assess_response(
    state: &Value,
    response: &str,
    finish: &str,
    options: &Options,
) -> Result<GenerationView, InvalidInput> {
    judge(&GenerationState::read(state)?, response, finish, options)
}

fn judge(
    state: &GenerationState,
    response: &str,
    finish: &str,
    options: &Options,
) -> Result<GenerationView, InvalidInput> {
    let ended = match finish {
        "" => Ended::Unknown,
        "stop" => Ended::Stop,
        "length" => Ended::Length,
        "refusal" => Ended::Refused,
        other => {
            return Err(format!("unknown finish reason `{other}`; use `stop`, `length` or `refusal`").into());
        }
    };
    let (wanted, _) = read_options(&state.options)?;
    // A model does not decide what it is checked for.
    let mut options = Options {
        levels: options.levels.clone().ignoring_comments(),
        files: Table::new(),
        ..options.clone()
    };
    if !wanted.tools.is_empty() {
        for code in [codes::UNKNOWN_TOOL, codes::ARGUMENTS_SCHEMA] {
            options.levels.set(code, Level::Severity(Severity::Error));
        }
    }
    let style = match state.options.get("color") {
        Some(Value::Bool(true)) => TerminalStyle::Ansi,
        _ => TerminalStyle::Plain,
    };
    let assess_candidate =
        |text: String, whole: bool| assess(&with_tools(text, &wanted, &options), whole, &options, style);
    let found = generate::find(response, ended, &options.limits);
    let count = found.as_ref().map_or(0, Vec::len);
    let mut best: Option<GenerationView> = None;
    for candidate in found.iter().flatten().take(CHECKED) {
        let view = assess_candidate(candidate.text.clone(), candidate.whole);
        if view.ok || best.is_none() {
            best = Some(view);
        }
        if best.as_ref().is_some_and(|best| best.ok) {
            break;
        }
    }
    if let Some(partial) =
        state.partial_response.as_deref().filter(|_| !best.as_ref().is_some_and(|best| best.ok))
    {
        let is_fenced = response.contains("```");
        let views = generate::joined(partial, response, ended)
            .into_iter()
            .map(|one| assess_candidate(one.text, one.whole));
        // Words that are no lines of a transcript would make none of what is kept.
        let mut views: Vec<GenerationView> =
            views.filter(|view| is_fenced || view.replay.is_some() || has_items(response)).collect();
        let of = |is: fn(&GenerationView) -> bool| views.iter().position(is);
        let at = of(|view| view.ok).or_else(|| of(|view| view.replay.is_some())).unwrap_or(0);
        let is_silent = best.is_none() && !matches!(found, Err(NotFound::Refused));
        best = match at < views.len() {
            true => Some(views.swap_remove(at)),
            // An empty response does not discard the text before it.
            false if is_silent => Some(assess(partial, false, &options, style)),
            false => best,
        };
    }
    Ok(match (best, found) {
        (Some(best), _) => GenerationView { candidates: count.max(1), ..best },
        (None, Err(nothing)) => without_transcript(nothing),
        (None, Ok(_)) => without_transcript(NotFound::NoDocument),
    })
}

/// Whether a response has lines that may be messages of a transcript.
fn has_items(response: &str) -> bool {
    response.lines().any(|line| line.trim_start().starts_with("- "))
}

/// The next question, after a response that is no transcript: the state to go on with, whose `messages` are what to send;
/// `None` when there is none, since all rounds are used, the response is fine, or the model declines.
///
/// The next question has the first one, the last response and what is wrong with it, and nothing of those between, so
/// that a question does not grow with the rounds.
///
/// ```
/// use serde_json::json;
/// use transcript_core::document::Options;
/// use transcript_core::view::{generation_prompt, generation_repair};
/// let state = generation_prompt("The user says hello.", &json!({})).unwrap();
/// let response = "```yaml\nmessages: ['user: Hi', 'asistant: Hello!']\n```";
/// let next = generation_repair(&state, response, "", &Options::default()).unwrap().unwrap();
/// assert_eq!(next.round, 1);
/// let prompt = &next.messages[3].content;
/// assert!(prompt.contains("transcript.yaml:1:"), "{prompt}");
/// ```
///
/// # Errors
/// As [`assess_response`], and when `state` is null.
pub fn generation_repair(
    state: &Value,
    response: &str,
    finish: &str,
    options: &Options,
) -> Result<Option<GenerationState>, InvalidInput> {
    let mut next = GenerationState::read(state)?;
    if next.messages.len() < 2 {
        return Err("the state is not from `prompt`: it has no messages".into());
    }
    // Colors are for people.
    if let Value::Object(entries) = &mut next.options {
        entries.shift_remove("color");
    }
    let view = judge(&next, response, finish, options)?;
    if view.ok || view.status == AssessmentStatus::Refused || next.round >= next.rounds {
        return Ok(None);
    }
    let (wanted, _) = read_options(&next.options)?;
    let shape = wanted.shape;
    let before = next.partial_response.take();
    let prompt = match view.status {
        AssessmentStatus::Truncated => {
            // A line that was cut off twice would be so again, and so would a transcript that is written anew up to
            // there; a response that went on with nothing may do so yet.
            let adds_nothing = !has_items(response);
            let is_further = |cut: &Cut| match before.as_deref() {
                Some(before) => {
                    (adds_nothing && view.text.as_deref() == Some(before))
                        || before.rfind('\n') < cut.kept.rfind('\n')
                }
                None => true,
            };
            let cut = view.text.as_deref().and_then(generate::cut);
            match cut.filter(|cut| shape == Shape::Yaml && is_further(cut)) {
                Some(Cut { last, .. }) => {
                    next.partial_response.clone_from(&view.text);
                    generate::continue_prompt(&last)
                }
                None => generate::shorten_prompt(shape),
            }
        }
        AssessmentStatus::Empty => generate::restart_prompt(shape),
        AssessmentStatus::NoDocument => generate::retry_prompt(shape),
        _ => generate::repair_prompt(&view.feedback(), shape),
    };
    next.messages.truncate(2);
    // Reported lines are those of the transcript with the tools as provided.
    let own = match (&view.text, view.status) {
        (Some(text), AssessmentStatus::Problems) if !wanted.tools.is_empty() || before.is_some() => {
            format!("```\n{}\n```", text.trim_end())
        }
        // The response alone would have nothing of what came before it.
        (Some(text), AssessmentStatus::Truncated) if before.is_some() => format!("```yaml\n{text}"),
        _ => response.to_owned(),
    };
    // Endpoints refuse empty messages.
    match own.trim().is_empty() {
        true => next.messages.push(message("user", &prompt)),
        false => next.messages.extend([message("assistant", &own), message("user", &prompt)]),
    }
    next.round += 1;
    Ok(Some(next))
}

fn message(role: &str, content: &str) -> PromptMessage {
    PromptMessage { role: role.to_owned(), content: content.to_owned() }
}

impl GenerationState {
    fn read(state: &Value) -> Result<Self, InvalidInput> {
        let mut read = match state {
            Value::Null => Self::default(),
            Value::Object(fields) => {
                let is_number = |value: &Value| value.is_null() || value.is_u64();
                let wrong =
                    ["round", "rounds"].into_iter().find(|key| !fields.get(*key).is_none_or(is_number));
                if let Some(key) = wrong {
                    return Err(format!("`state.{key}`: expected a whole number").into());
                }
                let known = fields.iter().filter(|(_, value)| !value.is_null());
                let known: Map<String, Value> =
                    known.map(|(key, value)| (key.clone(), value.clone())).collect();
                let read = Self::deserialize(Value::Object(known));
                read.map_err(|_| "`state`: expected the state that `generate.prompt()` or `generate.repair()` returned")?
            }
            _ => return Err("`state`: expected a map".into()),
        };
        if state.get("rounds").is_none_or(Value::is_null) {
            read.rounds = ROUNDS;
        }
        read.rounds = read.rounds.min(MOST_ROUNDS);
        Ok(read)
    }
}

/// Reads what is wanted, and how often a response may be repaired.
fn read_options(options: &Value) -> Result<(PromptOptions, u64), InvalidInput> {
    let mut out = PromptOptions::default();
    let mut rounds = ROUNDS;
    option_values::each(options, &OPTIONS, |key, value| {
        let text = || match value.as_str().map(str::trim) {
            Some("") => Err(format!("`{key}` is empty")),
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(format!("`{key}`: expected a string")),
        };
        let number = |most: u64| match value.as_u64().filter(|number| *number <= most) {
            Some(number) => Ok(number),
            None => Err(format!("`{key}`: expected an integer up to {most}")),
        };
        match key {
            "name" => out.name = text()?,
            "tone" => out.tone = text()?,
            "tools" => out.tools = PromptOptions::tools_of(value)?,
            "turns" => {
                let turns = u32::try_from(number(1000)?).unwrap_or_default();
                if turns == 0 {
                    return Err("`turns` must be at least 1".into());
                }
                out.turns = Some(turns);
            }
            "edge_cases" => match value {
                Value::Bool(any) => out.any_edge_cases = *any,
                _ => out.edge_cases = option_values::texts(key, value)?,
            },
            "assertions" => out.no_assertions = !option_values::flag(key, value)?,
            "format" => {
                out.shape = match value.as_str() {
                    Some("yaml") => Shape::Yaml,
                    Some("json") => Shape::Json,
                    _ => return Err("`format` must be `yaml` or `json`".into()),
                }
            }
            "rounds" => rounds = number(MOST_ROUNDS)?,
            _ => drop(option_values::flag(key, value)?),
        }
        Ok(())
    })?;
    Ok((out, rounds))
}

/// The text with the tools as provided, if it is a transcript that can be changed.
fn with_tools(text: String, wanted: &PromptOptions, options: &Options) -> String {
    if wanted.tools.is_empty() {
        return text;
    }
    let document = Document::open_with(&text, options);
    let path = match document.form() {
        Form::Compact => json!(["tools"]),
        Form::Full | Form::Partial => json!(["agent_config", "tools"]),
        Form::Handlers | Form::Unknown => return text,
    };
    // A tool of which nothing but the name is known is a name.
    let written = |tool: &Value| match tool.as_object() {
        Some(entries) if entries.len() == 1 => tool.get("name").cloned().unwrap_or_default(),
        _ => tool.clone(),
    };
    let tools: Vec<Value> = wanted.tools.iter().map(written).collect();
    let answer = edit(&text, &json!({ "set": { "path": path, "value": tools } }), &options.limits);
    if answer.ok { answer.text } else { text }
}

/// Assesses a transcript: it has no errors, its assertions hold, it replays, and it contains an answer of the model.
fn assess(text: &str, whole: bool, options: &Options, style: TerminalStyle) -> GenerationView {
    let document = Document::open_with(text, options);
    let assertions = if document.is_whole() { document.check() } else { Vec::new() };
    let mut found = document.unreported(&assertions);
    for outcome in assertions.iter().filter(|outcome| outcome.status != Status::Passed) {
        let span = Span::new(outcome.place.offset as usize, outcome.place.end_offset as usize);
        let code = outcome.code.unwrap_or(codes::ASSERTION_CANNOT_HOLD);
        let mut failed = Diagnostic::new(code, Severity::Error, span, outcome.message.clone());
        failed.help.clone_from(&outcome.help);
        found.push(failed);
    }
    let replay = document.is_whole().then(|| replay_against_itself(&document));
    let has_answer = document
        .timeline()
        .is_some_and(|timeline| timeline.transcript().turns.iter().any(|turn| turn.response.is_some()));
    if document.is_whole() && !has_answer {
        let message = "the transcript has no model response";
        let missing = Diagnostic::new(codes::EMPTY_ANSWER, Severity::Error, Span::empty(0), message)
            .help("add an item, such as `assistant: Hello!`");
        found.push(missing);
    }
    let has_errors = found.iter().any(|found| found.severity == Severity::Error);
    let replays = replay.as_ref().is_none_or(|replay| replay.ok);
    let status = match (document.is_whole() && !has_errors && replays, whole) {
        (_, false) => AssessmentStatus::Truncated,
        (true, true) => AssessmentStatus::Ok,
        (false, true) => AssessmentStatus::Problems,
    };
    let overview = document.overview();
    GenerationView {
        ok: status == AssessmentStatus::Ok,
        status,
        text: Some(text.to_owned()),
        form: Some(overview.form),
        name: overview.name,
        steps: overview.steps,
        diagnostics: problems(RESPONSE_FILE, text, document.lines(), &found),
        assertions,
        replay,
        candidates: 1,
        rendered: terminal(RESPONSE_FILE, text, document.lines(), &found, style),
    }
}

/// Replays the transcript against its own recorded requests.
fn replay_against_itself(document: &Document) -> SelfReplay {
    let failed = |calls, message| SelfReplay { ok: false, calls, message: Some(message) };
    let Some(timeline) = document.timeline() else { return failed(0, "the document has no run".to_owned()) };
    let mut session = match Session::new(timeline.clone()) {
        Ok(session) => session,
        Err(reason) => return failed(0, reason.to_string()),
    };
    let mut calls = 0;
    while let Some(answer) = session.rehearse() {
        if let ReplayAnswer::Divergence { divergence } = answer {
            return failed(calls, divergence.text);
        }
        calls += 1;
    }
    match session.finish() {
        Ok(()) => SelfReplay { ok: true, calls, message: None },
        Err(why) => failed(calls, why.to_string()),
    }
}

fn without_transcript(nothing: NotFound) -> GenerationView {
    let status = match nothing {
        NotFound::Empty => AssessmentStatus::Empty,
        NotFound::Refused => AssessmentStatus::Refused,
        NotFound::Truncated => AssessmentStatus::Truncated,
        NotFound::NoDocument => AssessmentStatus::NoDocument,
    };
    GenerationView {
        ok: false,
        status,
        text: None,
        form: None,
        name: None,
        steps: 0,
        diagnostics: Vec::new(),
        assertions: Vec::new(),
        replay: None,
        candidates: 0,
        rendered: String::new(),
    }
}

impl GenerationView {
    /// The feedback for the model: the gravest findings first, with excerpts, and why the transcript does not replay.
    fn feedback(&self) -> String {
        let text = self.text.as_deref().unwrap_or_default();
        let lines = LineIndex::new(text);
        let as_found = |problem: &Problem| {
            let span = Span::new(problem.place.offset as usize, problem.place.end_offset as usize);
            let mut found = Diagnostic::new(problem.code, problem.severity, span, problem.message.clone());
            found.help.clone_from(&problem.help);
            found
        };
        let mut found: Vec<Diagnostic> = self.diagnostics.iter().map(as_found).collect();
        sort_by_key(&mut found, |found| found.severity);
        let more = found.len().saturating_sub(MAX_FINDINGS);
        found.truncate(MAX_FINDINGS);
        let mut out = terminal(RESPONSE_FILE, text, &lines, &found, TerminalStyle::Plain);
        if more > 0 {
            out.push_str(&format!("and {more} more\n"));
        }
        if let Some(message) = self.replay.as_ref().and_then(|replay| replay.message.as_ref()) {
            out.push_str(&format!("the run does not replay: {message}\n"));
        }
        if out.is_empty() {
            out.push_str("the document is not a transcript\n");
        }
        out
    }
}
