//! Two runs side by side, as a page shows them.

use serde_json::{Value, json};
use transcript_core::check::Status;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::document::Document;
use transcript_core::view::{self, ChangeView, StepRow, difference, difference_options};

use super::diff::unreadable;
use super::input::{OperationInput, data};

/// Takes `ignore` and `literalIds`. The answer of two that can be read has what `diff` answers without its text, in
/// `rows` the steps that belong together, and of each side in `left` and `right` its `steps`, the initial state first,
/// and its totals. A row is `[mark, left, right]`: `=`, `~`, `+` or `-`, and the places in `steps` or null.
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let options = difference_options(&input.map(&[("ignore", "ignore"), ("literalIds", "literalIds")]))?;
    let (left, right) = (input.document(), input.other());
    let Some(found) = difference(&left, &right, &options) else {
        return Ok(unreadable(&[(&input.file, &left), (&input.other_file, &right)]));
    };
    let rows: Vec<Row> = std::iter::once((Some(0), Some(0))).chain(found.steps.iter().copied()).collect();
    let changed = changed(&rows, &found.changes);
    let rows = rows.into_iter().zip(changed);
    let rows: Vec<Value> = rows
        .map(|((left, right), changed)| {
            let mark = match (left, right, changed) {
                (Some(_), Some(_), false) => "=",
                (Some(_), Some(_), true) => "~",
                (None, _, _) => "+",
                (_, None, _) => "-",
            };
            json!([mark, left, right])
        })
        .collect();
    Ok(json!({
        "ok": true,
        "equal": found.equal,
        "summary": found.summary,
        "changes": found.changes,
        "ignored": found.ignored,
        "rows": rows,
        "left": side(&left),
        "right": side(&right),
    }))
}

/// The places of the steps of a row on the left and on the right.
type Row = (Option<usize>, Option<usize>);

/// For each row, whether there is a change in it.
fn changed(rows: &[Row], changes: &[ChangeView]) -> Vec<bool> {
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
fn side(document: &Document) -> Value {
    let rows = document.steps();
    let tokens: u64 = rows.iter().filter_map(|row| row.tokens).sum();
    let tools = rows.iter().filter(|row| row.kind == "tool_call").count();
    let outcomes = document.check();
    let held = outcomes.iter().filter(|outcome| outcome.outcome.status == Status::Passed).count();
    let steps: Vec<Value> = rows.iter().filter(|row| row.depth == 0).map(step).collect();
    json!({
        "name": document.overview().name,
        "count": steps.len().saturating_sub(1),
        "tools": tools,
        "tokens": tokens,
        "assertions": outcomes.len(),
        "held": held,
        "steps": steps,
    })
}

fn step(row: &StepRow) -> Value {
    json!({
        "path": row.path,
        "turn": row.turn,
        "kind": row.kind,
        "role": row.role,
        "summary": row.summary,
        "tools": data(&row.tools),
        "tokens": row.tokens,
        "failed": row.status == view::Status::Failed,
    })
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
        assert_eq!(
            answer["rows"],
            json!([["=", 0, 0], ["~", 1, 1], ["+", null, 2], ["=", 2, 3], ["-", 3, null]])
        );
        assert_eq!((&answer["left"]["count"], &answer["right"]["count"]), (&json!(3), &json!(3)));
        assert_eq!(answer["right"]["steps"][2]["summary"], "Anybody?");
        assert_eq!(answer["changes"][0]["path"], "execution[0].llm_response.content");
    }

    #[test]
    fn the_same_twice_has_no_row_that_differs() {
        let answer = compare(LEFT, LEFT, "");
        assert_eq!((&answer["equal"], &answer["changes"]), (&json!(true), &json!([])));
        let marks: Vec<&str> =
            answer["rows"].as_array().unwrap().iter().filter_map(|row| row[0].as_str()).collect();
        assert_eq!(marks, ["=", "=", "=", "="]);
    }

    #[test]
    fn a_change_of_the_initial_state_is_a_row_of_its_own() {
        let answer = compare(LEFT, &LEFT.replace("user: Hi", "user: Hey"), "");
        assert_eq!(answer["rows"][0], json!(["~", 0, 0]));
        assert_eq!(answer["rows"][1], json!(["=", 1, 1]));
    }

    #[test]
    fn totals_count_tools_tokens_and_assertions() {
        let text = "messages: ['user: Hi', 'assistant:call add(a=1)', 'tool:add: 2', 'assistant: Two']\nassertions: [{contains: Two}, {contains: Three}]\n";
        let left = &compare(text, LEFT, "")["left"];
        assert_eq!((&left["tools"], &left["assertions"], &left["held"]), (&json!(1), &json!(2), &json!(1)));
    }

    #[test]
    fn files_that_cannot_be_read_are_named() {
        let answer = compare(LEFT, "messages: ['usr: Hi']", r#"{"file": "a.yaml", "otherFile": "b.yaml"}"#);
        assert_eq!((&answer["ok"], &answer["unreadable"]), (&json!(false), &json!(["b.yaml"])));
        assert!(answer["diagnostics"][0]["message"].as_str().unwrap().contains("usr"));
    }
}
