//! The whole run in one strip: where state changed, where messages came, how many tokens went, where problems are.
//!
//! A slider lies over the drawing, so that pointer, finger, arrows and readers all know what it is. However long the run
//! is, the drawing has one path for each layer.

use leptos::prelude::*;
use transcript_core::view::{Status, StepRow};

use crate::state::Workspace;
use crate::strings::{fill, group, text};

/// Columns of the drawing; a longer run has several steps in one.
const COLUMNS: usize = 400;

/// The layers of the drawing, each as the data of a path in a box 24 high.
#[derive(Clone, Debug, Default, PartialEq)]
struct Strip {
    columns: usize,
    state: String,
    messages: String,
    tokens: String,
    faults: String,
    matches: String,
}

/// What one column stands for.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    state: bool,
    messages: bool,
    tokens: u64,
    fault: bool,
    is_match: bool,
}

impl Strip {
    fn of(rows: &[StepRow], matches: &[usize]) -> Self {
        let count = rows.len().min(COLUMNS);
        let mut columns = vec![Column::default(); count];
        let place = |at: usize| at * count / rows.len().max(1);
        for (at, row) in rows.iter().enumerate() {
            let Some(column) = columns.get_mut(place(at)) else { continue };
            column.state |= row.changes_context;
            column.messages |= row.changes_messages;
            column.tokens = column.tokens.max(row.tokens.unwrap_or_default());
            column.fault |= row.problem.is_some() || row.status == Status::Failed;
        }
        for at in matches {
            if let Some(column) = columns.get_mut(place(*at)) {
                column.is_match = true;
            }
        }
        let most = columns.iter().map(|column| column.tokens).max().unwrap_or_default().max(1);
        let mut strip = Self { columns: count, ..Self::default() };
        for (at, column) in columns.iter().enumerate() {
            let bar = |path: &mut String, from: f64, to: f64| {
                path.push_str(&format!("M{at} {from:.1}V{to:.1}"));
            };
            if column.is_match {
                bar(&mut strip.matches, 0.0, 24.0);
            }
            if column.state {
                bar(&mut strip.state, 1.0, 5.0);
            }
            if column.messages {
                bar(&mut strip.messages, 7.0, 12.0);
            }
            if column.tokens > 0 {
                bar(&mut strip.tokens, 23.0, 23.0 - 9.0 * (column.tokens as f64 / most as f64).max(0.1));
            }
            if column.fault {
                bar(&mut strip.faults, 0.0, 24.0);
            }
        }
        strip
    }
}

#[component]
pub(crate) fn Scrubber() -> impl IntoView {
    let workspace = Workspace::here();
    let strip = Memo::new(move |_| {
        workspace.steps.with(|steps| {
            workspace.matches.with(|matches| {
                Strip::of(&steps.rows, matches.as_ref().map_or(&[], |matches| matches.as_slice()))
            })
        })
    });
    let last = move || workspace.steps.with(|steps| steps.rows.len().saturating_sub(1));
    let said = move || {
        fill(text::POSITION, &[("at", &group(workspace.at.get())), ("of", &group(last()))])
    };
    let moved = move |event: leptos::ev::Event| {
        if let Ok(at) = event_target_value(&event).parse() {
            workspace.stop_play();
            workspace.select(at);
        }
    };
    let drawing = move || {
        let Strip { columns, state, messages, tokens, faults, matches } = strip.get();
        // The first and the last column stand where the slider has its ends.
        let width = match columns {
            0..=60 => "6",
            61..=200 => "2",
            _ => "1",
        };
        view! {
            <svg
                viewBox=format!("0 0 {} 24", columns.saturating_sub(1).max(1))
                preserveAspectRatio="none"
                stroke-width=width
                aria-hidden="true"
            >
                <path class="strip-match" d=matches />
                <path class="strip-fault" d=faults />
                <path class="strip-state" d=state />
                <path class="strip-messages" d=messages />
                <path class="strip-tokens" d=tokens />
            </svg>
        }
    };
    view! {
        <div class="scrubber" hidden=move || last() == 0 title=text::SCRUBBER_HINT>
            {drawing}
            <input
                type="range"
                min="0"
                max=last
                step="1"
                prop:value=move || workspace.at.get().to_string()
                aria-label=text::SCRUBBER
                aria-valuetext=said
                on:input=moved
            />
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::view::{Document, Limits};

    #[test]
    fn each_layer_is_a_path_with_a_bar_for_each_step_that_has_it() {
        let text = "\
execution:
  - {turn: 1, type: llm_call, llm_interaction: {response: {content: a, usage: {total_tokens: 10}}}}
  - {turn: 2, type: llm_call, llm_interaction: {response: {content: b, usage: {total_tokens: 5}}}}
";
        let rows = Document::open(text, &Limits::default()).steps();
        let strip = Strip::of(&rows, &[2]);
        assert_eq!(strip.columns, 3);
        assert_eq!(strip.tokens.matches('M').count(), rows.iter().filter(|row| row.tokens.is_some()).count());
        assert_eq!(strip.matches, "M2 0.0V24.0");
        assert_eq!(Strip::of(&[], &[]), Strip::default());
    }

    #[test]
    fn a_long_run_has_no_more_columns_than_there_is_room_for() {
        let mut text = "messages:\n".to_owned();
        for at in 0..3_000 {
            text.push_str(&format!("  - 'user: {at}'\n"));
        }
        let rows = Document::open(&text, &Limits::default()).steps();
        let strip = Strip::of(&rows, &[0, rows.len() - 1]);
        assert_eq!(strip.columns, COLUMNS);
        assert!(strip.matches.starts_with("M0 ") && strip.matches.contains("M399 "), "{}", strip.matches);
    }
}
