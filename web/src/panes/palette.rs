//! One field from which everything can be reached: commands, steps, examples, documents.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::io::store::Meta;
use crate::io::timer::Debounce;
use crate::io::{self, reader};
use crate::state::{Command, EXAMPLES, Route, Settings, Source, View, Workspace, run};
use crate::strings::{fill, group, text};
use crate::ui::Dialog;

/// Steps that are offered at once; a longer list is what the field above the steps is for.
const STEPS: usize = 30;

/// The fewest characters that are looked for in the texts of documents, and the milliseconds after the last one.
const LEAST: usize = 3;
const PAUSE: u64 = 250;

/// What an entry leads to.
#[derive(Clone, Debug, PartialEq)]
enum Target {
    Command(Command),
    /// A row of the step list.
    Step(usize),
    Document(Source),
    /// The steps of a kept document that have a text.
    Text(String, String),
}

/// A kept document that has the text that was typed.
#[derive(Clone, Debug, PartialEq)]
struct FoundText {
    id: String,
    name: String,
    around: String,
    wanted: String,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    target: Target,
    label: String,
    /// What it is, or its key.
    hint: String,
}

#[component]
pub(crate) fn Palette() -> impl IntoView {
    let workspace = Workspace::here();
    let settings: Settings = expect_context();
    let typed = RwSignal::new(String::new());
    let at = RwSignal::new(0_usize);
    let steps = RwSignal::new(Vec::new());
    let texts = RwSignal::new(Vec::new());
    let entries = Memo::new(move |_| match workspace.palette.get() {
        true => {
            let mut entries =
                typed.with(|typed| steps.with(|steps| matching_entries(workspace, typed, steps)));
            texts.with(|texts: &Vec<FoundText>| entries.extend(texts.iter().map(Entry::from)));
            entries
        }
        false => Vec::new(),
    });
    // The reader has the steps; its results come a moment later.
    Effect::new(move || {
        let searched = typed.get();
        if searched.trim().is_empty() || !workspace.editing() {
            steps.set(Vec::new());
            return;
        }
        let number = workspace.readable.with_untracked(|readable| readable.current.document.number());
        spawn_local(async move {
            let answer = reader::offer(number, &searched, STEPS).await;
            if typed.with_untracked(|typed| *typed == searched) {
                steps.set(
                    answer.unwrap_or_default().into_iter().map(|step| (step.at, step.summary)).collect(),
                );
            }
        });
    });
    find_texts(workspace, typed, texts);
    let close = move || workspace.palette.set(false);
    Effect::new(move || {
        if workspace.palette.get() {
            typed.set(String::new());
            at.set(0);
        }
    });
    let choose = move |place: usize| {
        let target = entries.with_untracked(|entries| entries.get(place).map(|entry| entry.target.clone()));
        let Some(target) = target else { return };
        close();
        match target {
            Target::Command(command) => run(workspace, settings, command),
            Target::Step(row) => workspace.select(row),
            Target::Document(source) => workspace.go(Route::edit(source)),
            // That view shows the steps alone that are looked for.
            Target::Text(id, wanted) => {
                let route = Route::edit(Source::Local(id)).seen_in(View::Read);
                workspace.go(route.with_key("f", Some(&wanted)));
            }
        }
    };
    let key = move |event: leptos::ev::KeyboardEvent| {
        let last = entries.with_untracked(|entries| entries.len().saturating_sub(1));
        let here = at.get_untracked();
        match event.key().as_str() {
            "ArrowDown" => at.set(if here < last { here + 1 } else { 0 }),
            "ArrowUp" => at.set(here.checked_sub(1).unwrap_or(last)),
            "Enter" => choose(here),
            _ => return,
        }
        event.prevent_default();
        io::page::show(&format!("palette-{}", at.get_untracked()));
    };
    let rows = move || {
        let row = |(place, entry): (usize, Entry)| {
            view! {
                <li
                    role="option"
                    id=format!("palette-{place}")
                    aria-selected=move || if at.get() == place { "true" } else { "false" }
                    on:click=move |_| choose(place)
                >
                    <span class="palette-label">{entry.label}</span>
                    <span class="palette-hint">{entry.hint}</span>
                </li>
            }
        };
        entries.get().into_iter().enumerate().map(row).collect_view()
    };
    let nothing = move || {
        let none = entries.with(Vec::is_empty);
        none.then(|| view! { <p class="muted" role="status">{text::palette_none()}</p> })
    };
    view! {
        <Dialog title=text::palette() open=workspace.palette close>
            <input
                type="text"
                id="palette-field"
                class="palette-field"
                role="combobox"
                autofocus
                autocomplete="off"
                spellcheck="false"
                aria-expanded="true"
                aria-controls="palette-list"
                aria-label=text::palette_hint()
                aria-activedescendant=move || format!("palette-{}", at.get())
                placeholder=text::palette_hint()
                prop:value=move || typed.get()
                on:input=move |event| {
                    typed.set(event_target_value(&event));
                    at.set(0);
                }
                on:keydown=key
            />
            <ul class="palette" id="palette-list" role="listbox" aria-label=text::palette()>
                {rows}
            </ul>
            {nothing}
        </Dialog>
    }
}

/// Looks for what is typed in the texts of the other kept documents.
fn find_texts(workspace: Workspace, typed: RwSignal<String>, texts: RwSignal<Vec<FoundText>>) {
    let pause = Debounce::new();
    Effect::new(move || {
        if workspace.palette.get() {
            find_typed(workspace, typed, texts, pause);
        }
    });
}

/// Looks for what was typed once a person stops typing. The first load does not call it, so that it is no part of that.
#[inline(never)]
fn find_typed(
    workspace: Workspace,
    typed: RwSignal<String>,
    texts: RwSignal<Vec<FoundText>>,
    pause: Debounce,
) {
    let wanted = typed.with(|typed| typed.trim().to_owned());
    texts.set(Vec::new());
    if wanted.chars().count() < LEAST {
        return pause.cancel();
    }
    pause.run(PAUSE, move || {
        spawn_local(async move {
            let here = workspace.route.with_untracked(|route| route.source.clone());
            for Meta { id, name, .. } in workspace.recent.get_untracked() {
                // The steps of the open document are offered already.
                if here == Source::Local(id.clone()) {
                    continue;
                }
                let found = io::store::find(&id, &wanted).await;
                if typed.with_untracked(|typed| typed.trim() != wanted) {
                    return;
                }
                if let Ok(Some(around)) = found {
                    let wanted = wanted.clone();
                    texts.update(|texts| texts.push(FoundText { id, name, around, wanted }));
                }
            }
        });
    });
}

impl From<&FoundText> for Entry {
    fn from(found: &FoundText) -> Self {
        let words: Vec<&str> = found.around.split_whitespace().collect();
        let target = Target::Text(found.id.clone(), found.wanted.clone());
        Self { target, label: format!("…{}…", words.join(" ")), hint: found.name.clone() }
    }
}

/// What has all the words that were typed: commands first, then steps, then other documents.
fn matching_entries(workspace: Workspace, typed: &str, steps: &[(usize, String)]) -> Vec<Entry> {
    let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    let fits = |label: &str| {
        let label = label.to_lowercase();
        words.iter().all(|word| label.contains(word))
    };
    // Tracked: a document may be ready only after the palette was opened.
    let editing = workspace.editing();
    let last = workspace.steps.with(|steps| steps.len().saturating_sub(1));
    let mut entries = Vec::new();
    if let Some(at) = typed.trim().parse::<usize>().ok().filter(|at| editing && *at <= last) {
        let label = fill(text::palette_step(), &[("n", &group(at))]);
        let hint = fill(text::position(), &[("at", &group(at)), ("of", &group(last))]);
        entries.push(Entry { target: Target::Step(at), label, hint });
    }
    let commands = Command::LISTED.iter().zip(text::commands());
    for (command, (label, key, words)) in commands.filter(|(command, _)| editing || command.is_for_all()) {
        if fits(&format!("{label} {words}")) {
            entries.push(Entry {
                target: Target::Command(*command),
                label: label.to_owned(),
                hint: key.to_owned(),
            });
        }
    }
    for (at, label) in steps {
        let hint = fill(text::position(), &[("at", &group(*at)), ("of", &group(last))]);
        entries.push(Entry { target: Target::Step(*at), label: label.clone(), hint });
    }
    for meta in workspace.recent.get() {
        if fits(&meta.name) {
            let target = Target::Document(Source::Local(meta.id));
            entries.push(Entry { target, label: meta.name, hint: text::recent().to_owned() });
        }
    }
    for example in EXAMPLES {
        if fits(example.name) {
            let target = Target::Document(Source::Example(example.name.to_owned()));
            entries.push(Entry { target, label: example.name.to_owned(), hint: text::example().to_owned() });
        }
    }
    entries
}
