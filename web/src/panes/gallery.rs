//! The first screen: doors, what was open lately, examples.

use leptos::prelude::*;

use super::words;
use crate::io;
use crate::io::store::Meta;
use crate::state::{EXAMPLES, Example, View, Workspace};
use crate::strings::{count, fill, text};
use crate::ui::{Dialog, Icon, IconButton, icons};

#[component]
pub(crate) fn Gallery() -> impl IntoView {
    let workspace = Workspace::here();
    let some_recent = move || workspace.recent.with(|recent| !recent.is_empty());
    view! {
        <main class="gallery">
            <h1>{text::HEADLINE}</h1>
            <p class="gallery-intro">{text::INTRO}</p>
            <div class="doors">
                <Door icon=icons::EXAMPLE title=text::DOOR_EXAMPLE hint=text::DOOR_EXAMPLE_HINT press=|| {
                    io::page::scroll_to("examples");
                    io::page::focus("example-0");
                } />
                <Door icon=icons::UPLOAD title=text::DOOR_FILE hint=text::DOOR_FILE_HINT press=|| {
                    io::files::choose("file-input");
                } />
                <Door icon=icons::PLUS title=text::DOOR_BLANK hint=text::DOOR_BLANK_HINT press=move || {
                    workspace.create_from_text(text::UNTITLED, "");
                    io::page::focus("source-field");
                } />
                <Door icon=icons::DESCRIBE title=text::DOOR_DESCRIBE hint=text::DOOR_DESCRIBE_HINT press=move || {
                    workspace.generation.open.set(true);
                } />
            </div>
            <p class="gallery-folder">
                <button type="button" class="link-button" on:click=|_| io::files::choose("folder-input")>
                    {text::DOOR_FOLDER}
                </button>
                " "
                {text::DOOR_FOLDER_HINT}
            </p>
            <p class="gallery-folder">
                <button type="button" class="link-button" on:click=move |_| workspace.outside.open.set(true)>
                    {text::WEB_OPEN}
                </button>
                " "
                {text::WEB_OPEN_HINT}
            </p>
            <Show when=some_recent>
                <Recent />
            </Show>
            <section aria-labelledby="examples">
                <h2 id="examples">{text::EXAMPLES}</h2>
                <ul class="tiles">
                    {EXAMPLES.iter().enumerate().map(|(at, example)| view! { <Tile at example /> }).collect_view()}
                </ul>
            </section>
        </main>
    }
}

#[component]
fn Door(
    icon: &'static str,
    title: &'static str,
    hint: &'static str,
    press: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <button type="button" class="door" on:click=move |_| press()>
            <Icon path=icon />
            <span class="door-title">{title}</span>
            <span class="door-hint">{hint}</span>
        </button>
    }
}

#[component]
fn Tile(at: usize, example: &'static Example) -> impl IntoView {
    let kinds = example.steps.iter().take(12).map(|kind| {
        let look = words::of_kind(kind);
        view! { <span class=format!("tile-kind {}", look.class) title=look.word><Icon path=look.icon /></span> }
    });
    let facts = match example.steps.is_empty() {
        true if example.view() == View::Agents => text::FORM_EVENTS.to_owned(),
        true => text::FORM_HANDLERS.to_owned(),
        false => format!(
            "{} · {}",
            count(text::STEPS_ONE, text::STEPS_MANY, example.steps.len()),
            count(text::MESSAGES_ONE, text::MESSAGES_MANY, example.messages)
        ),
    };
    view! {
        <li>
            <a class="tile" id=format!("example-{at}") href=format!("#/{}?d=ex:{}", example.view().word(), example.name)>
                <span class="tile-name">{example.name}</span>
                <span class="tile-lesson">{example.lesson()}</span>
                <span class="tile-facts">
                    <span class="tile-kinds" aria-hidden="true">{kinds.collect_view()}</span>
                    {facts}
                </span>
            </a>
        </li>
    }
}

#[component]
fn Recent() -> impl IntoView {
    let workspace = Workspace::here();
    let leaving = RwSignal::new(None::<Meta>);
    let row = move |meta: Meta| {
        let name = meta.name.clone();
        let href = format!("#/edit?d=l:{}", meta.id);
        let when = io::clock::date(meta.updated);
        let label = fill(text::REMOVE, &[("name", &name)]);
        view! {
            <li class="recent-row">
                <a href=href>
                    <Icon path=icons::FILE />
                    <span class="recent-name">{name}</span>
                    <span class="recent-when">{when}</span>
                </a>
                <IconButton icon=icons::DELETE label=label press=move || leaving.set(Some(meta.clone())) />
            </li>
        }
    };
    let ask = Signal::derive(move || {
        let name = leaving.with(|meta| meta.as_ref().map(|meta| meta.name.clone()));
        fill(text::REMOVE_ASK, &[("name", &name.unwrap_or_default())])
    });
    view! {
        <section aria-labelledby="recent">
            <h2 id="recent">{text::RECENT} " " <small>{text::RECENT_HINT}</small></h2>
            <ul class="recent">
                <For each=move || workspace.recent.get() key=|meta| (meta.id.clone(), meta.updated.to_bits()) children=row />
            </ul>
            <Dialog
                title=text::REMOVE_YES
                open=Signal::derive(move || leaving.with(Option::is_some))
                close=move || leaving.set(None)
            >
                <p>{move || ask.get()}</p>
                <div class="dialog-actions">
                    <button type="button" on:click=move |_| leaving.set(None)>{text::CANCEL}</button>
                    <button
                        type="button"
                        class="danger"
                        on:click=move |_| {
                            if let Some(meta) = leaving.try_update(Option::take).flatten() {
                                workspace.forget(meta.id);
                            }
                        }
                    >
                        {text::REMOVE_YES}
                    </button>
                </div>
            </Dialog>
        </section>
    }
}
