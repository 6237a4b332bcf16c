//! Two runs side by side: their steps in rows, and the differences of the selected row.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;
use transcript_core::diff::{IGNORE_NAMES, Part, PartKind};
use transcript_core::view::{ChangeView, ComparisonRow, ComparisonSide, RowKind, Status, StepRow};

use super::labels;
use super::steps::MissingStep;
use crate::io;
use crate::state::{ComparisonResult, EXAMPLES, PtrArc, Source, Stage, Workspace};
use crate::strings::{count, fill, group, text};
use crate::ui::{Icon, IconButton, LongText, VirtualList, icons};

/// The height of one row, in pixels; the style sheet agrees.
const ROW: f64 = 48.0;
/// The most differences of one row that are shown.
const SHOWN: usize = 200;
/// Of lines that are the same on both sides, how many are shown before and after those that are not.
const AROUND: usize = 3;

#[component]
pub(crate) fn Compare() -> impl IntoView {
    let workspace = Workspace::here();
    workspace.follow_comparison();
    let content = move || match workspace.compare.stage.get() {
        Stage::Choosing => choose(workspace),
        Stage::Working => view! { <p class="compare-state" role="status">{text::comparing()}</p> }.into_any(),
        Stage::Failed(reasons) => {
            let reasons = reasons.into_iter().map(|reason| view! { <p>{reason}</p> }).collect_view();
            view! {
                <div class="compare-state" role="alert"><Icon path=icons::WARNING /><div>{reasons}</div></div>
            }
            .into_any()
        }
        Stage::Ready(compared) => view! { <Summary compared /> }.into_any(),
    };
    let open = move |event| {
        if let Some(brought) = io::files::chosen(&event) {
            workspace.compare_with_file(brought);
        }
    };
    let choosing = move || workspace.compare.stage.with(|stage| *stage == Stage::Choosing);
    let ready = move || workspace.compare.stage.with(|stage| matches!(stage, Stage::Ready(_)));
    view! {
        <main class="compare">
            <input type="file" id="compare-input" hidden on:change=open />
            <Show when=move || !choosing()>
                <Head />
            </Show>
            {content}
            <Show when=ready>
                <MissingStep template=text::no_such_step_compared() />
            </Show>
            <div class="compare-panes" hidden=move || !ready()>
                <Rows />
                <Detail />
            </div>
        </main>
    }
}

/// Which two are compared, and what can be done with them.
#[component]
fn Head() -> impl IntoView {
    let workspace = Workspace::here();
    let here = workspace.compare;
    let chips = IGNORE_NAMES.into_iter().zip(text::ignores()).map(|(name, word)| {
        let hidden = move || here.hidden(name).map(|count| format!(" · {}", group(count)));
        view! {
            <button
                type="button"
                class="compare-chip"
                aria-pressed=move || workspace.ignores(name).to_string()
                on:click=move |_| workspace.toggle_ignored(name)
            >
                {word}
                {hidden}
            </button>
        }
    });
    view! {
        <div class="compare-head">
            <span class="compare-names">
                <b>"− "</b>
                <span>{move || workspace.name.get()}</span>
                <IconButton icon=icons::SWAP label=text::compare_swap() press=move || workspace.swap_sides() />
                <b>"+ "</b>
                <span>{move || here.name.get()}</span>
                <a class="button" href=move || workspace.compared_with(None)>{text::compare_other()}</a>
            </span>
            <span class="compare-ignores" role="group" aria-label=text::compare_ignore()>
                <span class="muted">{text::compare_ignore()}</span>
                {chips.collect_view()}
            </span>
            <label class="compare-only">
                <input
                    type="checkbox"
                    prop:checked=move || here.only.get()
                    on:change=move |_| {
                        here.only.update(|only| *only = !*only);
                        here.at.set(None);
                    }
                />
                {text::compare_only()}
            </label>
            <span class="pane-tools">
                <IconButton icon=icons::PREVIOUS label=text::compare_previous() press=move || workspace.step_to_difference(false) />
                <IconButton icon=icons::NEXT label=text::compare_next() press=move || workspace.step_to_difference(true) />
            </span>
        </div>
    }
}

/// What to compare with.
fn choose(workspace: Workspace) -> AnyView {
    let own = workspace.route.with(|route| route.source.clone());
    let link = move |source: String, name: String, hint: String| {
        view! {
            <li>
                <a href=workspace.compared_with(Some(&source))>
                    <span class="recent-name">{name}</span>
                    <span class="recent-when">{hint}</span>
                </a>
            </li>
        }
    };
    let examples = EXAMPLES
        .iter()
        .filter(|example| own != Source::Example(example.name.to_owned()))
        .map(|example| link(format!("ex:{}", example.name), example.file_name(), example.lesson().to_owned()))
        .collect_view();
    let recent = move || {
        let own = workspace.route.with(|route| route.source.clone());
        let recent = workspace.recent.get().into_iter().filter(|meta| own != Source::Local(meta.id.clone()));
        recent
            .map(|meta| link(format!("l:{}", meta.id), meta.name, io::clock::date(meta.updated)))
            .collect_view()
    };
    let some = move || workspace.recent.with(|recent| !recent.is_empty());
    view! {
        <div class="compare-choose">
            <h2 class="compare-title">{move || fill(text::compare_choose(), &[("name", &workspace.name.get())])}</h2>
            <p>
                <button type="button" class="button" on:click=|_| io::files::choose("compare-input")>
                    {text::door_file()}
                </button>
            </p>
            <Show when=some>
                <h3>{text::recent()}</h3>
                <ul>{recent}</ul>
            </Show>
            <h3>{text::examples()}</h3>
            <ul>{examples}</ul>
        </div>
    }
    .into_any()
}

/// A number that sums up one side.
type Total = fn(&ComparisonSide) -> usize;

/// What both sum up to.
#[component]
fn Summary(compared: PtrArc<ComparisonResult>) -> impl IntoView {
    let is_step = |row: &&ComparisonRow| row.left.or(row.right).is_some_and(|place| place > 0);
    let outside = compared.rows.iter().filter(|row| row.kind != RowKind::Same && !is_step(row)).count();
    let besides = (outside > 0).then(|| fill(text::compare_besides(), &[("n", &group(outside))]));
    let compared = &compared.answer;
    let turns = &compared.summary.turns;
    let summary = match compared.equal {
        true => text::compare_equal().to_owned(),
        false => fill(
            text::compare_turns(),
            &[
                ("same", &group(turns.same)),
                ("changed", &group(turns.changed)),
                ("added", &group(turns.added)),
                ("removed", &group(turns.removed)),
            ],
        ),
    };
    let totals: [(_, Total); 4] = [
        (text::steps(), |side| side.step_count),
        (text::compare_tools(), |side| side.tool_calls),
        (text::compare_tokens(), |side| usize::try_from(side.tokens).unwrap_or(usize::MAX)),
        (text::compare_held(), |side| side.passed),
    ];
    let last = totals.len() - 1;
    let known = totals.into_iter().enumerate().filter(|(place, (_, total))| {
        // A run without assertions, or without usage, has nothing to say of them.
        let has = |side: &ComparisonSide| total(side) > 0 || *place == last && side.assertions > 0;
        has(&compared.left) || has(&compared.right)
    });
    let cells = known.map(|(place, (word, total))| {
        let of = |side: &ComparisonSide| match place == last {
            true => format!("{}/{}", side.passed, side.assertions),
            false => group(total(side)),
        };
        let (left, right) = (total(&compared.left), total(&compared.right));
        let sign = if right > left { "+" } else { "−" };
        let change = (left != right).then(|| format!(" ({sign}{})", group(right.abs_diff(left))));
        view! { <span class="compare-total"><span class="muted">{word}</span> " " {of(&compared.left)} " → " {of(&compared.right)} {change}</span> }
    });
    view! {
        <div class="compare-summary" role="status">
            <span>{summary}{besides}</span>
            {cells.collect_view()}
        </div>
    }
}

#[component]
fn Rows() -> impl IntoView {
    let workspace = Workspace::here();
    let here = workspace.compare;
    let length = Signal::derive(move || here.rows.with(|rows| rows.len()));
    let render = move |at: usize| {
        let row = here.rows.with(|rows| rows.get(at).copied());
        here.stage.with(|stage| match (stage, row) {
            (Stage::Ready(compared), Some(row)) => row_view(compared, row),
            _ => ().into_any(),
        })
    };
    view! {
        <VirtualList
            id="compare-list"
            label=text::compare_rows()
            count=length
            selected=here.at
            row_height=ROW
            render=Arc::new(render)
            choose=Arc::new(move |at| workspace.select_row(at))
            enter=Arc::new(move |at| {
                workspace.select_row(at);
                io::page::focus("compare-detail");
            })
        />
    }
}

/// The mark of a row as it is shown, its class and its word.
fn look(kind: RowKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        RowKind::Added => ("+", "compare-added", text::compare_added()),
        RowKind::Removed => ("−", "compare-removed", text::compare_removed()),
        RowKind::Changed => ("~", "compare-changed", text::compare_changed()),
        RowKind::Same => ("=", "compare-same", text::compare_same()),
    }
}

fn row_view(compared: &ComparisonResult, row: ComparisonRow) -> AnyView {
    let (mark, class, word) = look(row.kind);
    let outside = (row.left, row.right) == (None, None);
    let cell = |side: &ComparisonSide, at: Option<usize>| match at.and_then(|at| side.steps.get(at)) {
        Some(step) => step_view(step),
        None => {
            view! { <span class="compare-cell muted">{(!outside).then_some(text::compare_nothing())}</span> }
                .into_any()
        }
    };
    let cells = match outside {
        true => view! { <span class="compare-cell">{text::compare_outside()}</span> }.into_any(),
        false => view! { {cell(&compared.answer.left, row.left)} {cell(&compared.answer.right, row.right)} }
            .into_any(),
    };
    view! {
        <div class=format!("compare-row {class}")>
            <span class="compare-mark"><b aria-hidden="true">{mark}</b> " " <span>{word}</span></span>
            {cells}
        </div>
    }
    .into_any()
}

fn step_view(step: &StepRow) -> AnyView {
    let kind = labels::kind_label(&step.kind);
    let turn = (step.kind != "initial").then_some(step.turn);
    let tools = step.tools.iter().map(|tool| format!("{} {}", tool.name, tool.arguments));
    let shown: Vec<String> = tools.chain([step.summary.clone()]).collect();
    let failed = step.status == Status::Failed;
    view! {
        <span class=format!("compare-cell {}", kind.class)>
            <Icon path=kind.icon />
            <b>{turn.map(|turn| format!("{turn} "))} {kind.word} {failed.then(|| format!(" · {}", text::failed()))}</b>
            " "
            <span>{shown.join(" ")}</span>
        </span>
    }
    .into_any()
}

/// The differences of the selected row.
#[component]
fn Detail() -> impl IntoView {
    let workspace = Workspace::here();
    let here = workspace.compare;
    let content = move || {
        let row = here.at.get().and_then(|at| here.rows.with(|rows| rows.get(at).copied()));
        here.stage.with(|stage| match (stage, row) {
            (Stage::Ready(compared), Some(row)) => changes_view(compared, row),
            _ => view! { <p class="muted">{text::compare_select()}</p> }.into_any(),
        })
    };
    view! {
        <section id="compare-detail" class="compare-detail" tabindex="0" aria-label=text::compare_detail()>
            {content}
        </section>
    }
}

fn changes_view(compared: &ComparisonResult, row: ComparisonRow) -> AnyView {
    if row.kind == RowKind::Same {
        return view! { <p class="muted">{text::compare_row_same()}</p> }.into_any();
    }
    let total = compared.changes(row).count();
    let more = total.saturating_sub(SHOWN);
    let changes = compared.changes(row).take(SHOWN).map(change_view).collect_view();
    view! {
        <h2>{count(text::compare_changes_one(), text::compare_changes_many(), total)}</h2>
        {changes}
        {(more > 0).then(|| view! { <p class="muted">{fill(text::show_more(), &[("n", &group(more))])}</p> })}
    }
    .into_any()
}

fn change_view(change: &ChangeView) -> AnyView {
    let path = change.path.clone();
    let body = if change.text.is_empty() {
        let line = |value: &Option<Value>, kind: RowKind| {
            value.as_ref().map(|value| {
                let value = match value {
                    Value::Object(_) | Value::Array(_) => {
                        serde_json::to_string_pretty(value).unwrap_or_default()
                    }
                    value => value.to_string(),
                };
                line_view(kind, view! { <LongText content=value /> }.into_any())
            })
        };
        view! { {line(&change.left, RowKind::Removed)} {line(&change.right, RowKind::Added)} }.into_any()
    } else {
        text_view(&change.text)
    };
    view! {
        <article class="compare-change">
            <h3><code>{path}</code></h3>
            {body}
        </article>
    }
    .into_any()
}

/// A line with its mark, which words repeat for those who do not see it.
fn line_view(kind: RowKind, content: AnyView) -> AnyView {
    let (sign, class, word) = look(kind);
    view! {
        <div class=format!("compare-line {class}")>
            <b aria-hidden="true">{if kind == RowKind::Same { " " } else { sign }}</b>
            <span class="visually-hidden">{(kind != RowKind::Same).then_some(word)}</span>
            <div>{content}</div>
        </div>
    }
    .into_any()
}

/// Two texts: their lines when they have several, else one line of each with the words that differ.
pub(super) fn text_view(parts: &[Part]) -> AnyView {
    if parts.iter().any(|part| part.text.contains('\n')) {
        return lines_view(parts);
    }
    let line = |own: PartKind, kind: RowKind| {
        let words = parts.iter().filter(|part| part.kind == own || part.kind == PartKind::Same);
        let words = words.map(|part| match part.kind {
            PartKind::Removed => view! { <del>{part.text.clone()}</del> }.into_any(),
            PartKind::Added => view! { <ins>{part.text.clone()}</ins> }.into_any(),
            PartKind::Same => part.text.clone().into_any(),
        });
        line_view(kind, view! { <pre class="long-text">{words.collect_view()}</pre> }.into_any())
    };
    view! { {line(PartKind::Removed, RowKind::Removed)} {line(PartKind::Added, RowKind::Added)} }.into_any()
}

fn lines_view(parts: &[Part]) -> AnyView {
    let last = parts.len().saturating_sub(1);
    let mut out = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let kind = match part.kind {
            PartKind::Removed => RowKind::Removed,
            PartKind::Added => RowKind::Added,
            PartKind::Same => RowKind::Same,
        };
        let lines: Vec<&str> = part.text.lines().collect();
        let show = |out: &mut Vec<AnyView>, lines: &[&str]| {
            if !lines.is_empty() {
                out.push(line_view(kind, view! { <LongText content=lines.join("\n") /> }.into_any()));
            }
        };
        // Equal parts are shown only next to different ones.
        let (head, tail) = (if at == 0 { 0 } else { AROUND }, if at == last { 0 } else { AROUND });
        let skipped = lines.len().saturating_sub(head + tail);
        if kind != RowKind::Same || skipped < 2 {
            show(&mut out, &lines);
            continue;
        }
        show(&mut out, lines.get(..head).unwrap_or_default());
        let summary = count(text::compare_lines_one(), text::compare_lines_many(), skipped);
        out.push(view! { <p class="muted compare-skipped">{summary}</p> }.into_any());
        show(&mut out, lines.get(lines.len() - tail..).unwrap_or_default());
    }
    out.collect_view().into_any()
}
