//! A document run twice: whether the same comes of it, whatever order its lines and its maps stand in.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::EventLog;
use super::simulate::simulation_with;
use crate::document::{Document, Options};
use crate::mock::Code;
use crate::order::OrderKind;
use crate::parse::parse;
use crate::replay::{ReplayAnswer, Session};
use crate::simulate::{Progress, Simulation};
use crate::text::json;
use crate::verify::{
    Cause, Failure, ReplayRequest, Settings, TRACE_BLOCK, TraceRetention, compare, normalize_order,
    reverse_keys,
};
use crate::write;

/// Steps before and after the first difference that are shown.
const AROUND: usize = 3;

/// The comparison of two runs of one document.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DeterminismReport {
    /// What was run: a recording was replayed, the steps of a scenario were simulated, or a log of events was replayed; `none`
    /// when the document cannot be run.
    #[cfg_attr(feature = "typescript", ts(type = "'replay' | 'simulation' | 'events' | 'none'"))]
    pub kind: Cow<'static, str>,
    /// Whether both runs are the same, and neither failed.
    pub ok: bool,
    /// Whether both runs are the same.
    pub identical: bool,
    /// Why the document was not run, or proves nothing.
    pub reason: Option<String>,
    /// The SHA-256 of the result of each run, in hexadecimal digits; none when the document cannot be run.
    pub hashes: Vec<String>,
    /// How many steps or events a run has.
    pub steps: usize,
    /// The first difference of the runs; `None` when they are the same.
    pub first_difference: Option<FirstDifference>,
    /// What could not be done, the same way in both runs.
    pub failures: Vec<Failure>,
    /// Notes, such as where a run ends because code would have to continue it.
    pub notes: Vec<String>,
    /// Both runs as transcripts in YAML, where they differ and are runs of steps.
    pub runs: Vec<String>,
}

/// The first difference of two runs.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FirstDifference {
    /// The step, or the id of the event.
    pub step: String,
    /// The place in the run, such as `execution[2].llm_response.content`.
    pub path: String,
    /// What the first run has there; `None` when it has nothing.
    pub first: Option<Value>,
    /// What the second run has there.
    pub second: Option<Value>,
    /// What that looks like; `None` when it looks like nothing that is known.
    #[cfg_attr(feature = "typescript", ts(inline))]
    pub cause: Option<Cause>,
    /// The step with three before it and three after it.
    pub around: Vec<StepPair>,
}

/// A step near the first difference.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StepPair {
    /// The step, or the id of the event.
    pub step: String,
    /// Its kind, or the type of the event.
    pub kind: String,
    /// What it is in the first run, in short; `None` when that has no such step.
    pub first: Option<String>,
    /// What it is in the second run.
    pub second: Option<String>,
}

/// Runs a document twice, in two instances apart, the second with the keys of all maps the other way round and the lines of
/// a log in an order that `seed` decides. A recording is replayed strictly, the steps of a scenario are simulated, a log
/// of events is replayed in the order of what followed from what.
///
/// ```
/// use transcript_core::document::Options;
/// use transcript_core::view::check_determinism;
/// let same = check_determinism(b"messages: ['user: Hi', 'assistant: Hello!']", 1, &Options::default());
/// assert_eq!((&*same.kind, same.ok, same.steps), ("replay", true, 1));
/// assert_eq!(same.hashes[0], same.hashes[1]);
///
/// let text = "handlers: {bot: {type: queue, responses: ['{{ keys(context) }}']}}\n\
///             steps: [{op: set_context, context: {a: 1, b: 2}}, {op: call, content: Hi}]";
/// let other = check_determinism(text.as_bytes(), 1, &Options::default());
/// let difference = other.first_difference.unwrap();
/// assert_eq!((&*difference.step, &*difference.path), ("1", "execution[0].llm_response.content[0]"));
/// ```
#[must_use]
pub fn check_determinism(text: &[u8], seed: u64, options: &Options) -> DeterminismReport {
    let document = Document::open_bytes_with(text, options);
    if document.other_format() == Some("event-log") {
        return compare_event_logs(text, seed);
    }
    let refused = |reason: &str| DeterminismReport {
        kind: "none".into(),
        reason: Some(reason.to_owned()),
        ..DeterminismReport::default()
    };
    let Some(root) = parse(document.text(), &options.limits).root else {
        return refused("the document is empty");
    };
    let again = reverse_keys(&root.to_value());
    let has_run = document.timeline().is_some_and(|timeline| timeline.steps() > 0);
    if has_run || (document.timeline().is_some() && document.handlers().is_none()) {
        if !document.is_whole() {
            return refused("the document has errors, so its run is incomplete");
        }
        let second = Document::open_with(&again.to_string(), options);
        return compare_runs("replay", [document, second], Vec::new());
    }
    if root.get("steps").is_none_or(|steps| steps.items().is_empty()) {
        return refused("the document has neither a run nor `steps`");
    }
    let mut notes = Vec::new();
    let mut runs = Vec::new();
    for text in [document.text().to_owned(), again.to_string()] {
        let begun = match simulation_with(&text, &options.limits, &Code::default()) {
            Ok(begun) => begun,
            Err(problems) => {
                let first = problems.into_iter().next();
                let message = first.map(|problem| format!("`{}` {}", problem.path, problem.message));
                return refused(&message.unwrap_or_default());
            }
        };
        let mut simulation = begun.simulation;
        notes = simulated(&mut simulation);
        runs.push(Document::open_with(&write::yaml(&simulation.transcript()), options));
    }
    match <[Document; 2]>::try_from(runs) {
        Ok(runs) => compare_runs("simulation", runs, notes),
        Err(_) => refused(""),
    }
}

/// Runs all steps as far as they go without code of a host, and returns what went wrong.
fn simulated(simulation: &mut Simulation) -> Vec<String> {
    let mut notes = Vec::new();
    loop {
        let awaited = match simulation.run() {
            Progress::Done => break,
            Progress::Event { .. } => continue,
            Progress::NeedsTool { call, .. } => format!("the tool `{}` has no `results`", call.name),
            Progress::NeedsResponse { agent, .. } => format!("`{agent}` has a handler in code"),
            Progress::NeedsFunction { agent, .. } => format!("`{agent}` has a handler in code"),
        };
        notes.push(format!("both runs end where code is needed: {awaited}"));
        return notes;
    }
    for (step, at) in simulation.report().steps.iter().zip(0..) {
        if let Some(error) = &step.error {
            notes.push(format!("`steps[{at}]` fails in both runs: {}: {}", error.kind, error.message));
        }
    }
    notes
}

/// What a run comes to, a line for each thing: what it begins with, its steps, how it ends, and the answers of its replay.
#[derive(Default)]
struct RunTrace {
    lines: Vec<String>,
    steps: usize,
    failures: Vec<Failure>,
    notes: Vec<String>,
    written: Value,
}

fn trace_run(document: &Document) -> RunTrace {
    let Some(timeline) = document.timeline() else { return RunTrace::default() };
    let written = write::brief(timeline.transcript());
    let mut trace = RunTrace { steps: timeline.steps(), ..RunTrace::default() };
    let mut head = written.clone();
    let mut end = Value::Null;
    let mut turns = Vec::new();
    if let Some(map) = head.as_object_mut() {
        if let Some(Value::Array(list)) = map.shift_remove("execution") {
            turns = list;
        }
        end = json!({ "final_state": map.shift_remove("final_state") });
    }
    let lines = std::iter::once(head).chain(turns).chain(std::iter::once(end));
    trace.lines.extend(lines.map(|line| normalize_order(line).to_string()));
    trace.written = written;
    match Session::new(timeline.clone()) {
        Ok(mut session) => {
            while let Some(answer) = session.rehearse() {
                if let ReplayAnswer::Divergence { divergence } = &answer {
                    let message = divergence.text.lines().next().unwrap_or_default().to_owned();
                    trace.failures.push(Failure { event: divergence.step.clone(), message });
                    break;
                }
                let answer = serde_json::to_value(&answer).unwrap_or_default();
                trace.lines.push(normalize_order(answer).to_string());
            }
        }
        Err(reason) => trace.notes.push(reason.to_string()),
    }
    trace
}

fn compare_runs(kind: &'static str, runs: [Document; 2], notes: Vec<String>) -> DeterminismReport {
    let [one, other] = &runs;
    let (first, second) = (trace_run(one), trace_run(other));
    let identical = first.lines == second.lines;
    let mut answer = DeterminismReport {
        kind: kind.into(),
        identical,
        ok: identical && first.failures.is_empty(),
        hashes: vec![print(&first.lines), print(&second.lines)],
        steps: first.steps,
        failures: first.failures,
        notes: notes.into_iter().chain(first.notes).collect(),
        ..DeterminismReport::default()
    };
    if !identical {
        let same = first.lines.iter().zip(&second.lines).take_while(|(one, other)| one == other).count();
        answer.first_difference =
            Some(first_difference(&runs, same, first.steps, [&first.lines, &second.lines]));
        answer.runs = vec![write::yaml(&first.written), write::yaml(&second.written)];
    }
    answer
}

fn print<T: AsRef<str>>(lines: &[T]) -> String {
    let mut digest = Sha256::new();
    for line in lines {
        digest.update(line.as_ref());
        digest.update("\n");
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first difference of two runs whose first `same` lines are the same.
fn first_difference(
    runs: &[Document; 2],
    same: usize,
    steps: usize,
    lines: [&Vec<String>; 2],
) -> FirstDifference {
    let line = |lines: &Vec<String>| lines.get(same).map(|line| format!("{line}\n")).unwrap_or_default();
    let [one, other] = lines.map(line);
    let found = compare(&one, &other);
    let (field, first, second) =
        found.map_or_else(Default::default, |found| (found.field, found.first, found.second));
    let answered = |line: &str| {
        let answer: Value = crate::text::json_value(line).ok()?;
        Some(answer.get("step")?.as_str()?.to_owned())
    };
    let (step, prefix) = match same {
        0 => ("0".to_owned(), String::new()),
        at if at <= steps => (at.to_string(), format!("execution[{}]", at - 1)),
        at if at == steps + 1 => (steps.to_string(), String::new()),
        _ => (answered(&one).or_else(|| answered(&other)).unwrap_or_default(), "answer".to_owned()),
    };
    let at = step.split('.').next().and_then(|step| step.parse::<usize>().ok()).unwrap_or_default();
    let rows = |document: &Document| -> Vec<_> {
        document.steps().into_iter().filter(|row| row.depth == 0).collect()
    };
    let [one, other] = runs;
    let (one, other) = (rows(one), rows(other));
    let around = (at.saturating_sub(AROUND)..=at + AROUND).filter_map(|at| {
        let (first, second) = (one.get(at), other.get(at));
        let summary = |row: &super::StepRow| match &*row.summary {
            "" => row.tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>().join(", "),
            text => text.to_owned(),
        };
        Some(StepPair {
            step: at.to_string(),
            kind: first.or(second)?.kind.clone(),
            first: first.map(summary),
            second: second.map(summary),
        })
    });
    FirstDifference {
        around: around.collect(),
        path: json_path(prefix, &field),
        cause: first.as_ref().zip(second.as_ref()).and_then(|(one, other)| Cause::from_values(one, other)),
        first,
        second,
        step,
    }
}

/// A dotted path behind a prefix, with the places of lists in brackets.
fn json_path(prefix: String, field: &str) -> String {
    field.split('.').filter(|part| !part.is_empty()).fold(prefix, |mut path, part| {
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            path.push_str(&format!("[{part}]"));
        } else {
            path.push_str(if path.is_empty() { "" } else { "." });
            path.push_str(part);
        }
        path
    })
}

fn compare_event_logs(text: &[u8], seed: u64) -> DeterminismReport {
    let first = EventLog::open_bytes(text, None);
    let refused = |reason: &str| DeterminismReport {
        kind: "none".into(),
        reason: Some(reason.to_owned()),
        ..DeterminismReport::default()
    };
    if !first.is_ok() {
        return refused("the log has errors and cannot be replayed");
    }
    let second = EventLog::open(first.shuffled(seed));
    let (Some((prints, summary)), Some((again, _))) = (replayed(&first), replayed(&second)) else {
        return refused("the log has errors and cannot be replayed");
    };
    let identical = prints == again;
    let at = prints.iter().zip(&again).take_while(|(one, other)| one == other).count();
    DeterminismReport {
        kind: "events".into(),
        identical,
        ok: identical && summary.failed == 0 && summary.events > 0,
        reason: (summary.events == 0).then(|| "the log has no events".to_owned()),
        hashes: vec![print(&prints), print(&again)],
        steps: summary.events,
        first_difference: (!identical).then(|| first_event_difference(&first, &second, at * TRACE_BLOCK)),
        failures: summary.failures,
        ..DeterminismReport::default()
    }
}

fn replayed(log: &EventLog) -> Option<(Vec<String>, crate::verify::Summary)> {
    let mut replay = log.replay_with(Settings { keep: TraceRetention::Prints, ..Settings::default() })?;
    // No tool is live, so the host gets no requests.
    while replay.advance() != ReplayRequest::Done {}
    Some((replay.prints().to_vec(), replay.summary().clone()))
}

/// The first difference in the traces of two logs, from that line on.
fn first_event_difference(first: &EventLog, second: &EventLog, from: usize) -> FirstDifference {
    let lines = |log: &EventLog| {
        let keep = TraceRetention::Lines { from, count: TRACE_BLOCK };
        let mut replay = log.replay_with(Settings { keep, ..Settings::default() })?;
        while replay.advance() != ReplayRequest::Done {}
        Some(replay.take_trace())
    };
    let found = compare(&lines(first).unwrap_or_default(), &lines(second).unwrap_or_default());
    let (at, step, field, one, other) = found.map_or_else(Default::default, |found| {
        (found.line + from, found.event.unwrap_or_default(), found.field, found.first, found.second)
    });
    // The first line of a trace is its head.
    let begin = at.saturating_sub(2 + AROUND);
    let rows = |log: &EventLog| log.rows(OrderKind::default(), begin, 2 * AROUND + 1);
    let (left, right) = (rows(first), rows(second));
    let around = left.iter().zip(&right).map(|(left, right)| StepPair {
        step: left.id.clone(),
        kind: left.kind.clone(),
        first: Some(left.summary.clone()),
        second: Some(right.summary.clone()),
    });
    FirstDifference {
        around: around.collect(),
        path: json_path(String::new(), &field),
        cause: one.as_ref().zip(other.as_ref()).and_then(|(one, other)| Cause::from_values(one, other)),
        first: one,
        second: other,
        step,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> DeterminismReport {
        check_determinism(text.as_bytes(), 1, &Options::default())
    }

    const NONDETERMINISTIC: &str = include_str!("../../../public/examples/nondeterministic.yaml");

    #[test]
    fn dependence_on_the_order_of_keys_is_reported_with_step_and_path() {
        let found = check(NONDETERMINISTIC);
        assert_eq!((&*found.kind, found.ok, found.identical, found.steps), ("simulation", false, false, 3));
        assert_ne!(found.hashes[0], found.hashes[1]);
        let difference = found.first_difference.unwrap();
        assert_eq!((&*difference.step, &*difference.path), ("3", "execution[2].llm_response.content"));
        assert_eq!(difference.first.unwrap(), "The report has temp, condition and wind.");
        assert_eq!(difference.second.unwrap(), "The report has wind, condition and temp.");
        assert_eq!(difference.cause, Some(Cause::Order));
        let steps: Vec<&str> = difference.around.iter().map(|row| &*row.step).collect();
        assert_eq!(steps, ["0", "1", "2", "3"]);
        assert_eq!(found.runs.len(), 2);
    }

    #[test]
    fn every_other_example_is_the_same_twice() {
        for text in [
            include_str!("../../../public/examples/weather_query_with_tools.yaml"),
            include_str!("../../../public/examples/context_management.yaml"),
            include_str!("../../../public/examples/error_handling.yaml"),
            include_str!("../../../public/examples/nested_agent_call.yaml"),
            include_str!("../../../public/examples/weather_query.yaml"),
        ] {
            let found = check(text);
            assert_eq!((&*found.kind, found.ok, found.first_difference), ("replay", true, None), "{text}");
        }
    }

    #[test]
    fn a_document_that_cannot_run_has_a_reason() {
        let handlers = check("handlers: {bot: {type: queue, responses: [Hi]}}");
        assert_eq!(handlers.kind, "none");
        assert!(handlers.reason.unwrap().starts_with("the document has neither a run"));
        assert_eq!(check("messages: ['usr: Hi', 'assistant: Hello']").kind, "none");
        assert_eq!(check("").kind, "none");
        let live = check(
            "tools: [look]\nhandlers: {bot: {type: queue, responses: [{tool_calls: [{name: look}]}]}}\nsteps: [{op: execute, content: Hi}]",
        );
        assert_eq!(live.notes, ["both runs end where code is needed: the tool `look` has no `results`"]);
    }

    #[test]
    fn a_log_is_replayed_with_its_lines_in_another_order() {
        let line = |id: &str, agent: &str| {
            format!(
                r#"{{"event_id": "{id}", "type": "state_transition", "agent_id": "{agent}", "timestamp_ns": 1, "parent_event_id": null, "payload_hash": "518326b679f26820", "from_state": "idle", "to_state": "running"}}"#
            )
        };
        let one = line("46bd969b-9530-4e7e-a4af-29b2a01eb7a2", "bob");
        let other = line("08107546-46d9-4f76-81fd-4499d63f5f52", "ann");
        let found = check(&format!("{one}\n{other}\n"));
        assert_eq!((&*found.kind, found.ok, found.steps), ("events", true, 2));
        let swapped = check(&format!("{other}\n{one}\n"));
        assert_eq!(found.hashes, swapped.hashes);
    }
}
