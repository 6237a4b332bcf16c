//! Where a run repeats itself: calls again after they failed, and calls that keep giving the same.

use serde_json::Value;
use transcript_core::document::Document;
use transcript_core::model::{Content, ToolRun, TurnKind};
use transcript_core::text::{Table, content_key, sort_by_key};
use transcript_core::view::StepRow;

use crate::clock;

/// The number of equal calls with equal results that makes a loop.
const LOOP: usize = 3;

/// The rows that call a tool again with the same arguments after it failed, or a model right after it failed; and for
/// each row in a loop the row, which of the equal calls it is (from 1), and of how many. A loop is the same tool with the
/// same arguments and the same result at least three times, in one run and without a message of a person between.
pub(crate) fn repeats(document: &Document, rows: &[StepRow]) -> (Vec<usize>, Vec<[usize; 3]>) {
    let mut retries = Vec::new();
    // Of each call whether it failed when it was made last, and of each outcome the rows that have it.
    let mut failed: Table<String, bool> = Table::new();
    let mut outcomes: Table<String, Vec<usize>> = Table::new();
    let mut messages: Table<&str, usize> = Table::new();
    for (at, row) in rows.iter().enumerate() {
        let Some((timeline, step)) = document.timeline_at(&row.path) else { continue };
        let Some(turn) = timeline.turn_at(step) else { continue };
        let run = row.path.rsplit_once('.').map_or("", |(run, _)| run);
        let written = messages.entry(run).or_default();
        if clock::is_of_person(turn) {
            *written += 1;
        }
        let Some(tool) = &turn.tool else {
            let is_model = turn.kind.value == TurnKind::LlmCall;
            let before = step.checked_sub(1).and_then(|step| timeline.turn_at(step));
            let has_failed =
                before.is_some_and(|before| before.kind.value == TurnKind::LlmCall && before.error.is_some());
            if is_model && has_failed {
                retries.push(at);
            }
            continue;
        };
        let name = Value::from(&*tool.name.value);
        let call = content_key(&Value::Array(vec![run.into(), name, ordered(&tool.parameters)]));
        let outcome = Value::Array(vec![call.as_str().into(), (*written).into(), outcome(tool)]);
        outcomes.entry(content_key(&outcome)).or_default().push(at);
        if failed.insert(call, !tool.success) == Some(true) {
            retries.push(at);
        }
    }
    let mut loops = Vec::new();
    for equal in outcomes.values().filter(|equal| equal.len() >= LOOP) {
        loops.extend(equal.iter().enumerate().map(|(nth, row)| [*row, nth + 1, equal.len()]));
    }
    sort_by_key(&mut loops, |[row, ..]| *row);
    (retries, loops)
}

/// What a call came to.
fn outcome(tool: &ToolRun) -> Value {
    let error = tool.error.as_ref().filter(|_| !tool.success);
    let text = error.map_or_else(|| Content::from_result(tool.answer()).to_text(), Content::to_text);
    Value::Array(vec![tool.success.into(), text.into()])
}

/// A value with sorted keys: the order of arguments has no meaning.
fn ordered(value: &Value) -> Value {
    match value {
        Value::Object(entries) => {
            let sorted: Table<&String, Value> =
                entries.iter().map(|(key, value)| (key, ordered(value))).collect();
            Value::Array(sorted.into_iter().flat_map(|(key, value)| [key.as_str().into(), value]).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(ordered).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::document::Limits;

    /// The repeats in a run of these turns.
    fn of(turns: &[&str]) -> (Vec<usize>, Vec<[usize; 3]>) {
        let mut text = String::from("execution:\n");
        for (at, turn) in turns.iter().enumerate() {
            text += &format!("  - {{turn: {}, {turn}}}\n", at + 1);
        }
        let document = Document::open(&text, &Limits::default());
        repeats(&document, &document.steps())
    }

    const FAILED: &str =
        "type: tool_call, tool_call: {tool_name: test, parameters: {a: 1, b: 2}, success: false, error: no}";
    const PASSED: &str =
        "type: tool_call, tool_call: {tool_name: test, parameters: {b: 2, a: 1}, success: true, result: ok}";
    const OTHER: &str =
        "type: tool_call, tool_call: {tool_name: test, parameters: {a: 1}, success: true, result: ok}";
    const MODEL: &str = "type: llm_call, llm_response: {content: a}";
    const LIMITED: &str = "type: llm_call, llm_error: {type: rate_limit, message: Too many requests}";
    const PERSON: &str = "type: message, message_created: {id: m, role: user, content: Hi}";

    #[test]
    fn a_call_again_after_it_failed_is_a_retry() {
        // Another call is none, and neither is one after it worked.
        assert_eq!(of(&[FAILED, MODEL, OTHER, MODEL, PASSED, PASSED]).0, [5]);
        assert_eq!(of(&[FAILED, FAILED, PERSON, PASSED]).0, [2, 4]);
        // A model is called with what has changed since, so only the very next call is one.
        assert_eq!(of(&[LIMITED, LIMITED, MODEL, MODEL]).0, [2, 3]);
        assert_eq!(of(&[LIMITED, PERSON, MODEL]).0, [] as [usize; 0]);
    }

    #[test]
    fn the_same_call_with_the_same_result_three_times_is_a_loop() {
        let (retries, loops) = of(&[FAILED, OTHER, FAILED, OTHER, FAILED, PASSED]);
        assert_eq!((retries, loops), (vec![3, 5, 6], vec![[1, 1, 3], [3, 2, 3], [5, 3, 3]]));
        assert_eq!(of(&[PASSED, PASSED, MODEL, FAILED]).1, [] as [[usize; 3]; 0]);
        // A person asked for it again.
        assert_eq!(of(&[PASSED, PASSED, PERSON, PASSED, PASSED]).1, [] as [[usize; 3]; 0]);
    }

    #[test]
    fn runs_do_not_repeat_each_other() {
        let inner = format!("{{execution: [{{turn: 1, {PASSED}}}]}}");
        let outer = format!(
            "type: tool_call, tool_call: {{tool_name: ask, parameters: {{}}, success: true, result: {{nested_transcript: {inner}}}}}"
        );
        let other = outer.replace("parameters: {}", "parameters: {c: 1}");
        let (_, loops) = of(&[&outer, PASSED, &other, PASSED]);
        assert_eq!(loops, [] as [[usize; 3]; 0]);
    }
}
