//! Checks the assertions of a document on a recording or an actual run, each with its evidence.
//!
//! [`crate::model::ASSERTION_TYPES`] defines the types. A run is plain data: a recording, a simulation and a
//! host all produce it.

mod agent;
mod calls;
mod counts;
mod evidence;
mod excerpt;
mod fields;
mod input;
mod outcome;
mod queries;
mod run;
mod shapes;
mod state;
mod suggest;
mod texts;

use std::cell::OnceCell;
use std::rc::Rc;

use serde_json::{Map, Value};

pub use evidence::Evidence;
pub(crate) use fields::{FieldProblem, Fields, field_alias};
pub use outcome::{Outcome, Status};
pub use run::{Answer, Run, RunCall, RunError, RunMessage};
pub use suggest::{Suggestion, suggest};

use self::evidence::Evidences;
use self::outcome::Fault;
use crate::diagnostic::{closest, codes, did_you_mean};
use crate::model::{Assertion, Text, Transcript};
use crate::query::Budget;
use crate::text::{Set, Table, collect_one_by_one};

/// The budget for all assertions of a document; each one has the default [`Budget`].
const TOTAL: Budget = Budget { steps: 50_000_000, bytes: 1 << 29 };

/// Holds assertions against a run: an outcome each, in their order.
///
/// ```
/// use serde_json::json;
/// use transcript_core::check::{Run, Status, check};
/// use transcript_core::document::{Document, Limits};
/// let text = "messages: ['user: Hi', 'assistant: It is 72°F']\nassertions: [{contains: '72'}]";
/// let document = Document::open(text, &Limits::default());
/// let transcript = document.timeline().unwrap().transcript();
/// let assertions = &transcript.end.as_ref().unwrap().assertions;
/// assert_eq!(check(assertions, &Run::from_transcript(transcript))[0].status, Status::Passed);
/// let actual = Run::from_value(&json!({"messages": [{"role": "assistant", "content": "No idea"}]})).unwrap();
/// assert_eq!(check(assertions, &actual)[0].message, "`msg_001` does not contain `72`");
/// ```
#[must_use]
pub fn check(assertions: &[Assertion], run: &Run) -> Vec<Outcome> {
    check_within(&assertions.iter().collect::<Vec<_>>(), run, "", None, &mut TOTAL.clone())
}

/// Checks the assertions of a recording and of its nested runs on a run, the nested ones on its nested runs.
/// Those of the recording come first; [`Outcome::path`] distinguishes the others.
#[must_use]
pub fn check_all(recording: &Transcript, run: &Run) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    let mut budget = TOTAL;
    check_nested(recording, Some(run), "", &mut budget, &mut outcomes);
    outcomes
}

fn check_nested(
    recording: &Transcript,
    run: Option<&Run>,
    path: &str,
    budget: &mut Budget,
    outcomes: &mut Vec<Outcome>,
) {
    let assertions = recording.end.as_ref().map(|end| end.assertions.as_slice()).unwrap_or_default();
    outcomes.extend(match run {
        Some(run) => check_within(&assertions.iter().collect::<Vec<_>>(), run, path, Some(recording), budget),
        None => unavailable_outcomes(assertions, path),
    });
    for (index, turn) in recording.turns.iter().enumerate() {
        let Some(inside) = turn.tool.as_ref().and_then(|tool| tool.nested.as_deref()) else { continue };
        let step = (index + 1).to_string();
        let of_step = run.and_then(|run| run.nested.get(step.as_str()));
        check_nested(inside, of_step, &run::joined(path, &step), budget, outcomes);
    }
}

/// The outcomes of assertions about a run that did not take place.
fn unavailable_outcomes(assertions: &[Assertion], path: &str) -> Vec<Outcome> {
    let outcome = |(index, assertion): (usize, &Assertion)| {
        let mut outcome = Outcome::new(index, assertion, path);
        outcome.message = format!("there is no nested run at step {path}");
        outcome
    };
    assertions.iter().enumerate().map(outcome).collect()
}

/// The tools that a recording declares; `None` without a complete list.
fn declared_tools(recording: &Transcript) -> Option<Set<&str>> {
    let of_agents = recording.agents.iter().filter_map(|(_, agent)| agent.tools.as_deref());
    let common = recording.config.get("tools").and_then(Value::as_array).map(Vec::as_slice);
    let mut found = None;
    for tool in of_agents.chain(common).flat_map(|list| list.iter()) {
        let name = tool.as_str().or_else(|| tool.get("name")?.as_str());
        let name = name.or_else(|| tool.get("function")?.get("name")?.as_str())?;
        found.get_or_insert_with(Set::new).insert(name);
    }
    found
}

/// Checks some assertions of a recording at `path` on a run, within the budget.
pub(crate) fn check_within(
    assertions: &[&Assertion],
    run: &Run,
    path: &str,
    recording: Option<&Transcript>,
    total: &mut Budget,
) -> Vec<Outcome> {
    if assertions.is_empty() {
        return Vec::new();
    }
    let mut subject = Subject::new(run);
    subject.declared = recording.and_then(declared_tools);
    let one = |(index, assertion): (usize, &&Assertion)| {
        let mut outcome = Outcome::new(index, assertion, path);
        let limit = Budget::default();
        let allowed = Budget { steps: limit.steps.min(total.steps), bytes: limit.bytes.min(total.bytes) };
        subject.budget = allowed.clone();
        subject.evidences = Evidences::default();
        let result = Fields::validated(assertion).and_then(|fields| match fields.value("agent") {
            None => subject.evaluate(&fields),
            Some(agent) => subject.evaluate_agent(agent, &fields),
        });
        total.steps -= allowed.steps - subject.budget.steps;
        total.bytes -= allowed.bytes - subject.budget.bytes;
        let evidences = std::mem::take(&mut subject.evidences);
        (outcome.evidence, outcome.omitted) = (evidences.list, evidences.omitted);
        match result {
            Ok(verdict) => {
                (outcome.status, outcome.code) = match verdict.holds {
                    true => (Status::Passed, None),
                    false => (Status::Failed, Some(verdict.code)),
                };
                outcome.message = verdict.message;
                outcome.help = verdict.help;
                outcome.failed_field = verdict.field.filter(|_| !verdict.holds);
            }
            Err(fault) => return outcome.unusable(*fault),
        }
        outcome
    };
    assertions.iter().enumerate().map(one).collect()
}

/// Whether an assertion holds, and why.
struct Verdict {
    holds: bool,
    /// The rule for the same problem in a document, if the assertion fails.
    code: &'static str,
    /// The field that decides.
    field: Option<&'static str>,
    message: String,
    help: Option<String>,
}

impl Verdict {
    fn new(holds: bool, message: String) -> Self {
        Self { holds, code: codes::ASSERTION_CANNOT_HOLD, field: None, message, help: None }
    }

    fn field(mut self, field: &'static str) -> Self {
        self.field = Some(field);
        self
    }

    fn help(mut self, help: Option<String>) -> Self {
        self.help = help.filter(|_| !self.holds);
        self
    }
}

/// A verdict, or what makes the assertion unusable.
type VerdictResult = Result<Verdict, Box<Fault>>;

/// A run with what its assertions look up.
struct Subject<'r> {
    run: &'r Run,
    by_id: Table<&'r str, usize>,
    by_tool: Table<&'r str, Vec<usize>>,
    /// The runs inside it, found when they are needed; see [`Run::inside`].
    inside: OnceCell<Rc<[(String, &'r Run)]>>,
    /// The tools that the recording declares, if it does.
    declared: Option<Set<&'r str>>,
    /// The texts of the messages, made when they are needed.
    texts: Vec<OnceCell<Text>>,
    /// The data of expressions; a variable not yet read is null.
    data: Option<Value>,
    read: Vec<&'static str>,
    budget: Budget,
    evidences: Evidences,
}

impl<'r> Subject<'r> {
    fn new(run: &'r Run) -> Self {
        let mut by_tool: Table<&str, Vec<usize>> = Table::new();
        for (index, call) in run.calls.iter().enumerate() {
            by_tool.entry(&call.call.name.value).or_default().push(index);
        }
        // If two messages have one id, it refers to the first.
        let ids = run.messages.iter().enumerate().rev();
        Self {
            run,
            by_id: collect_one_by_one(ids.map(|(index, message)| (&*message.stored.id.value, index))),
            by_tool,
            inside: OnceCell::new(),
            declared: None,
            texts: vec![OnceCell::new(); run.messages.len()],
            data: None,
            read: Vec::new(),
            budget: Budget::default(),
            evidences: Evidences::default(),
        }
    }

    fn inside(&self) -> Rc<[(String, &'r Run)]> {
        let run = self.run;
        self.inside.get_or_init(|| run.inside().into()).clone()
    }

    /// The verdict of an assertion about one agent.
    fn evaluate_agent(&mut self, agent: &Value, fields: &Fields<'_>) -> VerdictResult {
        let Some(agent) = agent.as_str() else {
            return Ok(Verdict::new(false, "`agent` must be the name of an agent".to_owned()).field("agent"));
        };
        self.spend(self.run.messages.len().saturating_mul(64))?;
        let Some(part) = self.run.for_agent(agent) else {
            let names = self.run.agents();
            let meant = closest(agent, names.iter().map(String::as_str)).map(did_you_mean);
            let verdict = Verdict::new(false, format!("unknown agent `{agent}`"));
            return Ok(verdict.field("agent").help(meant));
        };
        let mut other = Subject::new(&part);
        other.budget = std::mem::take(&mut self.budget);
        let verdict = other.evaluate(fields);
        self.budget = other.budget;
        self.evidences = other.evidences;
        verdict
    }

    fn evaluate(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let mut verdict = self.evaluate_assertion(fields)?;
        if !verdict.holds
            && fields.name().starts_with("tool_")
            && fields.tools().any(|tool| self.is_doubtful(tool))
        {
            verdict.code = codes::ASSERTION_TOOL;
        }
        Ok(verdict)
    }

    fn evaluate_assertion(&mut self, fields: &Fields<'_>) -> VerdictResult {
        match fields.name() {
            "contains" => self.contains(fields, true),
            "not_contains" => self.contains(fields, false),
            "matches" => self.matches(fields),
            "equals" => self.equals(fields),
            "final_response_contains" => self.answer_contains(fields),
            "tool_called" => self.called(fields, true),
            "tool_not_called" => self.called(fields, false),
            "tool_call_count" => self.call_count(fields),
            "tool_sequence" => self.sequence(fields),
            "context_value" => self.context_value(fields),
            "message_count" => self.message_count(fields),
            "visible" => self.visible(fields),
            "max_tokens" => self.max_tokens(fields),
            "max_turns" => self.max_turns(fields),
            "no_errors" => self.no_errors(),
            "json_path" => self.json_path(fields),
            _ => self.expression(fields),
        }
    }

    /// Spends the budget for reading `bytes` of text, or that many values times 64.
    fn spend(&mut self, bytes: usize) -> Result<(), Box<Fault>> {
        match self.budget.steps.checked_sub(bytes as u64 / 64 + 1) {
            Some(left) => {
                self.budget.steps = left;
                Ok(())
            }
            None => Err(Fault::from_run("the assertions of this run take too many steps", None)),
        }
    }
}

/// The path to the first part of `wanted`, also in nested maps, that the arguments do not match.
fn first_missing(arguments: &Value, wanted: &Map<String, Value>) -> Option<String> {
    wanted.iter().find_map(|(key, wanted)| match (arguments.get(key), wanted) {
        (Some(actual @ Value::Object(_)), Value::Object(wanted)) => {
            first_missing(actual, wanted).map(|rest| format!(".{key}{rest}"))
        }
        (Some(actual), wanted) => {
            crate::parse::difference(actual, wanted).map(|rest| format!(".{key}{rest}"))
        }
        (None, _) => Some(format!(".{key}")),
    })
}
