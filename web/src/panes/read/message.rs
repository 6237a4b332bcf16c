//! The text of a message with the images that it holds: Markdown of models, and of people and tools as it is written.

use leptos::html;
use leptos::prelude::*;
use serde_json::Value;
use transcript_core::view::{ReadMessage, ToolChip};

use super::folds::Folds;
use crate::io;
use crate::panes::labels;
use crate::strings::{count, text};
use crate::ui::{Icon, JsonTree, icons};

/// More characters of instructions than this are folded up: they come before everything that happens.
const LONG_INSTRUCTIONS: usize = 600;

/// Text in Markdown.
#[component]
fn Markdown(content: String) -> impl IntoView {
    let place: NodeRef<html::Div> = NodeRef::new();
    Effect::new(move || {
        if let Some(place) = place.get() {
            io::markdown::show(place.into(), content.clone());
        }
    });
    view! { <div node_ref=place class="md"></div> }
}

/// A message; `head` is its role, where several stand together.
#[component]
pub(super) fn Message(
    message: ReadMessage,
    head: Option<String>,
    key: String,
    folds: Folds,
) -> impl IntoView {
    let ReadMessage { role, content, cut, error, calls } = message;
    let head = head.map(|role| {
        let look = labels::role_label(&role);
        view! { <p class="message-role"><Icon path=look.icon />{look.word}</p> }
    });
    let is_long = matches!(role.as_str(), "system" | "developer")
        && content.as_str().is_some_and(|content| content.chars().count() > LONG_INSTRUCTIONS);
    let is_markdown = !matches!(role.as_str(), "user" | "tool");
    let body = move || parts(&content, is_markdown);
    let body = match is_long {
        false => body(),
        true => folded(key, folds, text::read_instructions(), body),
    };
    view! {
        {head}
        {body}
        {error.map(|error| view! { <p class="step-failed"><Icon path=icons::ERROR />{error}</p> })}
        {(cut > 0).then(|| view! { <p class="muted">{count(text::read_cut_one(), text::read_cut_many(), cut)}</p> })}
        {calls.into_iter().map(call_line).collect_view()}
    }
}

/// A call that is no step of its own.
pub(super) fn call_line(call: ToolChip) -> AnyView {
    view! {
        <p class="entry-call">
            <Icon path=icons::TOOL />
            <b>{call.name}</b>
            <code class="entry-subject">{call.arguments}</code>
            {call.unanswered.then(|| view! { <span class="chip-unanswered">{text::unanswered()}</span> })}
        </p>
    }
    .into_any()
}

/// The reasoning of a model, folded up.
#[component]
pub(super) fn Reasoning(reasoning: ReadMessage, key: String, folds: Folds) -> impl IntoView {
    let body = move || {
        let (message, key) = (reasoning.clone(), String::new());
        view! { <Message message head=None key folds /> }.into_any()
    };
    folded(key, folds, text::reasoning(), body)
}

/// Something that a person opens and closes.
fn folded(
    key: String,
    folds: Folds,
    label: &'static str,
    body: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    let pressed = key.clone();
    let is_open = Memo::new(move |_| folds.is_toggled(&key));
    view! {
        <div class="entry-fold">
            <button
                type="button"
                class="link-button"
                aria-expanded=move || is_open.get().to_string()
                on:click=move |event| {
                    event.stop_propagation();
                    folds.toggle(&pressed);
                }
            >
                {label}
                <span aria-hidden="true">{move || if is_open.get() { " ▾" } else { " ▸" }}</span>
            </button>
            {move || is_open.get().then(&body)}
        </div>
    }
    .into_any()
}

/// The parts of a content.
fn parts(content: &Value, is_markdown: bool) -> AnyView {
    match content {
        Value::Null => ().into_any(),
        Value::String(text) if text.is_empty() => ().into_any(),
        Value::String(text) => words(text, is_markdown),
        Value::Array(parts) => {
            parts.iter().map(|content| part(content, is_markdown)).collect_view().into_any()
        }
        data => view! { <JsonTree value=data.clone() /> }.into_any(),
    }
}

fn words(text: &str, is_markdown: bool) -> AnyView {
    let content = text.to_owned();
    match is_markdown {
        true => view! { <Markdown content /> }.into_any(),
        false => view! { <div class="md md-plain">{content}</div> }.into_any(),
    }
}

fn part(part: &Value, is_markdown: bool) -> AnyView {
    let text = part.as_str().or_else(|| part.get("text")?.as_str());
    if let Some(text) = text {
        return words(text, is_markdown);
    }
    match image_of(part) {
        Some(source) => view! { <img class="entry-image" src=source alt=text::read_image() /> }.into_any(),
        None => view! { <JsonTree value=part.clone() /> }.into_any(),
    }
}

/// The kinds of images that a browser shows.
const IMAGES: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/// The address of an image that holds its own bytes. No other is fetched: that would tell its host of the reader.
fn image_of(part: &Value) -> Option<String> {
    let text = |place: &str| part.pointer(place).and_then(Value::as_str);
    let addresses = ["/image_url/url", "/image_url", "/image", "/url", "/data", "/source/url"];
    let known = |address: &&str| {
        let parts = address.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
        let is_image = |kind: &str| kind.split(';').next().is_some_and(|kind| IMAGES.contains(&kind));
        parts.is_some_and(|(kind, data)| is_image(kind) && is_base64(data))
    };
    if let Some(address) = addresses.iter().filter_map(|place| text(place)).find(known) {
        return Some(address.to_owned());
    }
    let kinds = [
        "/source/media_type",
        "/media_type",
        "/mediaType",
        "/mimeType",
        "/inlineData/mimeType",
        "/inline_data/mime_type",
    ];
    let kind = kinds.iter().find_map(|place| text(place)).filter(|kind| IMAGES.contains(kind))?;
    let data = ["/source/data", "/data", "/image", "/inlineData/data", "/inline_data/data"];
    let data = data.iter().find_map(|place| text(place)).filter(|data| is_base64(data))?;
    Some(format!("data:{kind};base64,{data}"))
}

/// Whether a text may be the bytes of an image: logs have words in their place.
fn is_base64(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\n' | b'\r'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::image_of;

    #[test]
    fn images_with_their_bytes_are_shown_and_no_others() {
        let inline = "data:image/png;base64,AA==";
        let forms = [
            json!({"type": "image_url", "image_url": {"url": inline}}),
            json!({"type": "input_image", "image_url": inline}),
            json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}),
            json!({"type": "file", "mediaType": "image/png", "data": "AA=="}),
            json!({"inlineData": {"mimeType": "image/png", "data": "AA=="}}),
        ];
        for form in forms {
            assert_eq!(image_of(&form).as_deref(), Some(inline), "{form}");
        }
        let others = [
            json!({"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}),
            json!({"type": "image", "source": {"media_type": "image/svg+xml", "data": "AA=="}}),
            json!({"type": "image_url", "image_url": {"url": "data:text/html,x"}}),
            json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,<scrubbed>"}}),
            json!({"type": "file", "mediaType": "image/png", "data": "[redacted]"}),
            json!({"type": "text"}),
        ];
        for other in others {
            assert_eq!(image_of(&other), None, "{other}");
        }
    }
}
