//! A handler as a table, with the status of its rows in the conversation.

use leptos::prelude::*;
use transcript_core::simulate::{ModelCall, Report};
use transcript_core::view::{AnswerLine, HandlerRow, HandlerView};

use super::diagram::Diagram;
use crate::state::{Simulation, model_calls};
use crate::strings::{count, fill, text};
use crate::ui::{Icon, icons};

/// Rows shown at first.
const FIRST: usize = 100;

/// The handler of an agent under its name.
pub(super) fn agent_view(simulation: Simulation, agent: &str, handler: &HandlerView) -> AnyView {
    let heading = fill(text::handler_of(), &[("agent", agent)]);
    view! {
        <section class="handler-agent">
            <h3>
                <Icon path=icons::ASSISTANT />
                {heading}
            </h3>
            {handler_view(simulation, agent, handler, 0)}
        </section>
    }
    .into_any()
}

/// Nested handlers are shown to this depth, since nesting may be endless.
const DEEPEST: usize = 12;

fn handler_view(simulation: Simulation, agent: &str, handler: &HandlerView, depth: usize) -> AnyView {
    if depth > DEEPEST {
        return ().into_any();
    }
    let kind = handler.kind.clone();
    let what = text::handler_kind(&kind).unwrap_or_else(text::handler_unknown);
    let settings = handler.settings.iter();
    let settings = settings.map(|(name, value)| view! { <li><code>{format!("{name}: {value}")}</code></li> });
    let place = handler.place;
    let is_machine = kind == "state_machine";
    let inner = handler.inner.iter().map(|one| {
        view! { <li>{handler_view(simulation, agent, one, depth + 1)}</li> }
    });
    let inner: Vec<_> = inner.collect();
    view! {
        <div class="handler">
            <p class="handler-head">
                <button type="button" class="link-button" on:click=move |_| simulation.show(place)>
                    <code>{if kind.is_empty() { text::handler_untyped().to_owned() } else { kind.clone() }}</code>
                </button>
                <span class="muted">{what}</span>
            </p>
            <ul class="handler-settings">{settings.collect_view()}</ul>
            {is_machine.then(|| view! { <Diagram machine=handler.clone() agent=agent.to_owned() /> })}
            <Rows handler=handler.clone() agent=agent.to_owned() depth />
            {(!inner.is_empty()).then(|| view! { <ol class="handler-inner">{inner}</ol> })}
        </div>
    }
    .into_any()
}

/// Whether a row was used: in the last answer, or at all.
#[derive(Clone, Debug, PartialEq)]
enum Mark {
    None,
    Used,
    Fits(String),
    FitsNot(String),
}

/// The status of the row at `path`. Rules are about the last question, responses are used up by all of them.
fn mark_of(report: &Report, agent: &str, kind: &str, path: &str) -> Mark {
    let calls = model_calls(report, agent);
    if matches!(kind, "response" | "entry" | "call" | "then") {
        let is_used = calls.iter().any(|call| call.trace.answered.as_deref() == Some(path));
        return if is_used { Mark::Used } else { Mark::None };
    }
    // A message may lead to several questions, such as one more after the result of a tool; the last one counts alone. A
    // step that waits for a tool is not among the steps yet.
    let last = report.steps.len().saturating_sub(1);
    let is_latest = |call: &&&ModelCall| call.step >= last;
    let Some(call) = calls.last().filter(is_latest) else { return Mark::None };
    match call.trace.decisions.iter().rev().find(|one| one.path == path) {
        Some(found) if found.matched => Mark::Fits(found.reason.clone()),
        Some(found) => Mark::FitsNot(found.reason.clone()),
        None => Mark::None,
    }
}

#[component]
fn Rows(handler: HandlerView, agent: String, depth: usize) -> impl IntoView {
    let simulation = Simulation::here();
    let HandlerView { path, kind, rows, .. } = handler;
    let all = rows.len();
    if all == 0 {
        return ().into_any();
    }
    let shown = RwSignal::new(FIRST);
    let is_machine = kind == "state_machine";
    let has_when = kind == "conditional";
    let label = fill(text::table_of(), &[("path", &path)]);
    let body = move || {
        let rows = rows.iter().take(shown.get()).enumerate();
        rows.map(|(at, row)| handler_row(simulation, &agent, row, at, (has_when, is_machine), depth))
            .collect_view()
    };
    let head = |word: &'static str| view! { <th scope="col">{word}</th> };
    let more = move || count(text::rows_one(), text::rows_many(), all.saturating_sub(shown.get()));
    view! {
        <div class="handler-table" tabindex="0" role="region" aria-label=label>
            <table>
                <thead>
                    <tr>
                        <th scope="col">
                            <span class="visually-hidden">{text::column_mark()}</span>
                        </th>
                        {head(text::column_name())}
                        {has_when.then(|| head(text::column_when()))}
                        {head(text::column_answer())}
                        {is_machine.then(|| head(text::column_ways()))}
                    </tr>
                </thead>
                <tbody>{body}</tbody>
            </table>
        </div>
        <Show when=move || shown.get() < all>
            <button type="button" class="link-button" on:click=move |_| shown.update(|shown| *shown += FIRST * 5)>
                {more}
            </button>
        </Show>
    }
    .into_any()
}

fn handler_row(
    simulation: Simulation,
    agent: &str,
    row: &HandlerRow,
    at: usize,
    (has_when, is_machine): (bool, bool),
    depth: usize,
) -> AnyView {
    let kind = &row.kind;
    let (path, named, about) = (row.path.clone(), agent.to_owned(), kind.clone());
    let mark = Memo::new(move |_| simulation.report.with(|report| mark_of(report, &named, &about, &path)));
    let sign = move || {
        match mark.get() {
        Mark::None => None,
        Mark::Used => Some(view! { <span class="mark-yes" title=text::row_used()>"✔ " <span>{text::row_used()}</span></span> }.into_any()),
        Mark::Fits(why) => Some(view! { <span class="mark-yes" title=why>"✔ " <span class="visually-hidden">{text::row_fits()}</span></span> }.into_any()),
        Mark::FitsNot(why) => Some(view! { <span class="mark-no" title=why>"✖ " <span class="visually-hidden">{text::row_fits_not()}</span></span> }.into_any()),
    }
    };
    let number = (at + 1).to_string();
    let name = row.name.clone().unwrap_or_default();
    let label = match &**kind {
        "default" => text::row_default().to_owned(),
        "then" => text::row_then().to_owned(),
        "state" => name,
        "entry" if !name.is_empty() => format!("{number} {name}"),
        _ => fill(text::row_number(), &[("kind", kind), ("n", &number)]),
    };
    let when = match (&row.when, &**kind) {
        (Some(when), _) => view! { <code>{when.clone()}</code> }.into_any(),
        (None, "rule") => view! { <span class="muted">{text::when_always()}</span> }.into_any(),
        (None, _) => view! { <span class="muted">{text::when_else()}</span> }.into_any(),
    };
    let ways = row.ways.iter().map(|way| {
        let to = way.to.clone();
        let when = match (&way.when, &way.path) {
            (Some(when), _) => when.clone(),
            (None, None) => text::way_next().to_owned(),
            (None, Some(_)) => text::when_always().to_owned(),
        };
        let unknown =
            (!way.known).then(|| view! { <span class="mark-no">" " {text::state_unknown()}</span> });
        view! { <li>"→ " <b>{to}</b> {unknown} " " <code>{when}</code></li> }
    });
    let unreached = (!row.reached).then(|| {
        view! {
            <span class="unreached">
                <Icon path=icons::WARNING />
                {text::state_unreached()}
            </span>
        }
    });
    let inner = row.handler.as_ref().map(|inner| handler_view(simulation, agent, inner, depth + 1));
    let class = move || match mark.get() {
        Mark::Fits(_) => "row-fits",
        _ => "",
    };
    let place = row.place;
    view! {
        <tr class=class>
            <td class="row-mark">{sign}</td>
            <th scope="row">
                <button type="button" class="link-button" on:click=move |_| simulation.show(place)>
                    {label}
                </button>
                {unreached}
            </th>
            {has_when.then(|| view! { <td>{when}</td> })}
            <td>{row.answer.as_ref().map(answer)} {inner}</td>
            {is_machine.then(|| view! { <td><ul class="ways">{ways.collect_view()}</ul></td> })}
        </tr>
    }
    .into_any()
}

/// A response in short.
fn answer(answer: &AnswerLine) -> impl IntoView + use<> {
    let content = answer.text.clone();
    let calls = answer.calls.iter().map(|(name, arguments)| {
        view! {
            <span class="answer-call">
                <Icon path=icons::TOOL />
                <code>{format!("{name} {arguments}")}</code>
            </span>
        }
    });
    view! {
        <span class="answer-text">{content}</span>
        {calls.collect_view()}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use transcript_core::mock::Trace;
    use transcript_core::simulate::{AgentReport, StepReport};

    use super::*;

    fn call(step: usize, decisions: &[(&str, bool)]) -> ModelCall {
        let mut trace = Trace::default();
        decisions.iter().for_each(|(path, matched)| trace.note(path, *matched, "so"));
        crate::io::decode::decode(&json!({"step": step, "trace": trace}))
    }

    fn marks(steps: usize, calls: &[ModelCall]) -> [Mark; 2] {
        let agent = AgentReport { key: "bot".to_owned(), calls: calls.to_vec(), ..AgentReport::default() };
        let steps = vec![StepReport::default(); steps];
        let report = Report { steps, agents: vec![agent], ..Report::default() };
        ["r1", "r2"].map(|path| mark_of(&report, "bot", "rule", path))
    }

    #[test]
    fn a_tick_is_about_the_last_question_alone() {
        let yes = || Mark::Fits("so".to_owned());
        let no = || Mark::FitsNot("so".to_owned());
        let first = call(0, &[("r1", false), ("r2", true)]);
        assert_eq!(marks(1, std::slice::from_ref(&first)), [no(), yes()]);
        // After the result of the tool the first rule answers, and the second is not tried.
        assert_eq!(marks(1, &[first.clone(), call(0, &[("r1", true)])]), [yes(), Mark::None]);
        // A second message that waits for its tool.
        assert_eq!(marks(1, &[first.clone(), call(1, &[("r1", true)])]), [yes(), Mark::None]);
        // One without a request.
        assert_eq!(marks(2, &[first]), [Mark::None, Mark::None]);
    }
}
