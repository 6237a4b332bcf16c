//! The fixes of the problems in the line of the caret.

use leptos::prelude::*;

use crate::io;
use crate::state::Workspace;
use crate::strings::text;
use crate::ui::{Dialog, Icon, icons};

#[component]
pub(crate) fn FixMenu() -> impl IntoView {
    let offered = Workspace::here().offered_fixes;
    let is_open = Memo::new(move |_| offered.with(|offered| !offered.is_empty()));
    move || is_open.get().then(|| menu().into_any())
}

fn menu() -> impl IntoView {
    let workspace = Workspace::here();
    let offered = workspace.offered_fixes;
    Effect::new(move || io::page::focus("offered-fix-0"));
    let close = move || offered.set(Vec::new());
    let row = move |(at, (problem, fix)): (usize, (usize, usize))| {
        // The words may come later than the places.
        let title =
            move || workspace.current.with(|current| current.problem(problem)?.fixes.get(fix).cloned());
        let choose = move |_| {
            close();
            workspace.apply_fix(problem, fix);
        };
        view! {
            <li>
                <button type="button" class="fix" id=format!("offered-fix-{at}") on:click=choose>
                    <Icon path=icons::FIX />
                    {title}
                </button>
            </li>
        }
    };
    let key = move |event: leptos::ev::KeyboardEvent| {
        let count = offered.with_untracked(Vec::len);
        let id = io::page::focused_id();
        let here = id.rsplit('-').next().and_then(|at| at.parse::<usize>().ok()).unwrap_or_default();
        match event.key().as_str() {
            "ArrowDown" => focus(if here + 1 < count { here + 1 } else { 0 }),
            "ArrowUp" => focus(here.checked_sub(1).unwrap_or(count.saturating_sub(1))),
            _ => return,
        }
        event.prevent_default();
    };
    view! {
        <Dialog title=text::offered_fixes() open=Signal::derive(|| true) close>
            <ul class="offered-fixes" on:keydown=key>
                {move || offered.get().into_iter().enumerate().map(row).collect_view()}
            </ul>
        </Dialog>
    }
}

fn focus(at: usize) {
    io::page::focus_named(&format!("offered-fix-{at}"));
}
