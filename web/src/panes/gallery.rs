//! The first screen: ways to start, recent documents, examples.

use leptos::prelude::*;

use super::{labels, language::Languages};
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
            <h1>{text::headline()}</h1>
            <p class="gallery-intro">{text::intro()}</p>
            <div class="doors">
                <Door icon=icons::EXAMPLE title=text::door_example() hint=text::door_example_hint() press=|| {
                    io::page::scroll_to("examples");
                    io::page::focus("example-0");
                } />
                <Door icon=icons::UPLOAD title=text::door_file() hint=text::door_file_hint() press=|| {
                    io::files::choose("file-input");
                } />
                <Door icon=icons::PLUS title=text::door_blank() hint=text::door_blank_hint() press=move || {
                    workspace.create_from_text(text::untitled(), "");
                    io::page::focus("source-field");
                } />
                <Door icon=icons::DESCRIBE title=text::door_describe() hint=text::door_describe_hint() press=move || {
                    workspace.generation.open.set(true);
                } />
            </div>
            <p class="gallery-folder">
                <button type="button" class="link-button" on:click=|_| io::files::choose("folder-input")>
                    {text::door_folder()}
                </button>
                " "
                {text::door_folder_hint()}
            </p>
            <p class="gallery-folder">
                <button type="button" class="link-button" on:click=move |_| workspace.remote.open.set(true)>
                    {text::web_open()}
                </button>
                " "
                {text::web_open_hint()}
            </p>
            <p class="gallery-folder">
                <a class="link-button" href="./docs/index.html" hreflang="en">{text::documentation()}</a>
            </p>
            <Show when=some_recent>
                <Recent />
            </Show>
            <section aria-labelledby="examples">
                <h2 id="examples">{text::examples()}</h2>
                <ul class="tiles">
                    {EXAMPLES.iter().enumerate().map(|(at, example)| view! { <Tile at example /> }).collect_view()}
                </ul>
            </section>
            <Languages />
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
        let look = labels::kind_label(kind);
        view! { <span class=format!("tile-kind {}", look.class) title=look.word><Icon path=look.icon /></span> }
    });
    let facts = match example.steps.is_empty() {
        true if example.view() == View::Agents => text::form_events().to_owned(),
        true => text::form_handlers().to_owned(),
        false => format!(
            "{} · {}",
            count(text::steps_one(), text::steps_many(), example.steps.len()),
            count(text::messages_one(), text::messages_many(), example.messages)
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
        let label = fill(text::remove(), &[("name", &name)]);
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
        fill(text::remove_ask(), &[("name", &name.unwrap_or_default())])
    });
    view! {
        <section aria-labelledby="recent">
            <h2 id="recent">{text::recent()} " " <small>{text::recent_hint()}</small></h2>
            <ul class="recent">
                <For each=move || workspace.recent.get() key=|meta| (meta.id.clone(), meta.updated.to_bits()) children=row />
            </ul>
            <Dialog
                title=text::remove_yes()
                open=Signal::derive(move || leaving.with(Option::is_some))
                close=move || leaving.set(None)
            >
                <p>{move || ask.get()}</p>
                <div class="dialog-actions">
                    <button type="button" on:click=move |_| leaving.set(None)>{text::cancel()}</button>
                    <button
                        type="button"
                        class="danger"
                        on:click=move |_| {
                            if let Some(meta) = leaving.try_update(Option::take).flatten() {
                                workspace.forget(meta.id);
                            }
                        }
                    >
                        {text::remove_yes()}
                    </button>
                </div>
            </Dialog>
        </section>
    }
}
