//! Logs of other programs: their format, the transcript, and what was not read.

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::import::{Format, Grouping, SessionSize, format_of_kind};

use super::labels::duration_text;
use super::lazy_panes::{self, LazyView};
use crate::io::clock;
use crate::state::{Report, View, Workspace, is_log, programs};
use crate::strings::{count, fill, text};
use crate::ui::{Dialog, Icon, icons};

/// The banner of a log, and of a transcript that was made of one.
#[component]
pub(crate) fn LogBanner() -> impl IntoView {
    let workspace = Workspace::here();
    let logs = workspace.logs;
    let press = move |word: &'static str, press: fn(Workspace)| {
        view! { <button type="button" on:click=move |_| press(workspace)>{word}</button> }.into_any()
    };
    let other = Memo::new(move |_| workspace.current.with(|current| current.other.clone()));
    // It counts how the text was when it was opened: what a person begins to type is not known at first either.
    let opened = Memo::new(move |before: Option<&(u32, bool)>| {
        workspace.current.with(|current| {
            let opening = current.revision.opening;
            match before {
                _ if !current.is_read => (0, false),
                Some((known, was)) if *known == opening => (opening, *was && current.unrecognized.is_some()),
                _ => (opening, current.unrecognized.is_some()),
            }
        })
    });
    let unknown = Memo::new(move |_| opened.with(|(_, unknown)| *unknown));
    let make = move |other: Option<&str>| {
        let chosen = StoredValue::new(programs().find(|format| Some(format.kind) == other));
        let guessed = chosen.get_value();
        let options = programs().map(|format| {
            let selected = guessed == Some(format);
            view! { <option value=format.kind selected=selected>{format.title}</option> }
        });
        let none =
            guessed.is_none().then(|| view! { <option value="">{text::logs_choose_program()}</option> });
        let choose = move |event| {
            let word = event_target_value(&event);
            chosen.set_value(programs().find(|format| format.kind == word));
        };
        let press = move |_| {
            let chosen = chosen.get_value();
            // The program that the content shows is found by the content once more.
            let from = chosen.filter(|_| chosen != guessed).and_then(|format| format.names.first().copied());
            if chosen.is_some() {
                workspace.read_as_log(from);
            }
        };
        let select = view! { <select aria-label=text::logs_program() on:change=choose>{none}{options.collect_view()}</select> };
        let button = view! { <button type="button" on:click=press>{text::logs_make()}</button> };
        vec![select.into_any(), button.into_any()]
    };
    let content = move || {
        if logs.busy.get() {
            let cancel = press(text::cancel(), |workspace| workspace.stop_logs());
            return Some((text::logs_reading().to_owned(), vec![cancel]));
        }
        if !workspace.editing() {
            return None;
        }
        if let Some(report) = workspace.made_of_logs() {
            let mut buttons = vec![press(text::logs_report(), |workspace| workspace.logs.shown.set(true))];
            if workspace.original().is_some() {
                buttons
                    .push(press(text::logs_original(), |workspace| workspace.open_log_text(String::new())));
            }
            let other = other.get();
            // Nothing was understood: another program may have written it.
            if is_log(other.as_deref()) || unknown.get() {
                buttons.extend(make(other.as_deref()));
            }
            return Some((report.message.clone(), buttons));
        }
        let other = other.get();
        let other = other.as_deref();
        let message = match other {
            None if unknown.get() => text::logs_unknown(),
            None => return None,
            // Those of agents have a view of their own.
            Some("event-log") if workspace.view() == View::Agents => return None,
            Some("event-log") => {
                let show = press(text::logs_agents(), |workspace| {
                    workspace.go(workspace.route.with_untracked(|route| route.seen_in(View::Agents)));
                });
                return Some((text::logs_events().to_owned(), vec![show]));
            }
            Some(kind) => match format_of_kind(kind) {
                Some(format) if !format.title.is_empty() => {
                    let message = fill(text::logs_other(), &[("what", format.title)]);
                    return Some((message, make(other)));
                }
                Some(Format { files: Grouping::Set, .. }) => {
                    return Some((text::logs_fixtures().to_owned(), Vec::new()));
                }
                _ => return Some((text::logs_of_pair().to_owned(), Vec::new())),
            },
        };
        Some((message.to_owned(), make(other)))
    };
    move || {
        content().map(|(message, buttons)| {
            view! {
                <div class="banner banner-info" role="status">
                    <Icon path=icons::INFO />
                    <span>{message}</span>
                    {buttons}
                </div>
            }
        })
    }
}

/// The report in full.
#[component]
pub(crate) fn LogReport() -> impl IntoView {
    let workspace = Workspace::here();
    let logs = workspace.logs;
    let title = Signal::derive(move || {
        let title = logs.report.with(|report| match report {
            Some(report) if !report.rows.is_empty() => text::logs_table(),
            Some(report) if !report.sessions.is_empty() => text::logs_choose(),
            _ => text::logs_report(),
        });
        title.to_owned()
    });
    view! {
        <Dialog title open=logs.shown close=move || logs.shown.set(false)>
            <Show when=move || logs.shown.get()>
                <LazyView pane=lazy_panes::report() />
            </Show>
        </Dialog>
    }
}

#[component]
pub(super) fn Body() -> impl IntoView {
    let workspace = Workspace::here();
    let report = workspace.logs.report;
    view! { <div class="log-report">{move || report.get().map(|report| body(workspace, &report))}</div> }
}

/// How many sessions are measured first: a few, so that a person who chooses one does not wait. Then twice as many each time,
/// since each time the file is read again.
const MEASURED: usize = 16;

/// The sizes of that many sessions to choose from, which arrive one after the other.
fn measure(workspace: Workspace, sessions: usize) -> RwSignal<Vec<SessionSize>> {
    let sizes = RwSignal::new(Vec::new());
    spawn_local(async move {
        let (mut begin, mut length) = (0, MEASURED);
        while begin < sessions {
            let measured = workspace.session_sizes(begin, begin + length).await;
            (begin, length) = (begin + length, length * 2);
            // The dialog may be closed by now.
            if measured.is_empty() || sizes.try_update(|sizes| sizes.extend(measured)).is_none() {
                return;
            }
        }
    });
    sizes
}

fn size_text(size: &SessionSize) -> String {
    let number = |n: u32| n as usize;
    let mut parts = vec![count(text::responses_one(), text::responses_many(), number(size.responses))];
    if size.tool_calls > 0 {
        parts.push(count(text::tool_calls_one(), text::tool_calls_many(), number(size.tool_calls)));
    }
    let [started, ended] =
        [&size.started, &size.ended].map(|time| clock::moment(time.as_deref().unwrap_or_default()));
    if !started.is_nan() {
        parts.push(clock::date(started));
    }
    if ended > started {
        parts.push(duration_text(ended - started));
    }
    parts.join(" · ")
}

fn body(workspace: Workspace, report: &Report) -> impl IntoView + use<> {
    let lines = |lines: &[String]| {
        (!lines.is_empty()).then(|| {
            let items: Vec<AnyView> =
                lines.iter().map(|line| view! { <li>{line.clone()}</li> }.into_any()).collect();
            view! { <ul>{items}</ul> }
        })
    };
    let files: Vec<AnyView> = report
        .files
        .iter()
        .map(|file| {
            let path = file.path.clone();
            let label = fill(text::logs_text(), &[("name", &path)]);
            view! {
                <section>
                    <h3>{path.clone()}</h3>
                    <p>{file.message.clone()}</p>
                    {lines(&file.notes)}
                    <button
                        type="button"
                        class="link-button"
                        on:click=move |_| workspace.open_log_text(path.clone())
                    >
                        {label}
                    </button>
                </section>
            }
            .into_any()
        })
        .collect();
    let sizes = measure(workspace, report.sessions.len());
    let sessions: Vec<AnyView> = report
        .sessions
        .iter()
        .enumerate()
        .map(|(at, (session, words))| {
            let chosen = session.clone();
            let words =
                (!words.is_empty()).then(|| view! { <span class="muted log-words">{words.clone()}</span> });
            view! {
                <li>
                    <button
                        type="button"
                        class="link-button"
                        on:click=move |_| workspace.choose_session(chosen.clone())
                    >
                        {session.clone()}
                    </button>
                    {words}
                    <div class="muted">{move || sizes.with(|sizes| sizes.get(at).map(size_text))}</div>
                </li>
            }
            .into_any()
        })
        .collect();
    let cells = |cells: &[String], is_head: bool| {
        let cells = cells.iter().cloned();
        let cells: Vec<AnyView> = match is_head {
            true => cells.map(|cell| view! { <th scope="col">{cell}</th> }.into_any()).collect(),
            false => cells.map(|cell| view! { <td>{cell}</td> }.into_any()).collect(),
        };
        view! { <tr>{cells}</tr> }.into_any()
    };
    let table = (!report.rows.is_empty()).then(|| {
        let rows: Vec<AnyView> = report.rows.iter().map(|row| cells(row, false)).collect();
        view! {
            <p>{text::logs_events_help()}</p>
            <div class="log-table" tabindex="0" role="region" aria-label=text::logs_table()>
                <table>
                    <thead>{cells(&report.columns, true)}</thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        }
    });
    view! {
        <p>{report.message.clone()}</p>
        {table}
        {(!sessions.is_empty()).then(|| view! { <ul aria-label=text::logs_sessions()>{sessions}</ul> })}
        {files}
        {(!report.left_out.is_empty()).then(|| view! { <h3>{text::logs_left_out()}</h3> })}
        {lines(&report.left_out)}
    }
}
