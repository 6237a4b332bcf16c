//! The problems of the text, in the order of their places.

use std::sync::Arc;

use leptos::prelude::*;
use transcript_core::view::ListedProblem;

use super::assertions::DockTabs;
use super::labels;
use super::lazy_panes::{self, LazyView};
use super::running::Run;
use crate::state::{Dock, Settings, Workspace};
use crate::strings::{count, fill, text};
use crate::ui::{Icon, IconButton, Shape, Splitter, VirtualList, icons};

/// The height of one row, in pixels; the style sheet agrees.
const ROW: f64 = 48.0;

#[component]
pub(crate) fn Problems() -> impl IntoView {
    let workspace = Workspace::here();
    let settings: Settings = expect_context();
    let length = Signal::derive(move || workspace.current.with(|current| current.found.len()));
    let none = Signal::derive(move || length.get() == 0);
    let certain = Signal::derive(move || workspace.current.with(|current| current.certain_fixes));
    let shown = move |dock: Dock| workspace.dock.get() == dock;
    let asserts = move || !shown(Dock::Problems);
    let row = move |at: usize| {
        let problem = workspace.current.with(|current| current.problem(at));
        problem.map(|problem| view! { <Row at problem /> }).into_any()
    };
    view! {
        <section
            class="pane pane-problems"
            class:pane-quiet=move || workspace.folded.get() || none.get() && !asserts()
            id="pane-problems"
            aria-label=text::problems()
        >
            <header class="pane-head">
                <DockTabs />
                <Run />
                <span class="pane-count" role="status">
                    {move || match none.get() {
                        true if !workspace.is_read() => labels::unread_message(workspace).to_owned(),
                        true => workspace
                            .current
                            .with(|current| labels::not_a_transcript_label(current))
                            .unwrap_or_else(text::problems_none)
                            .to_owned(),
                        false => count(text::problems_one(), text::problems_many(), length.get()),
                    }}
                </span>
                <span class="pane-tools" hidden=asserts>
                    <button
                        type="button"
                        class="fix fix-certain"
                        hidden=move || certain.get() == 0
                        on:click=move |_| workspace.apply_certain_fixes()
                    >
                        <Icon path=icons::FIX />
                        {move || count(text::apply_one(), text::apply_many(), certain.get())}
                    </button>
                    <IconButton icon=icons::PREVIOUS label=text::previous_problem() disabled=none press=move || {
                        workspace.cycle_problem(false);
                    } />
                    <IconButton icon=icons::NEXT label=text::next_problem() disabled=none press=move || {
                        workspace.cycle_problem(true);
                    } />
                </span>
            </header>
            {move || match workspace.dock.get() {
                _ if workspace.folded.get() => None,
                Dock::Problems => None,
                Dock::Assertions => Some(view! { <LazyView pane=lazy_panes::assertions() /> }.into_any()),
                Dock::Determinism => Some(view! { <LazyView pane=lazy_panes::determinism() /> }.into_any()),
                Dock::Log => Some(view! { <LazyView pane=lazy_panes::journal() /> }.into_any()),
            }}
            <VirtualList
                id="problems-list"
                label=text::problems_label()
                count=length
                selected=workspace.problem
                row_height=ROW
                shape=Shape::Grid
                render=Arc::new(row)
                choose=Arc::new(move |at| workspace.problem.set(Some(at)))
                enter=Arc::new(move |at| workspace.show_problem(at))
            />
            <Splitter label=text::resize_dock() usual=0.2 below=true share=settings.dock />
        </section>
    }
}

#[component]
fn Row(at: usize, problem: ListedProblem) -> impl IntoView {
    let workspace = Workspace::here();
    let look = labels::severity_label(problem.severity);
    let place = format!("{}:{}", problem.line, problem.column);
    let long =
        fill(text::at(), &[("line", &problem.line.to_string()), ("column", &problem.column.to_string())]);
    // The row shows as much of it as there is room.
    let whole: Vec<String> = problem
        .help
        .iter()
        .cloned()
        .chain(problem.related.iter().map(|at| format!("{}:{} {}", at.line, at.column, at.message)))
        .collect();
    let whole = whole.join("\n");
    let related = problem.related.into_iter().map(|at| {
        view! { <span class="problem-related">{at.line} ":" {at.column} " " {at.message}</span> }
    });
    let fixes = problem.fixes.into_iter().take(2).enumerate().map(|(fix, title)| {
        view! {
            <button
                type="button"
                class="fix"
                on:click=move |event| {
                    event.stop_propagation();
                    workspace.apply_fix(at, fix);
                }
            >
                <Icon path=icons::FIX />
                {fill(text::apply_fix(), &[("title", &title)])}
            </button>
        }
    });
    view! {
        <div class=format!("problem {}", look.class) role="gridcell" on:click=move |_| workspace.show_problem(at)>
            <Icon path=look.icon />
            <div class="problem-head">
                <span class="problem-word">{look.word}</span>
                <span class="problem-place" title=long>{place}</span>
                <span class="problem-message">{problem.message}</span>
                <a
                    class="problem-code"
                    href=format!("./docs/diagnostics/{}.html", problem.code)
                    target="_blank"
                    rel="noopener"
                    title=fill(text::explain(), &[("code", &problem.code)])
                    on:click=|event| event.stop_propagation()
                >
                    <code>{problem.code.clone()}</code>
                </a>
            </div>
            <div class="problem-body" title=whole>
                {problem.help.map(|help| view! { <span class="problem-help">{help}</span> })}
                {related.collect_view()}
            </div>
            <div class="problem-fixes">{fixes.collect_view()}</div>
        </div>
    }
}
