//! The whole run in one strip of columns: where state changed, where messages came, how many tokens went, what went wrong.

use transcript_core::view::{RunStrip, Status, StepRow, Untimed};

/// The most columns; a longer run has several rows in one.
const COLUMNS: usize = 400;

/// What one column shows.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    state: bool,
    messages: bool,
    tokens: u64,
    fault: bool,
}

/// The layers of the strip, each as the data of an SVG path in a box 24 high and `columns - 1` wide. With the `times` of
/// the rows, in milliseconds from the first, they are placed by time; else evenly.
pub(crate) fn run_strip(rows: &[&StepRow], times: Option<&[f64]>) -> RunStrip {
    let count = if times.is_some() { COLUMNS } else { rows.len().min(COLUMNS) };
    let mut columns = vec![Column::default(); count];
    let last = times.and_then(|times| times.last().copied()).unwrap_or_default().max(1.0);
    for (at, row) in rows.iter().enumerate() {
        let time = times.and_then(|times| times.get(at));
        let place = match time {
            Some(time) => (time / last * (count - 1) as f64).round() as usize,
            None => at * count / rows.len(),
        };
        let Some(column) = columns.get_mut(place) else { continue };
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
    RunStrip {
        columns: count,
        state: path(&|column| column.state.then_some((1.0, 5.0))),
        messages: path(&|column| column.messages.then_some((7.0, 12.0))),
        tokens: path(&|column| {
            (column.tokens > 0).then(|| (23.0, 23.0 - 9.0 * (column.tokens as f64 / most).max(0.1)))
        }),
        faults: path(&|column| column.fault.then_some((0.0, 24.0))),
        untimed: None,
        unknown: 0,
        times: None,
    }
}

/// When each step began, in milliseconds from the first known time; one without a time has that of the one before.
pub(crate) fn times(began: &[Option<f64>]) -> Result<Vec<f64>, Untimed> {
    let first = began.iter().flatten().next().copied().ok_or(Untimed::NoTimes)?;
    let mut latest = 0.0_f64;
    let times = began.iter().map(|began| {
        // Clocks that were set back do not turn the run round.
        latest = latest.max(began.unwrap_or(first) - first);
        latest
    });
    let times: Vec<f64> = times.collect();
    if latest > 0.0 { Ok(times) } else { Err(Untimed::SameTime) }
}

/// Whether there is a problem in the step, or it failed.
pub(crate) fn is_fault(row: &StepRow) -> bool {
    row.problem.is_some() || row.status == Status::Failed
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::document::{Document, Limits};

    fn strip(text: &str) -> RunStrip {
        let rows = Document::open(text, &Limits::default()).steps();
        run_strip(&rows.iter().collect::<Vec<_>>(), None)
    }

    #[test]
    fn each_layer_has_a_bar_for_each_step_that_has_it() {
        let strip = strip(include_str!("../../../public/examples/error_handling.yaml"));
        // The tool fails in turn 2; every step after the first brings a message.
        assert!(strip.faults.starts_with("M2 0.0V24.0"), "{strip:?}");
        assert_eq!(strip.messages.matches('M').count(), strip.columns);
        assert_eq!(run_strip(&[], None).columns, 0);
    }

    #[test]
    fn steps_stand_at_their_times() {
        assert_eq!(
            times(&[None, Some(5_000.0), None, Some(4_000.0), Some(15_000.0)]),
            Ok(vec![0.0, 0.0, 0.0, 0.0, 10_000.0])
        );
        assert_eq!(
            (times(&[None, None]), times(&[Some(7.0), Some(7.0)])),
            (Err(Untimed::NoTimes), Err(Untimed::SameTime))
        );
        let rows =
            Document::open("messages: ['user: a', 'assistant: b', 'user: c']", &Limits::default()).steps();
        let rows: Vec<&StepRow> = rows.iter().collect();
        let strip = run_strip(&rows, Some(&[0.0, 100.0, 1_000.0]));
        assert_eq!(strip.messages, "M0 7.0V12.0M40 7.0V12.0M399 7.0V12.0");
    }

    #[test]
    fn a_long_run_has_no_more_columns_than_there_is_room_for() {
        let items: String =
            (0..1_500).map(|at| format!("  - 'user: {at}'\n  - 'assistant: {at}'\n")).collect();
        let strip = strip(&format!("messages:\n{items}"));
        assert_eq!(strip.columns, 400);
        assert_eq!(strip.messages.matches('M').count(), 400);
    }
}
