//! The tab Raw: what went over the wire, and the step as data.

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::view::question::Redact;
use transcript_core::view::{Exchange, ExchangeKind, TabRequest};

use super::tab_answer::{TabAnswer, tab_answer};
use crate::io;
use crate::strings::text;
use crate::ui::LongText;

#[component]
pub(crate) fn Raw() -> impl IntoView {
    let tab = tab_answer(|_| TabRequest::Exchange);
    move || tab.get().map(|tab| exchange(&tab))
}

fn exchange(tab: &TabAnswer) -> AnyView {
    let Exchange { kind, request, response, recorded, raw } = tab.whole();
    let is_llm = kind == ExchangeKind::Llm;
    let (request_title, response_title) = match is_llm {
        true => (text::request(), text::response()),
        false => (text::tool_request(), text::tool_response()),
    };
    let unknown = (!recorded).then(|| view! { <p class="muted">{text::sent_unknown()}</p> });
    let hint = (kind != ExchangeKind::None).then(|| view! { <p class="muted">{text::copy_hint()}</p> });
    let none = (is_llm && response.is_none()).then(|| view! { <p class="muted">{text::response_none()}</p> });
    view! {
        {hint}
        {unknown}
        {part(request_title, request, is_llm)}
        {part(response_title, response, false)}
        {none}
        {part(text::raw(), Some(raw), false)}
    }
    .into_any()
}

fn part(title: &'static str, content: Option<String>, sends: bool) -> AnyView {
    let Some(content) = content else { return ().into_any() };
    let content_value = StoredValue::new(content.clone());
    let curl = sends.then(|| view! { <CopyButton what=text::copy_curl() content_value make=curl /> });
    view! {
        <section class="raw-part">
            <header>
                <h3>{title}</h3>
                <CopyButton what=text::copy_json() content_value make=str::to_owned />
                {curl}
            </header>
            <LongText content />
        </section>
    }
    .into_any()
}

/// A button that copies a text without its secrets.
#[component]
fn CopyButton(
    what: &'static str,
    content_value: StoredValue<String>,
    make: fn(&str) -> String,
) -> impl IntoView {
    let copied = RwSignal::<Option<bool>>::new(None);
    let press = move |_| {
        let content = content_value.get_value();
        spawn_local(async move {
            // What cannot be searched for secrets is not copied.
            let clean = io::authoring::ask(Redact { text: &content, kinds: None }).await;
            let done = match clean.ok().and_then(|clean| clean.text) {
                Some(clean) => io::page::copy(&make(&clean)).await,
                None => false,
            };
            copied.try_set(Some(done));
        });
    };
    let status = move || match copied.get() {
        None => what,
        Some(true) => text::copied(),
        Some(false) => text::copy_failed(),
    };
    view! {
        <button type="button" class="button" title=what on:click=press>
            <span role="status">{status}</span>
        </button>
    }
}

/// The request for a shell. The key is the shell's own.
fn curl(request: &str) -> String {
    let quoted = request.replace('\'', r"'\''");
    format!(
        "curl \"${{OPENAI_BASE_URL:-https://api.openai.com/v1}}/chat/completions\" \\\n  \
         -H \"Authorization: Bearer $OPENAI_API_KEY\" \\\n  \
         -H 'Content-Type: application/json' \\\n  \
         --data '{quoted}'\n"
    )
}

#[cfg(test)]
mod tests {
    use super::curl;

    #[test]
    fn quotes_do_not_end_the_data() {
        let text = curl(r#"{"content": "It's '; rm -rf ~"}"#);
        assert!(text.trim_end().ends_with(r#"--data '{"content": "It'\''s '\''; rm -rf ~"}'"#), "{text}");
    }
}
