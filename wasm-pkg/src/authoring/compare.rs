//! Two runs side by side, as a page shows them.

use serde_json::Value;
use transcript_core::check::Status;
use transcript_core::diagnostic::{InvalidInput, Severity};
use transcript_core::diff::Options;
use transcript_core::document::Document;
use transcript_core::view::{
    ChangeView, Comparison, ComparisonRow, ComparisonSide, RowKind, UnreadableDocument, UnreadableError,
    difference, difference_options,
};

use super::input::{OperationInput, data};

/// Takes `ignore` and `literalIds`; answers a [`Comparison`].
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let chosen = input.map(&[("ignore", "ignore"), ("literalIds", "literalIds")]);
    let mut options = difference_options(&chosen)?;
    let (left, right) = (input.document(), input.other());
    if chosen.get("ignore").is_none() && [&left, &right].iter().any(|document| is_imported(document)) {
        options = Options { ignore_timestamps: true, ignore_ids: true, ignore_metadata: true, ..options };
    }
    let Some(found) = difference(&left, &right, &options) else {
        let unreadable = [(&input.file, &left), (&input.other_file, &right)];
        let unreadable = unreadable.into_iter().filter_map(|(name, document)| unread(name, document));
        return Ok(data(&Comparison { unreadable: unreadable.collect(), ..Comparison::default() }));
    };
    let pairs: Vec<Pair> = std::iter::once((Some(0), Some(0))).chain(found.steps.iter().copied()).collect();
    let changed = changed(&pairs, &found.changes);
    let rows = pairs.into_iter().zip(changed).map(|((left, right), changed)| {
        let kind = match (left, right, changed) {
            (Some(_), Some(_), false) => RowKind::Same,
            (Some(_), Some(_), true) => RowKind::Changed,
            (None, _, _) => RowKind::Added,
            (_, None, _) => RowKind::Removed,
        };
        ComparisonRow { kind, left, right }
    });
    Ok(data(&Comparison {
        ok: true,
        unreadable: Vec::new(),
        equal: found.equal,
        summary: found.summary,
        changes: found.changes,
        ignored: found.ignored,
        rows: rows.collect(),
        left: side(&left),
        right: side(&right),
    }))
}

/// Whether a document was imported from a log: its times, ids and metadata are those of the log.
fn is_imported(document: &Document) -> bool {
    document.timeline().is_some_and(|timeline| timeline.transcript().metadata.contains_key("recording"))
}

/// The document with its first error; `None` when it can be read whole.
fn unread(name: &str, document: &Document) -> Option<UnreadableDocument> {
    let mut errors = document.diagnostics().iter().filter(|found| found.severity == Severity::Error);
    let error = errors.next().map(|found| UnreadableError {
        line: document.lines().position(document.text(), found.span.start as usize).line,
        message: found.message.clone(),
    });
    (!document.is_whole()).then(|| UnreadableDocument { name: name.to_owned(), error })
}

/// The places of the steps of a row on the left and on the right.
type Pair = (Option<usize>, Option<usize>);

/// For each row, whether there is a change in it.
fn changed(rows: &[Pair], changes: &[ChangeView]) -> Vec<bool> {
    let number = |step: &Option<String>| step.as_ref().and_then(|step| step.parse::<usize>().ok());
    let mut changed = vec![false; rows.len()];
    let mut at = 0;
    for change in changes {
        let pair = (number(&change.left_step), number(&change.right_step));
        if pair == (None, None) {
            continue; // It is outside the run.
        }
        // Changes have the order of the rows.
        let rest = rows.get(at..).unwrap_or_default();
        let Some(further) = rest.iter().position(|row| *row == pair) else { continue };
        at += further;
        if let Some(place) = changed.get_mut(at) {
            *place = true;
        }
    }
    changed
}

/// The steps of one side and what they sum up to.
fn side(document: &Document) -> ComparisonSide {
    let rows = document.steps();
    let outcomes = document.check();
    let tokens = rows.iter().filter_map(|row| row.tokens).sum();
    let tool_calls = rows.iter().filter(|row| row.kind == "tool_call").count();
    let passed = outcomes.iter().filter(|outcome| outcome.status == Status::Passed).count();
    let steps: Vec<_> = rows.into_iter().filter(|row| row.depth == 0).collect();
    let step_count = steps.len().saturating_sub(1);
    ComparisonSide { steps, step_count, tool_calls, tokens, assertions: outcomes.len(), passed }
}

#[cfg(test)]
mod tests {
    use super::super::author;
    use serde_json::{Value, json};

    fn compare(left: &str, right: &str, options: &str) -> Value {
        let answer = author("compare", left.as_bytes(), right.as_bytes(), options).unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    const LEFT: &str =
        "messages:\n  - 'user: Hi'\n  - 'assistant: Hello!'\n  - 'user: Go on'\n  - 'assistant: Bye'\n";

    #[test]
    fn steps_that_belong_together_stand_in_a_row() {
        let right = "messages:\n  - 'user: Hi'\n  - 'assistant: Hello there!'\n  - 'user: Anybody?'\n  - 'user: Go on'\n";
        let answer = compare(LEFT, right, "");
        assert_eq!(answer["ok"], true);
        let row = |kind: &str, left: Value, right: Value| json!({"kind": kind, "left": left, "right": right});
        let rows = json!([
            row("same", 0.into(), 0.into()),
            row("changed", 1.into(), 1.into()),
            row("added", Value::Null, 2.into()),
            row("same", 2.into(), 3.into()),
            row("removed", 3.into(), Value::Null),
        ]);
        assert_eq!(answer["rows"], rows);
        assert_eq!((&answer["left"]["stepCount"], &answer["right"]["stepCount"]), (&json!(3), &json!(3)));
        assert_eq!(answer["right"]["steps"][2]["summary"], "Anybody?");
        assert_eq!(answer["changes"][0]["path"], "execution[0].llm_response.content");
    }

    #[test]
    fn the_same_twice_has_no_row_that_differs() {
        let answer = compare(LEFT, LEFT, "");
        assert_eq!((&answer["equal"], &answer["changes"]), (&json!(true), &json!([])));
        let marks: Vec<&str> =
            answer["rows"].as_array().unwrap().iter().filter_map(|row| row["kind"].as_str()).collect();
        assert_eq!(marks, ["same", "same", "same", "same"]);
    }

    #[test]
    fn a_change_of_the_initial_state_is_a_row_of_its_own() {
        let answer = compare(LEFT, &LEFT.replace("user: Hi", "user: Hey"), "");
        assert_eq!(answer["rows"][0], json!({"kind": "changed", "left": 0, "right": 0}));
        assert_eq!(answer["rows"][1], json!({"kind": "same", "left": 1, "right": 1}));
    }

    #[test]
    fn totals_count_tools_tokens_and_assertions() {
        let text = "messages: ['user: Hi', 'assistant:call add(a=1)', 'tool:add: 2', 'assistant: Two']\nassertions: [{contains: Two}, {contains: Three}]\n";
        let left = &compare(text, LEFT, "")["left"];
        assert_eq!(
            (&left["toolCalls"], &left["assertions"], &left["passed"]),
            (&json!(1), &json!(2), &json!(1))
        );
    }

    #[test]
    fn files_that_cannot_be_read_are_named() {
        let answer = compare(LEFT, "messages: ['usr: Hi']", r#"{"file": "a.yaml", "otherFile": "b.yaml"}"#);
        let unreadable = answer["unreadable"].as_array().unwrap();
        assert_eq!((&answer["ok"], unreadable.len()), (&json!(false), 1));
        assert_eq!((&unreadable[0]["name"], &unreadable[0]["error"]["line"]), (&json!("b.yaml"), &json!(1)));
        assert!(unreadable[0]["error"]["message"].as_str().unwrap().contains("usr"));
    }
}
