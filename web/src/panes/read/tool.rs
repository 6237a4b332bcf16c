//! A tool call: one line, and on request what went in and what came out.

use leptos::prelude::*;
use serde_json::Value;
use transcript_core::view::{ReadTool, Status, StepRow};

use super::folds::Folds;
use crate::state::{DiffLine, ToolInput, tool_subject};
use crate::strings::{count, text};
use crate::ui::{Icon, JsonTree, LongText, icons};

#[component]
pub(super) fn Tool(step: StepRow, tool: ReadTool, meta: AnyView, folds: Folds) -> impl IntoView {
    let subject = tool_subject(&tool.arguments);
    // A person must see why a call failed; one that worked is one line.
    let is_failed = step.status == Status::Failed;
    let key = step.path.clone();
    let is_open = Memo::new(move |_| folds.is_toggled(&key) != is_failed);
    let pressed = step.path.clone();
    let name = tool.name.to_string();
    view! {
        <div class="entry-body entry-tool role-tool" class:entry-failed=is_failed>
            <header class="entry-head">
                <button
                    type="button"
                    class="entry-call"
                    aria-expanded=move || is_open.get().to_string()
                    on:click=move |_| folds.toggle(&pressed)
                >
                    <span aria-hidden="true" class="entry-arrow">{move || if is_open.get() { "▾" } else { "▸" }}</span>
                    <Icon path=icons::TOOL />
                    <b>{name}</b>
                    <code class="entry-subject">{subject}</code>
                </button>
                {meta}
            </header>
            {move || is_open.get().then(|| details(&tool))}
        </div>
    }
}

fn details(tool: &ReadTool) -> AnyView {
    let input = match ToolInput::read(&tool.arguments) {
        ToolInput::Command(command) => {
            view! { <pre class="entry-command"><span aria-hidden="true">"$ "</span>{command}</pre> }
                .into_any()
        }
        ToolInput::Edit(lines) => diff(lines),
        ToolInput::Data(Value::Null) => ().into_any(),
        ToolInput::Data(Value::Object(entries)) if entries.is_empty() => ().into_any(),
        ToolInput::Data(value) => view! { <JsonTree value /> }.into_any(),
    };
    let data =
        serde_json::from_str::<Value>(&tool.output).ok().filter(|data| data.is_object() || data.is_array());
    let output = match data {
        Some(value) => view! { <JsonTree value /> }.into_any(),
        None if tool.output.trim().is_empty() => {
            view! { <p class="muted">{text::read_no_output()}</p> }.into_any()
        }
        None => view! { <LongText content=tool.output.clone() /> }.into_any(),
    };
    let cut = (tool.cut > 0).then(|| count(text::read_cut_one(), text::read_cut_many(), tool.cut));
    view! {
        <div class="entry-details">
            {input}
            <div class="entry-output">{output}</div>
            {cut.map(|cut| view! { <p class="muted">{cut}</p> })}
        </div>
    }
    .into_any()
}

fn diff(lines: Vec<DiffLine>) -> AnyView {
    let lines = lines.into_iter().map(|DiffLine { sign, text }| {
        let (class, sign) = match sign {
            '-' => ("diff-removed", "- "),
            '+' => ("diff-added", "+ "),
            _ => ("diff-same", "  "),
        };
        view! { <span class=class>{sign}{text}"\n"</span> }
    });
    view! { <pre class="entry-diff" tabindex="0">{lines.collect_view()}</pre> }.into_any()
}
