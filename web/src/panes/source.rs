//! The source: a text field with line numbers, marks and the lines of the selected step.
//!
//! The field is written only when another document is opened. While a person types it is only
//! read, so that its undo stays whole. When the editor has come it covers what is shown here, and
//! shows problems and the selected step.

use leptos::prelude::*;
use transcript_core::diagnostic::Severity;
use transcript_core::document::Form;
use transcript_core::text::Table;

use super::cards::CardSwitch;
use super::forms::{FormNote, FormSwitch};
use super::labels;
use super::lazy_panes::{self, LazyView};
use crate::io;
use crate::io::field::EditorEvent;
use crate::state::{LINE_HEIGHT, PtrArc, Settings, Workspace};
use crate::strings::{count, text};
use crate::tenths::Tenths;
use crate::ui::{Gutter, Mark, Splitter};

/// The space above the first line, in pixels; the style sheet agrees.
const PADDING: f64 = 8.0;

#[component]
pub(crate) fn SourcePane() -> impl IntoView {
    let workspace = Workspace::here();
    let settings: Settings = expect_context();
    let field = workspace.field;
    let lines = Memo::new(move |_| workspace.draft.with(|draft| draft.matches('\n').count() + 1));
    let scrolled = RwSignal::new((0.0, 0.0));
    let height = RwSignal::new(0.0);
    let on_event = move |event: EditorEvent| match event {
        EditorEvent::Typed(text) => workspace.typed(text),
        EditorEvent::Moved => workspace.select_at_caret(),
        EditorEvent::Problem(problem) => workspace.show_problem(problem),
        EditorEvent::Fix(problem, fix) => workspace.apply_fix(problem, fix),
    };
    let opened = Memo::new(move |_| workspace.revision.with(|revision| revision.opening));
    Effect::new(move || {
        if let Some(element) = field.area.get() {
            io::scroll::watch_height(&element, height);
        }
    });
    // The text as it was opened, where undo ends.
    let before = StoredValue::new(PtrArc::<str>::from(""));
    Effect::new(move |last: Option<u32>| {
        let opening = opened.get();
        let problems = workspace.current.with(|current| current.outlined().to_string());
        field.track();
        if opening > 0 && last != Some(opening) {
            let caret = workspace.caret.get_value();
            workspace.draft.with_untracked(|draft| io::field::load(field, draft, caret));
            if caret > 0 && workspace.route.with_untracked(|route| route.step.is_none()) {
                workspace.reveal_caret();
            }
            before.set_value(workspace.draft.get_untracked());
            scrolled.set((0.0, 0.0));
        }
        // The steps come first, since the editor takes as long to load as they do. Until then the text area shows the
        // text, unless it is too long for that.
        let is_read = workspace.current.with(|current| current.is_read);
        let has_failed = workspace.reading.failed.with(Option::is_some);
        if opening > 0 && (is_read || has_failed || io::field::waits(field)) {
            io::field::enrich(field, move || before.with_value(|before| before.to_string()), on_event);
        }
        // Those of a text that is no longer there are soon followed by others.
        let is_of_now = workspace
            .current
            .with_untracked(|current| workspace.draft.with_untracked(|now| current.revision.text == *now));
        if is_of_now {
            io::field::show_problems(field, &problems);
        }
        opening
    });
    Effect::new(move || {
        opened.track();
        field.track();
        io::field::show_band(field, workspace.selected_lines());
    });
    Effect::new(move || {
        field.track();
        io::field::lock(field, workspace.is_read_only());
    });
    let moved = move |key: leptos::ev::KeyboardEvent| {
        let moves = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"];
        if moves.contains(&key.key().as_str()) {
            workspace.select_at_caret();
        }
    };
    let cards = Memo::new(move |_| workspace.sees_cards());
    // The switch next to it says which of the two forms of a run it is.
    let form = move || {
        workspace.current.with(|current| match current.form {
            _ if !current.is_read => Some(labels::unread_message(workspace)),
            Form::Compact | Form::Full => None,
            _ if current.is_blank() => Some(text::form_blank()),
            form => Some(labels::document_label(form, current.other.as_deref())),
        })
    };
    view! {
        <section class="pane pane-source" id="pane-source" aria-label=text::source()>
            <header class="pane-head">
                <h2>{text::source()}</h2>
                <span class="pane-facts">
                    {move || form().map(|form| view! { {form} " · " })} {move || count(text::lines_one(), text::lines_many(), lines.get())}
                </span>
                <span class="pane-tools">
                    <CardSwitch />
                    <FormSwitch />
                </span>
            </header>
            <FormNote />
            <Show when=move || cards.get()>
                <LazyView pane=lazy_panes::cards() />
            </Show>
            <div class="editor" hidden=move || cards.get()>
                <Marks scrolled height lines />
                <div class="editor-body">
                    <Highlight scrolled />
                    <textarea
                        node_ref=field.area
                        id="source-field"
                        class="editor-field"
                        aria-label=text::source_label()
                        placeholder=text::source_hint()
                        wrap="off"
                        spellcheck="false"
                        autocomplete="off"
                        autocapitalize="off"
                        on:input=move |_| workspace.typed(io::field::value(field))
                        on:scroll=move |_| scrolled.set(io::field::scrolled(field))
                        on:click=move |_| workspace.select_at_caret()
                        on:keyup=moved
                    ></textarea>
                </div>
            </div>
            <Splitter label=text::resize_source() usual=0.34 share=settings.source />
        </section>
    }
}

#[component]
fn Marks(scrolled: RwSignal<(f64, f64)>, height: RwSignal<f64>, lines: Memo<usize>) -> impl IntoView {
    let workspace = Workspace::here();
    let marks = Memo::new(move |_| workspace.current.with(|current| current.lines.clone()));
    let mark = move |line: u32| {
        let severity = marks.with(|marks: &Table<_, _>| marks.get(&line).copied())?;
        let look = labels::severity_label(severity);
        let word = match severity {
            Severity::Error => text::mark_error(),
            Severity::Warning => text::mark_warning(),
            Severity::Info => text::mark_info(),
        };
        Some(Mark { class: look.class, icon: look.icon, word })
    };
    let press = move |line: u32| {
        let found = workspace
            .current
            .with_untracked(|current| current.found.iter().position(|found| found.line == line));
        if let Some(found) = found {
            workspace.show_problem(found);
        }
    };
    let down = Signal::derive(move || (scrolled.get().0 - PADDING).max(-PADDING));
    view! { <Gutter lines scrolled=down height line_height=LINE_HEIGHT mark press /> }
}

/// The band behind the lines of the selected step.
#[component]
fn Highlight(scrolled: RwSignal<(f64, f64)>) -> impl IntoView {
    let workspace = Workspace::here();
    let top = move |line: u32| f64::from(line.saturating_sub(1)) * LINE_HEIGHT + PADDING;
    let band = move || {
        workspace.selected_lines().map(|(first, last)| {
            let height = f64::from(last - first + 1) * LINE_HEIGHT;
            view! {
                <div class="band" style:top=format!("{}px", Tenths(top(first))) style:height=format!("{}px", Tenths(height))></div>
            }
        })
    };
    view! {
        <div class="bands" aria-hidden="true">
            <div style:transform=move || format!("translateY({}px)", Tenths(-scrolled.get().0))>{band}</div>
        </div>
    }
}
