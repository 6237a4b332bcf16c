//! The conversation so far, and why the last answer was the one it was.

use leptos::prelude::*;
use serde_json::Value;

use super::{list, word};
use crate::panes::labels;
use crate::panes::message::class_of;
use crate::state::{Simulation, model_calls};
use crate::strings::{fill, text};
use crate::ui::{Icon, LongText, icons};

/// A message as it is shown.
struct Shown {
    role: String,
    name: String,
    content: String,
    calls: Vec<Value>,
}

/// The messages, each with what followed from it; `agent` is their recipient.
pub(super) fn conversation(
    simulation: Simulation,
    report: &Value,
    messages: &[String],
    agent: &str,
) -> Vec<AnyView> {
    let steps = list(report, "steps");
    let mut out = Vec::new();
    let all = model_calls(report, agent);
    let waits = all.iter().any(|call| call["step"].as_u64().is_some_and(|step| step as usize >= steps.len()));
    for (at, message) in messages.iter().enumerate() {
        out.push(message_view(Shown {
            role: "user".to_owned(),
            name: String::new(),
            content: message.clone(),
            calls: Vec::new(),
        }));
        let calls: Vec<&Value> = all.iter().copied().filter(|call| call["step"] == at).collect();
        let Some(step) = steps.get(at) else {
            // The step waits for a tool, and the messages after it wait as well: the answers of the model so far are in
            // its calls.
            let answers = calls.iter().map(|call| &call["response"]).filter(|answer| !answer.is_null());
            out.extend(answers.map(|answer| message_by("assistant".to_owned(), answer)));
            if !calls.is_empty() {
                out.push(trace(&calls));
            }
            break;
        };
        for message in list(step, "yielded") {
            out.push(message_by(word(&message, "role"), &message));
        }
        if list(step, "events").iter().any(|event| event["event"] == "execute:max_iterations") {
            out.push(error_view(text::rounds_over(), "", None));
        }
        let error = &step["error"];
        if !error.is_null() {
            let fix = (error["type"] == "MockNoMatchError").then_some(simulation);
            out.push(error_view(&word(error, "message"), &word(error, "type"), fix));
        }
        if at + 1 == steps.len() && !waits && !calls.is_empty() {
            out.push(trace(&calls));
        }
    }
    out
}

/// A message of the simulation, or an answer of its model.
fn message_by(role: String, message: &Value) -> AnyView {
    let content = match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    message_view(Shown {
        role,
        name: word(message, "tool_name").max(word(message, "toolName")),
        content,
        calls: list(message, "toolCalls"),
    })
}

fn message_view(message: Shown) -> AnyView {
    let look = labels::role_label(&message.role);
    let calls = message.calls.into_iter().map(|call| {
        view! {
            <div class="call">
                <div class="call-head">
                    <Icon path=icons::TOOL />
                    <b>{word(&call, "name")}</b>
                    <code>{call["arguments"].to_string()}</code>
                </div>
            </div>
        }
    });
    let content = (!message.content.is_empty()).then(|| view! { <LongText content=message.content /> });
    view! {
        <li class=class_of(&message.role, "")>
            <header class="message-head">
                <span class="message-role">
                    <Icon path=look.icon />
                    {look.word}
                </span>
                <code>{message.name}</code>
            </header>
            {content}
            {calls.collect_view()}
        </li>
    }
    .into_any()
}

/// What went wrong, as the core reports it; `fix` offers a fix.
pub(super) fn error_view(message: &str, kind: &str, fix: Option<Simulation>) -> AnyView {
    let fix = fix.map(|simulation| {
        view! {
            <button type="button" class="button" on:click=move |_| simulation.add_default()>
                {text::add_default()}
            </button>
        }
    });
    view! {
        <li class="simulation-error severity-error">
            <Icon path=icons::ERROR />
            <div>
                <pre class="long-text">{message.to_owned()}</pre>
                <code>{kind.to_owned()}</code>
                {fix}
            </div>
        </li>
    }
    .into_any()
}

/// The attempts for the last message, call by call.
fn trace(calls: &[&Value]) -> AnyView {
    let calls = calls.iter().map(|call| {
        let number = |key: &str| call[key].to_string();
        let head = fill(text::trace_call(), &[("n", &number("callCount")), ("round", &number("iteration"))]);
        let decisions = list(&call["trace"], "decisions").into_iter().map(|decision| {
            let path = word(&decision, "path");
            let path = path.splitn(3, '.').nth(2).map_or(path.clone(), str::to_owned);
            let (class, sign, fits) = match decision["matched"] == true {
                true => ("mark-yes", "✔ ", text::row_fits()),
                false => ("mark-no", "✖ ", text::row_fits_not()),
            };
            view! {
                <li>
                    <span class=class>{sign} <span class="visually-hidden">{fits}</span></span>
                    <code>{path}</code>
                    " "
                    {word(&decision, "reason")}
                </li>
            }
        });
        let left = call["trace"]["omitted"].as_u64().filter(|left| *left > 0);
        let left = left.map(
            |left| view! { <li class="muted">{fill(text::trace_more(), &[("n", &left.to_string())])}</li> },
        );
        view! {
            <p class="trace-head">{head}</p>
            <ul class="trace-list">{decisions.collect_view()} {left}</ul>
        }
    });
    view! {
        <li class="trace">
            <h3>{text::trace()}</h3>
            {calls.collect_view()}
        </li>
    }
    .into_any()
}
