//! Layer 3 of a tool call: its arguments and its result.

use leptos::prelude::*;
use transcript_core::view::{MessageView, ToolView};

use super::model::message_head;

use crate::panes::assert_menu::Assertable;
use crate::state::AssertionTarget;
use crate::strings::text;
use crate::ui::{Icon, JsonTree, LongText, icons};

#[component]
pub(super) fn Tool(
    tool: ToolView,
    own: bool,
    target: Option<AssertionTarget>,
    echo: Option<MessageView>,
) -> impl IntoView {
    let called = own.then(|| AssertionTarget::Arguments(tool.name.clone()));
    let (class, icon, word) = match tool.success {
        true => ("severity-ok", icons::OK, text::tool_succeeded()),
        false => ("severity-error", icons::ERROR, text::failed()),
    };
    let error = tool.error.map(|content| {
        view! {
            <h4 class="severity-error">{text::error()}</h4>
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
        <h4>{text::parameters()}</h4>
        <Assertable about=called value=tool.parameters.clone()>
            <JsonTree value=tool.parameters />
        </Assertable>
        <h4>{text::result()}</h4>
        <Assertable about=target value=tool.result.clone()>
            <JsonTree value=tool.result />
        </Assertable>
        {error}
        {echo.map(|echo| message_head(&echo))}
    }
}
