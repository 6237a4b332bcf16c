//! The whole run in one strip of columns: where state changed, where messages came, how many tokens went, what went wrong.

use serde_json::{Value, json};
use transcript_core::view::{Status, StepRow};

/// The most columns; a longer run has several rows in one.
const COLUMNS: usize = 400;

/// What one column stands for.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    state: bool,
    messages: bool,
    tokens: u64,
    fault: bool,
}

/// The layers of the strip, each as the data of an SVG path in a box 24 high and `columns - 1` wide.
pub(crate) fn of_rows(rows: &[StepRow]) -> Value {
    let count = rows.len().min(COLUMNS);
    let mut columns = vec![Column::default(); count];
    for (at, row) in rows.iter().enumerate() {
        let Some(column) = columns.get_mut(at * count / rows.len()) else { continue };
        column.state |= row.changes_context;
        column.messages |= row.changes_messages;
        column.tokens = column.tokens.max(row.tokens.unwrap_or_default());
        column.fault |= is_fault(row);
    }
    let most = columns.iter().map(|column| column.tokens).max().unwrap_or_default().max(1) as f64;
    let path = |bar: &dyn Fn(&Column) -> Option<(f64, f64)>| -> String {
        let bars = columns.iter().enumerate().filter_map(|(at, column)| Some((at, bar(column)?)));
        bars.map(|(at, (from, to))| format!("M{at} {from:.1}V{to:.1}")).collect()
    };
    json!({
        "columns": count,
        "state": path(&|column| column.state.then_some((1.0, 5.0))),
        "messages": path(&|column| column.messages.then_some((7.0, 12.0))),
        "tokens": path(&|column| {
            (column.tokens > 0).then(|| (23.0, 23.0 - 9.0 * (column.tokens as f64 / most).max(0.1)))
        }),
        "faults": path(&|column| column.fault.then_some((0.0, 24.0))),
    })
}

/// Whether there is a problem in the step, or it failed.
pub(crate) fn is_fault(row: &StepRow) -> bool {
    row.problem.is_some() || row.status == Status::Failed
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::view::{Document, Limits};

    fn strip(text: &str) -> Value {
        of_rows(&Document::open(text, &Limits::default()).steps())
    }

    #[test]
    fn each_layer_has_a_bar_for_each_step_that_has_it() {
        let strip = strip(include_str!("../../../public/examples/error_handling.yaml"));
        // The tool fails in turn 2; every step after the first brings a message.
        assert!(strip["faults"].as_str().unwrap().starts_with("M2 0.0V24.0"), "{strip}");
        assert_eq!(
            strip["messages"].as_str().unwrap().matches('M').count(),
            strip["columns"].as_u64().unwrap() as usize
        );
        assert_eq!(of_rows(&[])["columns"], 0);
    }

    #[test]
    fn a_long_run_has_no_more_columns_than_there_is_room_for() {
        let items: String =
            (0..1_500).map(|at| format!("  - 'user: {at}'\n  - 'assistant: {at}'\n")).collect();
        let strip = strip(&format!("messages:\n{items}"));
        assert_eq!(strip["columns"], 400);
        assert_eq!(strip["messages"].as_str().unwrap().matches('M').count(), 400);
    }
}
