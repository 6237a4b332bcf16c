//! Layer 3 of a tool call: what it was called with and what it gave back.

use leptos::prelude::*;
use transcript_core::view::ToolView;

use crate::strings::text;
use crate::ui::{Icon, JsonTree, LongText, icons};

#[component]
pub(super) fn Tool(tool: ToolView) -> impl IntoView {
    let (class, icon, word) = match tool.success {
        true => ("severity-ok", icons::OK, text::TOOL_SUCCEEDED),
        false => ("severity-error", icons::ERROR, text::FAILED),
    };
    let error = tool.error.map(|content| {
        view! {
            <h4 class="severity-error">{text::ERROR}</h4>
            <LongText content />
        }
    });
    view! {
        <div class="call-head">
            <Icon path=icons::TOOL />
            <b>{tool.name}</b>
            <code>{tool.id}</code>
            <span class=format!("tool-verdict {class}")><Icon path=icon />{word}</span>
        </div>
        <h4>{text::PARAMETERS}</h4>
        <JsonTree value=tool.parameters />
        <h4>{text::RESULT}</h4>
        <JsonTree value=tool.result />
        {error}
    }
}
