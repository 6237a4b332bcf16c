//! What other programs wrote: that it is such, what was made of it, and what was not read.

use leptos::prelude::*;

use crate::state::{Report, View, Workspace, is_log};
use crate::strings::{fill, text};
use crate::ui::{Dialog, Icon, icons};

/// The banner of a log, and of a transcript that was made of one.
#[component]
pub(crate) fn LogBanner() -> impl IntoView {
    let workspace = Workspace::here();
    let logs = workspace.logs;
    let press = move |word: &'static str, press: fn(Workspace)| {
        view! { <button type="button" on:click=move |_| press(workspace)>{word}</button> }.into_any()
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
            return Some((report.told.clone(), buttons));
        }
        let other = workspace.current.with(|current| current.other.clone());
        let other = other.as_deref();
        let make = |word| press(word, |workspace| workspace.read_as_log(false));
        match other? {
            // Those of agents have a view of their own.
            "event-log" if workspace.view() == View::Agents => None,
            "event-log" => {
                let show = press(text::logs_agents(), |workspace| {
                    workspace.go(workspace.route.with_untracked(|route| route.seen_in(View::Agents)));
                });
                Some((text::logs_events().to_owned(), vec![show]))
            }
            "qbit-log" => Some((text::logs_qbit().to_owned(), vec![make(text::logs_make())])),
            "http-recording" => Some((text::logs_http().to_owned(), vec![make(text::logs_make())])),
            "aimock-fixtures" => Some((text::logs_fixtures().to_owned(), Vec::new())),
            "openai-agents-traces" => Some((text::logs_traces().to_owned(), vec![make(text::logs_make())])),
            "claude-code-session" | "codex-rollout" => {
                Some((text::logs_session().to_owned(), vec![make(text::logs_make())]))
            }
            "chat-log" | "openai-responses" | "anthropic-messages" | "fine-tuning" | "ai-sdk-messages" => {
                Some((text::logs_chat().to_owned(), vec![make(text::logs_make())]))
            }
            "atif-trajectory" | "ai-sdk-devtools" | "otel-spans" | "inspect-log" | "langsmith-runs" => {
                Some((text::logs_agent_run().to_owned(), vec![make(text::logs_make())]))
            }
            _ if is_log(other) => Some((text::logs_agentloom().to_owned(), vec![make(text::logs_make())])),
            _ => Some((text::logs_beside().to_owned(), Vec::new())),
        }
    };
    move || {
        content().map(|(told, buttons)| {
            view! {
                <div class="banner banner-info" role="status">
                    <Icon path=icons::INFO />
                    <span>{told}</span>
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
    let body = move || logs.report.get().map(|report| body(workspace, &report));
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
            <div class="log-report">{body}</div>
        </Dialog>
    }
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
                    <p>{file.told.clone()}</p>
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
    let sessions: Vec<AnyView> = report
        .sessions
        .iter()
        .map(|session| {
            let chosen = session.clone();
            view! {
                <li>
                    <button
                        type="button"
                        class="link-button"
                        on:click=move |_| workspace.choose_session(chosen.clone())
                    >
                        {session.clone()}
                    </button>
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
        <p>{report.told.clone()}</p>
        {table}
        {(!sessions.is_empty()).then(|| view! { <ul aria-label=text::logs_sessions()>{sessions}</ul> })}
        {files}
        {(!report.left_out.is_empty()).then(|| view! { <h3>{text::logs_left_out()}</h3> })}
        {lines(&report.left_out)}
    }
}
