//! The dialog in which a step is changed and the run is played on.

use leptos::prelude::*;
use serde_json::{Value, json};
use transcript_core::canonical::CanonicalMessage;
use transcript_core::travel::{Change, Status, StepPath};
use transcript_core::view::question::RerunAnswer;
use transcript_core::view::{RerunRequest, RerunRequestKind, TravelAnswer};

use super::labels;
use super::lazy_panes::{self, LazyView};
use crate::state::{ChangeStage, Target, Workspace, parse_result, parse_typed};
use crate::strings::{count, fill, text};
use crate::ui::{Dialog, Icon, icons, one_line};

/// The most characters that are shown of the request of a step.
const SHOWN: usize = 200;
/// The most messages of a question that are shown, the last ones.
const MESSAGES: usize = 6;

#[component]
pub(crate) fn ChangeStep() -> impl IntoView {
    let workspace = Workspace::here();
    let target = workspace.step_change.target;
    let title = Signal::derive(move || {
        let path = target.with(|target| target.as_ref().map(|target| target.path.clone()));
        fill(text::change_step(), &[("step", &path.unwrap_or_default())])
    });
    let open = Signal::derive(move || target.with(Option::is_some));
    view! {
        <Dialog title open close=move || workspace.leave_change()>
            <Show when=move || open.get()>
                <LazyView pane=lazy_panes::change_step() />
            </Show>
        </Dialog>
    }
}

#[component]
pub(super) fn Body() -> impl IntoView {
    let workspace = Workspace::here();
    let body = move || {
        let target = workspace.step_change.target.get()?;
        Some(match workspace.step_change.stage.get() {
            ChangeStage::Choosing => choose(workspace, target),
            ChangeStage::Working => {
                view! { <p class="muted" role="status">{text::replaying()}</p> }.into_any()
            }
            ChangeStage::Asking(need) => ask(workspace, &need),
            ChangeStage::Done(answer) => render_result(workspace, &answer),
        })
    };
    let note = move || {
        let note = workspace.step_change.note.get();
        note.map(|note| view! { <p class="severity-error" role="alert"><Icon path=icons::ERROR />{note}</p> })
    };
    view! {
        <div class="step-change">
            {note}
            {body}
        </div>
    }
}

fn choose(workspace: Workspace, target: Target) -> AnyView {
    let content = RwSignal::new(target.content.clone());
    let to = RwSignal::new(target.path.rsplit('.').next().unwrap_or_default().to_owned());
    let (label, hint) = match &*target.kind {
        "llm_call" => (text::change_answer(), text::change_answer_hint()),
        "tool_call" => (text::change_result(), text::ask_hint()),
        _ => (text::change_message(), ""),
    };
    let is_tool = target.kind == "tool_call";
    let (kind, step) = (target.kind.clone(), target.step.clone());
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let (step, content) = (step.clone(), content.get_untracked());
        workspace.make_change(match &*kind {
            "llm_call" => Change::ReplaceAnswer { step, response: parse_typed(&content) },
            "tool_call" => Change::ReplaceResult { step, result: Ok(parse_result(&content)) },
            _ => Change::EditMessage { step, message: None, content: content.into() },
        });
    };
    let step = target.step.clone();
    let fail = move |_| {
        let result = Err(content.get_untracked().into());
        workspace.make_change(Change::ReplaceResult { step: step.clone(), result });
    };
    let step = target.step.clone();
    let skip = move |_| workspace.make_change(Change::Skip { step: step.clone() });
    let (path, step) = (target.path.clone(), target.step.clone());
    let shift = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let place = to.get_untracked();
        let to = match path.rsplit_once('.') {
            Some((run, _)) => format!("{run}.{place}"),
            None => place,
        };
        match StepPath::new(&to) {
            Ok(to) => workspace.make_change(Change::Move { step: step.clone(), to }),
            Err(error) => workspace.step_change.note.set(Some(error.to_string())),
        }
    };
    let rows = target.content.lines().count().clamp(3, 10);
    view! {
        <p class="muted">{text::change_hint()}</p>
        <form on:submit=submit>
            <label for="change-text">{label}</label>
            <textarea
                id="change-text"
                spellcheck="false"
                rows=rows
                aria-describedby="change-hint"
                prop:value=move || content.get()
                on:input=move |event| content.set(event_target_value(&event))
            ></textarea>
            <p class="muted" id="change-hint">{hint}</p>
            <p class="dialog-actions">
                <button type="submit">{text::change_and_replay()}</button>
                {is_tool.then(|| view! { <button type="button" on:click=fail>{text::change_fail()}</button> })}
                <button type="button" on:click=skip>{text::change_skip()}</button>
            </p>
        </form>
        <form class="change-move" on:submit=shift>
            <label for="change-to">{text::change_move()}</label>
            <input
                type="number"
                id="change-to"
                min="1"
                max=target.steps
                required
                prop:value=move || to.get()
                on:input=move |event| to.set(event_target_value(&event))
            />
            <p class="dialog-actions"><button type="submit">{text::change_move_it()}</button></p>
        </form>
    }
    .into_any()
}

fn ask(workspace: Workspace, need: &RerunRequest) -> AnyView {
    let input = RwSignal::new(String::new());
    let is_tool = need.kind == RerunRequestKind::Tool;
    let question = match &need.call {
        Some(call) => {
            let arguments = one_line(&call.arguments, SHOWN);
            let values = [("step", &*need.step), ("tool", &*call.name), ("arguments", &*arguments)];
            fill(text::needs_result(), &values)
        }
        None => fill(text::needs_answer(), &[("step", &need.step)]),
    };
    let messages = need.messages.as_deref().unwrap_or_default();
    let skipped = messages.len().saturating_sub(MESSAGES);
    let shown = messages.iter().skip(skipped).map(|message| {
        let role = labels::role_label(&message.role);
        view! { <li class=role.class><b>{role.word}</b> " " {content_of(message)}</li> }
    });
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let content = input.get_untracked();
        workspace.give_answer(match is_tool {
            true => RerunAnswer::ToolResult(parse_result(&content)),
            false => RerunAnswer::Response(parse_typed(&content)),
        });
    };
    let fails = move |_| {
        let content = input.get_untracked();
        workspace.give_answer(match is_tool {
            true => RerunAnswer::ToolError(content.into()),
            false => RerunAnswer::Fail(json!({ "type": "error", "message": content })),
        });
    };
    view! {
        <p role="status"><b>{question}</b></p>
        {(!is_tool).then(|| view! { <ol class="change-messages" aria-label=text::needs_sent()>{shown.collect_view()}</ol> })}
        <form on:submit=submit>
            <label for="change-answer">{if is_tool { text::change_result() } else { text::change_answer() }}</label>
            <textarea
                id="change-answer"
                spellcheck="false"
                rows="4"
                prop:value=move || input.get()
                on:input=move |event| input.set(event_target_value(&event))
            ></textarea>
            <p class="dialog-actions">
                <button type="submit">{if is_tool { text::give_result() } else { text::give_answer() }}</button>
                <button type="button" on:click=fails>{text::give_error()}</button>
                {(!is_tool)
                    .then(|| {
                        view! {
                            <button type="button" on:click=move |_| workspace.give_answer(RerunAnswer::Handlers)>
                                {text::take_handlers()}
                            </button>
                        }
                    })}
                <button type="button" on:click=move |_| workspace.take_back()>{text::change_back()}</button>
            </p>
        </form>
    }
    .into_any()
}

fn render_result(workspace: Workspace, answer: &TravelAnswer) -> AnyView {
    let marks = answer.marks.iter().map(|mark| {
        let (class, icon, word_of_mark) = match mark.status {
            Status::Kept => ("severity-ok", icons::OK, text::mark_kept()),
            Status::Changed => ("severity-info", icons::FIX, text::mark_changed()),
            Status::Recomputed => ("severity-info", icons::SWAP, text::mark_recomputed()),
            Status::Diverged => ("severity-error", icons::ERROR, text::mark_diverged()),
            Status::Depends => ("severity-warning", icons::WARNING, text::mark_depends()),
            Status::Unanswered => ("severity-warning", icons::WARNING, text::mark_unanswered()),
            Status::Orphaned => ("severity-warning", icons::WARNING, text::mark_orphaned()),
        };
        let from = mark.origin.as_ref().filter(|origin| **origin != mark.step);
        let from = from.map(|from| fill(text::mark_was(), &[("step", from)]));
        let step = fill(text::assertion_step(), &[("step", &mark.step)]);
        view! { <li class=class><Icon path=icon /><b>{word_of_mark}</b> <span>{step}</span> <span class="muted">{from}</span></li> }
    });
    let dropped = answer.dropped.iter().map(|dropped| {
        let values = [("step", &*dropped.step), ("why", &*dropped.reason)];
        view! { <li>{fill(text::mark_dropped(), &values)}</li> }
    });
    let notes = answer.notes.iter().map(|note| view! { <li>{note.clone()}</li> });
    let steps = answer.marks.iter().filter(|mark| mark.step != "0").count();
    let verdict = if answer.holds { text::change_holds() } else { text::change_holds_not() };
    view! {
        <p role="status"><b>{count(text::steps_one(), text::steps_many(), steps)}</b> " · " {verdict}</p>
        <ul class="change-marks" aria-label=text::change_marks()>{marks.collect_view()}</ul>
        <ul class="change-notes">{dropped.collect_view()}{notes.collect_view()}</ul>
        <p class="dialog-actions">
            <button type="button" id="change-open" on:click=move |_| workspace.open_changed()>{text::change_open()}</button>
            <button type="button" on:click=move |_| workspace.take_back()>{text::change_back()}</button>
            <button type="button" on:click=move |_| workspace.leave_change()>{text::cancel()}</button>
        </p>
    }
    .into_any()
}

/// What a message says: the result of a tool, its text, or its calls.
fn content_of(message: &CanonicalMessage) -> String {
    let CanonicalMessage { content, tool_calls, result, .. } = message;
    match result {
        Some(Value::String(text)) if !text.is_empty() => text.clone(),
        None | Some(Value::Null | Value::String(_)) => match (content.as_str(), tool_calls.as_slice()) {
            ("", []) => text::no_text().to_owned(),
            ("", calls) => one_line(&json!(calls), SHOWN),
            (content, _) => content.to_owned(),
        },
        Some(data) => one_line(data, SHOWN),
    }
}

#[cfg(test)]
mod tests {
    use transcript_core::wire::ToolCall;

    use super::*;

    #[test]
    fn a_message_is_shown_by_what_it_says() {
        let call = ToolCall { id: "c".to_owned(), name: "weather".to_owned(), arguments: json!({}) };
        let content = |content: &str, tool_calls: &[ToolCall], result: Option<Value>| {
            let (content, tool_calls) = (content.to_owned(), tool_calls.to_vec());
            content_of(&CanonicalMessage { content, tool_calls, result, ..CanonicalMessage::default() })
        };
        let calls = [call];
        assert_eq!(content("21", &[], Some(json!({"degrees": 21}))), "{\"degrees\":21}");
        assert_eq!(content("{}", &[], Some(json!("sunny"))), "sunny");
        assert_eq!(content("Let me look", &calls, None), "Let me look");
        assert_eq!(content("", &calls, Some(json!(""))), r#"[{"id":"c","name":"weather","arguments":{}}]"#);
        assert_eq!(content("", &[], None), text::no_text());
    }
}
