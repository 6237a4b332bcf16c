//! The conversation so far, and why the last answer was the one it was.

use leptos::prelude::*;
use serde_json::Value;
use transcript_core::simulate::{ModelCall, Report};
use transcript_core::wire::ToolCall;

use crate::panes::labels;
use crate::panes::message::class_of;
use crate::state::{Simulation, model_calls};
use crate::strings::{fill, text};
use crate::ui::{Icon, LongText, icons};

/// A message as it is shown.
struct Shown<'r> {
    role: &'r str,
    name: &'r str,
    content: String,
    calls: &'r [ToolCall],
}

/// The messages, each with what followed from it; `agent` is their recipient.
pub(super) fn conversation(
    simulation: Simulation,
    report: &Report,
    messages: &[String],
    agent: &str,
) -> Vec<AnyView> {
    let steps = report.steps.as_slice();
    let mut out = Vec::new();
    let all = model_calls(report, agent);
    let waits = all.iter().any(|call| call.step >= steps.len());
    for (at, message) in messages.iter().enumerate() {
        out.push(message_view(Shown { role: "user", name: "", content: message.clone(), calls: &[] }));
        let calls: Vec<&ModelCall> = all.iter().copied().filter(|call| call.step == at).collect();
        let Some(step) = steps.get(at) else {
            // The step waits for a tool, and the messages after it wait as well: the answers of the model so far are in
            // its calls.
            for answer in calls.iter().filter_map(|call| call.response.as_ref()) {
                out.push(message_view(Shown {
                    role: "assistant",
                    name: "",
                    content: text_of(&answer.content),
                    calls: &answer.tool_calls,
                }));
            }
            if !calls.is_empty() {
                out.push(trace(&calls));
            }
            break;
        };
        for message in step.yielded.iter().flatten() {
            out.push(message_view(Shown {
                role: &message.role,
                name: message.tool_name.as_deref().unwrap_or_default(),
                content: text_of(&message.content),
                calls: &message.tool_calls,
            }));
        }
        if step.events.iter().any(|event| event.event == "execute:max_iterations") {
            out.push(error_view(text::rounds_over(), "", None));
        }
        if let Some(error) = &step.error {
            let fix = (error.kind == "MockNoMatchError").then_some(simulation);
            out.push(error_view(&error.message, &error.kind, fix));
        }
        if at + 1 == steps.len() && !waits && !calls.is_empty() {
            out.push(trace(&calls));
        }
    }
    out
}

/// The content of a message as text.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn message_view(message: Shown<'_>) -> AnyView {
    let look = labels::role_label(message.role);
    let calls = message.calls.iter().map(|call| {
        view! {
            <div class="call">
                <div class="call-head">
                    <Icon path=icons::TOOL />
                    <b>{call.name.clone()}</b>
                    <code>{call.arguments.to_string()}</code>
                </div>
            </div>
        }
    });
    let content = (!message.content.is_empty()).then(|| view! { <LongText content=message.content /> });
    view! {
        <li class=class_of(message.role, "")>
            <header class="message-head">
                <span class="message-role">
                    <Icon path=look.icon />
                    {look.word}
                </span>
                <code>{message.name.to_owned()}</code>
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
fn trace(calls: &[&ModelCall]) -> AnyView {
    let calls = calls.iter().map(|call| {
        let (number, round) = (call.call_count.to_string(), call.iteration.to_string());
        let head = fill(text::trace_call(), &[("n", &number), ("round", &round)]);
        let decisions = call.trace.decisions.iter().map(|decision| {
            let path = decision.path.splitn(3, '.').nth(2).unwrap_or(&decision.path).to_owned();
            let (class, sign, fits) = match decision.matched {
                true => ("mark-yes", "✔ ", text::row_fits()),
                false => ("mark-no", "✖ ", text::row_fits_not()),
            };
            view! {
                <li>
                    <span class=class>{sign} <span class="visually-hidden">{fits}</span></span>
                    <code>{path}</code>
                    " "
                    {decision.reason.clone()}
                </li>
            }
        });
        let left = call.trace.omitted;
        let left = (left > 0).then(
            || view! { <li class="muted">{fill(text::trace_more(), &[("n", &left.to_string())])}</li> },
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
