//! A conversation with the handlers: a box for the message of the user, the answers, and why.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use transcript_core::view::Place;

use super::chat::{conversation, error_view};
use crate::io;
use crate::state::{PendingAnswer, Simulation, Workspace};
use crate::strings::{count, fill, text};
use crate::ui::{Icon, IconButton, icons};

#[component]
pub(crate) fn SimulatorPane() -> impl IntoView {
    let simulation = Simulation::here();
    let is_empty = Signal::derive(move || simulation.messages.with(Vec::is_empty));
    let rows = move || {
        let (report, messages) = (simulation.report.get(), simulation.messages.get());
        conversation(simulation, &report, &messages, &simulation.agent())
    };
    let problems = move || {
        let problems = simulation.problems.get();
        let line = |Place { line, column, .. }: Place| {
            fill(text::at(), &[("line", &line.to_string()), ("column", &column.to_string())])
        };
        let rows = problems.iter().map(|one| error_view(&one.message, &line(one.place), None));
        rows.collect_view()
    };
    let failed = move || simulation.failed.get().map(|reason| error_view(&reason, "", None));
    let asks = move || simulation.ask.get().map(|ask| view! { <PendingInput ask /> });
    let note = move || simulation.note.get();
    let scenario = move || {
        let number = simulation.scenario().len();
        (number > 0).then(|| {
            view! {
                <button type="button" class="button" on:click=move |_| simulation.send_scenario()>
                    {count(text::run_scenario_one(), text::run_scenario_many(), number)}
                </button>
            }
        })
    };
    let hint = move || {
        (is_empty.get() && simulation.failed.with(Option::is_none))
            .then(|| view! { <li class="muted">{text::simulator_hint()}</li> })
    };
    let exhausted = move || {
        let left = simulation.report.with(|report| {
            let agent = simulation.agent();
            report.agents.iter().find(|one| one.key == agent).and_then(|one| one.handler_responses_remaining)
        });
        left.map(|left| count(text::answers_left_one(), text::answers_left_many(), left))
    };
    view! {
        <section class="pane pane-simulator" id="pane-simulator" aria-label=text::simulator()>
            <header class="pane-head">
                <h2>{text::simulator()}</h2>
                <span class="pane-facts">{exhausted}</span>
                <div class="pane-tools">
                    <IconButton icon=icons::PREVIOUS label=text::step_back() disabled=is_empty press=move || simulation.step_back() />
                    <IconButton icon=icons::FIRST label=text::reset() disabled=is_empty press=move || simulation.reset() />
                </div>
            </header>
            <div class="simulator-body" id="simulator-body" tabindex="0" role="log" aria-label=text::conversation()>
                <ol class="conversation">{hint} {rows} {problems} {failed}</ol>
                {asks}
            </div>
            <div class="simulator-foot">
                <MessageInput />
                <div class="simulator-actions">
                    {scenario}
                    <Save />
                </div>
                <p class="simulator-note" role="status">{note}</p>
            </div>
        </section>
    }
}

/// The recipient, and the message.
#[component]
fn MessageInput() -> impl IntoView {
    let simulation = Simulation::here();
    let message = RwSignal::new(String::new());
    let nobody = move || simulation.spec.with(Option::is_none) || simulation.agents().is_empty();
    let waits = move || simulation.ask.with(Option::is_some);
    let send = move |event: SubmitEvent| {
        event.prevent_default();
        let content = message.get_untracked();
        // What the run waits for comes first.
        if untrack(waits) {
            io::page::focus("simulator-result");
        }
        if !content.is_empty() && !untrack(waits) && !untrack(nobody) {
            message.set(String::new());
            simulation.send(content);
        }
    };
    let who = move || {
        let agents = simulation.agents();
        (agents.len() > 1).then(|| {
            let options = agents.into_iter().map(|agent| {
                let value = agent.clone();
                let is_it = {
                    let agent = agent.clone();
                    move || simulation.agent() == agent
                };
                view! { <option value=value selected=is_it>{agent}</option> }
            });
            view! {
                <label class="simulator-who">
                    <span>{text::speak_to()}</span>
                    <select on:change=move |event| simulation.select_agent(event_target_value(&event))>
                        {options.collect_view()}
                    </select>
                </label>
            }
        })
    };
    view! {
        <form class="simulator-say" on:submit=send>
            {who}
            <label class="simulator-message">
                <span class="visually-hidden">{text::user_message()}</span>
                <input
                    type="text"
                    id="simulator-message"
                    autocomplete="off"
                    placeholder=text::user_message()
                    prop:value=move || message.get()
                    on:input=move |event| message.set(event_target_value(&event))
                    disabled=nobody
                />
            </label>
            <button type="submit" class="button" disabled=move || nobody() || waits()>{text::send()}</button>
        </form>
    }
}

/// Asks for what the run waits for.
#[component]
fn PendingInput(ask: PendingAnswer) -> impl IntoView {
    let simulation = Simulation::here();
    let input = RwSignal::new(String::new());
    let is_tool = ask.tool.is_some();
    let question = match &ask.tool {
        Some((tool, arguments)) => {
            fill(text::ask_tool(), &[("tool", tool), ("arguments", &arguments.to_string())])
        }
        None => fill(text::ask_response(), &[("agent", &ask.agent)]),
    };
    let send = move |event: SubmitEvent| {
        event.prevent_default();
        simulation.give_answer(&input.get_untracked(), false);
    };
    view! {
        <form class="simulator-ask role-tool" on:submit=send>
            <label for="simulator-result">
                <Icon path=icons::TOOL />
                <span>{question}</span>
            </label>
            <input
                type="text"
                id="simulator-result"
                autocomplete="off"
                placeholder=text::ask_hint()
                prop:value=move || input.get()
                on:input=move |event| input.set(event_target_value(&event))
            />
            <button type="submit" class="button">{if is_tool { text::give_result() } else { text::give_answer() }}</button>
            {is_tool.then(|| view! {
                <button type="button" class="button" on:click=move |_| simulation.give_answer(&input.get_untracked(), true)>
                    {text::give_error()}
                </button>
            })}
        </form>
    }
}

/// What the conversation can be kept as.
#[component]
fn Save() -> impl IntoView {
    let simulation = Simulation::here();
    let workspace = Workspace::here();
    let nothing = Signal::derive(move || simulation.report.with(|report| report.agents.is_empty()));
    let waits = Signal::derive(move || nothing.get() || simulation.ask.with(Option::is_some));
    let is_alone = Memo::new(move |_| workspace.is_of_handlers());
    view! {
        <button type="button" class="button" disabled=waits on:click=move |_| simulation.save_as_transcript()>
            {text::save_transcript()}
        </button>
        <Show when=move || is_alone.get()>
            <button type="button" class="button" disabled=nothing on:click=move |_| simulation.save_as_scenario()>
                {text::save_scenario()}
            </button>
        </Show>
    }
}
