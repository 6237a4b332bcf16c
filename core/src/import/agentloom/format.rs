//! Detects and reads the files of AgentLoom.

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Grouping, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::{Pairing, handlers, recording, result_of_workflow};
use crate::parse::{Data, Kind, Node};

pub(in super::super) static FORMAT: Format = Format {
    kind: "agentloom-recording",
    names: &["agentloom", "agentloom-recording"],
    title: "AgentLoom",
    files: Grouping::Lead,
    // Embeddings are answers, though no run has a place for them.
    may_be_empty: true,
    extras: &["events", "handlers"],
    ..ANY
};

pub(in super::super) static WORDS: Words =
    Words { plural: "AgentLoom recordings", sentence: "this is an AgentLoom recording", ..ANY_WORDS };

/// Detection of files that another format of this folder detects.
pub(in super::super) static UNDETECTED: Detection = Detection::NONE;

pub(in super::super) static DETECTION: Detection = Detection {
    known_by: &[&["_version", "content", "usage", "model"]],
    root_of,
    // A run that made no call that AgentLoom records, such as a streamed one in 0.4.0.
    empty: ("{}", "This may be an AgentLoom recording without responses"),
    ..Detection::NONE
};

/// The calls of a replay by the mock provider.
pub(in super::super) static CALLS: Format =
    Format { kind: "agentloom-calls", files: Grouping::Companion(&FORMAT), ..ANY };

pub(in super::super) static CALLS_WORDS: Words = Words {
    sentence: "these are the calls of an AgentLoom replay",
    help: WITH_RECORDING,
    surplus: "the calls of another file belong to the recording",
    ..ANY_WORDS
};

/// The result of a workflow.
pub(in super::super) static RESULT: Format = Format {
    kind: "agentloom-result",
    files: Grouping::Companion(&FORMAT),
    // A transcript may have a `final_state` as well.
    may_be: |kind| kind != Kind::Full,
    ..ANY
};

pub(in super::super) static RESULT_WORDS: Words = Words {
    sentence: "this is the result of an AgentLoom workflow",
    help: WITH_RECORDING,
    surplus: "the result in another file belongs to the recording",
    ..ANY_WORDS
};

const WITH_RECORDING: &str =
    "pass it with its recording: `transcript convert RECORDING FILE --to yaml`, or `importLog`";

const ANY: Format = Format { rank: 150, ..Format::BASE };

const ANY_WORDS: Words = Words {
    run: "an AgentLoom recording",
    entry: ("response or call", "responses and calls"),
    unit: "responses",
    left_out: ("it is from AgentLoom", ""),
    ..Words::BASE
};

fn root_of(root: &Node) -> Option<Found> {
    if let Data::Seq(items) = &root.data {
        let is_call =
            |item: &Node| ["step_id", "messages", "matched"].iter().all(|key| item.get(key).is_some());
        let reason = "its entries have `step_id`, `messages` and `matched`, like the calls of AgentLoom's mock provider";
        return items.first().is_some_and(is_call).then(|| Found::certain(&CALLS, reason));
    }
    if root.get("step_results").is_some_and(Node::is_map) && root.get("workflow_name").is_some() {
        let reason = "it has `workflow_name` and `step_results`, like the result of an AgentLoom workflow";
        return Some(Found::certain(&RESULT, reason));
    }
    let mut answers = root.entries().iter().filter(|entry| !entry.key.text.starts_with('_')).peekable();
    answers.peek()?;
    let is_answer = |node: &Node| {
        (node.get("content").is_some() || node.get("embeddings").is_some())
            && (node.get("usage").is_some() || node.get("model").is_some())
    };
    let all = answers.all(|entry| match &entry.value.data {
        Data::Seq(items) => !items.is_empty() && items.iter().all(is_answer),
        _ => is_answer(&entry.value),
    });
    let has_version = root.get("_version").is_some();
    let reason = match all {
        true if has_version => {
            "it has `_version`, and every entry is a response with `content` and `usage`, as in AgentLoom recordings"
        }
        true => "every entry is a response with `content` and `usage` or `model`, as in AgentLoom recordings",
        false if has_version && root.entries().iter().any(|entry| is_answer(&entry.value)) => {
            "it has `_version` and some responses, as in AgentLoom recordings"
        }
        false => return None,
    };
    Some(Found { is_certain: all, ..Found::certain(&FORMAT, reason) })
}

/// Reads a recording with the calls of a replay and the result of the workflow, or such a result alone.
pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let (calls, results) = (request.files_of(&CALLS), request.files_of(&RESULT));
    let Some(file) = request.files_of(&FORMAT).first().copied() else {
        if let [result] = results.as_slice() {
            let imported = result_of_workflow(result);
            let turns = imported.transcript.get("execution").and_then(serde_json::Value::as_array);
            if turns.is_some_and(|turns| !turns.is_empty()) {
                let runs = Runs::once(request, imported);
                return Ok(Runs { format: &RESULT, files: vec![(*result, &RESULT)], ..runs });
            }
        }
        return Err(Refusal::new("the recording is missing".to_owned(), "pass it with these files"));
    };
    let pairing = Pairing { calls: calls.first().copied(), result: results.first().copied() };
    let read = recording(file.text);
    let files = [(Some(file), &FORMAT), (pairing.calls, &CALLS), (pairing.result, &RESULT)];
    let files = files.into_iter().filter_map(|(file, format)| Some((file?, format))).collect();
    let (handlers, answers) = (Some(handlers(&read)), read.rows.clone());
    let mut runs = Runs::new(request, Vec::new(), move |_| read.transcript(file.path, &pairing));
    (runs.files, runs.extras.handlers, runs.extras.responses) = (files, handlers, answers);
    Ok(runs)
}
