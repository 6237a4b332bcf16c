//! What the run consists of and what it took, in one line. A press shows the steps of that kind alone.

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::view::RunTotals;

use super::cost::Cost;
use crate::io;
use crate::panes::labels;
use crate::state::Workspace;
use crate::strings::{count, fill, group, text};

/// The most tools that are named; the search finds the others.
const TOOLS: usize = 6;

/// What the run of the current document consists of; nothing until the reader answers. Other prices update it.
pub(super) fn follow_totals(workspace: Workspace) -> RwSignal<RunTotals> {
    let totals = RwSignal::new(RunTotals::default());
    let newest = StoredValue::new(0_u32);
    let document = Memo::new(move |_| {
        workspace
            .readable
            .with(|readable| (readable.current.document.number(), readable.current.revision.opening))
    });
    Effect::new(move |before: Option<u32>| {
        workspace.step_search.replaced.track();
        let (number, opening) = document.get();
        if before.is_some_and(|before| before != opening) {
            totals.set(RunTotals::default());
        }
        newest.update_value(|newest| *newest += 1);
        let question = newest.get_value();
        spawn_local(async move {
            // The first answer does not wait for the prices.
            let mut prices = io::prices::known();
            loop {
                let is_whole = !prices.is_empty();
                let answer = io::reader::totals(number, prices).await.unwrap_or_default();
                if newest.try_get_value() != Some(question) {
                    return;
                }
                totals.set(answer);
                if is_whole || number == 0 {
                    return;
                }
                prices = io::prices::table().await;
                if prices.is_empty() {
                    return;
                }
            }
        });
        opening
    });
    totals
}

#[component]
pub(super) fn Summary(totals: RwSignal<RunTotals>) -> impl IntoView {
    let workspace = Workspace::here();
    let chip = move |query: String, label: String, class: &'static str| {
        let pressed = {
            let query = query.clone();
            move || (workspace.step_search.typed.get() == query).to_string()
        };
        let press = move |_| {
            let is_on = workspace.step_search.typed.get_untracked() == query;
            workspace.search_steps(if is_on { "" } else { &query });
        };
        view! { <button type="button" class=format!("compare-chip {class}") aria-pressed=pressed on:click=press>{label}</button> }
    };
    let chips = move || {
        let RunTotals { model_calls, tools, failed, user_messages, notes, slow, expensive, .. } =
            totals.get();
        let calls = (model_calls > 0).then(|| {
            let label = count(text::model_calls_one(), text::model_calls_many(), model_calls);
            chip("kind:llm_call".to_owned(), label, "")
        });
        let failed = (failed > 0).then(|| {
            let label = count(text::read_failed_one(), text::read_failed_many(), failed);
            chip("status:failed".to_owned(), label, "severity-error")
        });
        // Every run has one.
        let users = (user_messages > 1).then(|| {
            let label = fill(text::user_messages(), &[("n", &group(user_messages))]);
            chip("role:user".to_owned(), label, "")
        });
        let tools = tools.into_iter().take(TOOLS).map(|(tool, calls)| {
            let quote = if tool.contains(' ') { "\"" } else { "" };
            let query = format!("kind:tool_call tool:={quote}{tool}{quote}");
            chip(query, format!("{tool} {}", group(calls)), "")
        });
        let notes = (notes > 0).then(|| {
            let label = count(text::notes_one(), text::notes_many(), notes);
            chip("has:note".to_owned(), label, "")
        });
        let slow = slow.map(|query| chip(query, text::read_slow().to_owned(), ""));
        let expensive = expensive.map(|query| chip(query, text::read_expensive().to_owned(), ""));
        view! {
            {failed}
            {users}
            {calls}
            {tools.collect_view()}
            {slow}
            {expensive}
            {notes}
        }
    };
    view! {
        <div class="read-summary" role="group" aria-label=text::read_summary()>
            {chips}
            <span class="read-facts">{move || totals.with(facts)}</span>
            <Cost totals />
        </div>
    }
}

/// Models, tokens and times, as far as they are recorded.
fn facts(totals: &RunTotals) -> String {
    let number = |count: u64| group(usize::try_from(count).unwrap_or(usize::MAX));
    let mut out = totals.models.clone();
    if let (Some(input), Some(output)) = (totals.input, totals.output) {
        let values =
            [("in", number(input)), ("out", number(output)), ("cached", number(totals.cached.unwrap_or(0)))];
        let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
        let template = if totals.cached.is_some_and(|cached| cached > 0) {
            text::read_tokens_cached()
        } else {
            text::read_tokens()
        };
        out.push(fill(template, &values));
    }
    if let Some(wall) = totals.wall.filter(|wall| *wall > 0.0) {
        let wall_text = labels::duration_text(wall);
        let active = totals.active.filter(|active| *active < wall).map(labels::duration_text);
        out.push(match active {
            Some(active) => fill(text::read_time_active(), &[("wall", &wall_text), ("active", &active)]),
            None => wall_text,
        });
    }
    out.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_recorded_is_shown() {
        assert_eq!(facts(&RunTotals::default()), "");
        let totals = RunTotals {
            models: vec!["gpt-4o".to_owned()],
            input: Some(12_345),
            output: Some(67),
            cached: Some(8_000),
            wall: Some(90_000.0),
            active: Some(30_000.0),
            ..RunTotals::default()
        };
        let (input, cached) = (group(12_345), group(8_000));
        let whole = format!("gpt-4o · {input} tokens in ({cached} cached), 67 out · 1.5 min, 30.0 s active");
        assert_eq!(facts(&totals), whole);
        let bare = RunTotals { cached: None, models: Vec::new(), wall: None, ..totals };
        assert_eq!(facts(&bare), format!("{input} tokens in, 67 out"));
    }
}
