//! The dialogs that share the document and make a test of it: its secrets, the form, and the losses of that form.

mod checks;

use leptos::prelude::*;
use leptos::task::spawn_local;

use transcript_core::view::TestDraft;

use super::lazy_panes::{self, LazyView};
use crate::io;
use crate::state::{
    Form, Output, PtrArc, Secrets, ShareDialog, ShareError, Workspace, bundle, draft_test, export,
    find_secrets, forms, redact,
};
use crate::strings::{count, fill, group, text};
use crate::ui::{Dialog, Icon, icons};

/// The most characters of a preview.
const PREVIEW: usize = 4_000;
/// The longest links that any program takes, and that many do.
const SHORT: usize = 2_000;
const LONG: usize = 8_000;

/// Something that is being made.
#[derive(Clone, Debug, PartialEq)]
enum Outcome<T> {
    Waiting,
    Failed(ShareError),
    Ready(T),
}

#[component]
pub(crate) fn Share() -> impl IntoView {
    let workspace = Workspace::here();
    let open = workspace.sharing;
    let is_open = move || open.with(Option::is_some);
    let title = Signal::derive(move || {
        let is_test = open.get() == Some(ShareDialog::Test);
        if is_test { text::make_test() } else { text::share() }.to_owned()
    });
    view! {
        <Dialog title open=Signal::derive(is_open) close=move || open.set(None)>
            <Show when=is_open>
                <LazyView pane=lazy_panes::share() />
            </Show>
        </Dialog>
    }
}

/// What the parts of the dialog share.
#[derive(Clone, Copy)]
struct Sharing {
    workspace: Workspace,
    dialog: ShareDialog,
    secrets: RwSignal<Outcome<Vec<Secrets>>>,
    /// The kinds of secrets that are to stay.
    stay: RwSignal<Vec<String>>,
    /// The text without the others, once they are searched.
    clean: RwSignal<Outcome<PtrArc<Output>>>,
    /// The path of the last step of a test; empty for the whole run.
    until: RwSignal<String>,
    /// The places of the suggested assertions that a test gets; `None` for the usual ones.
    chosen: RwSignal<Option<Vec<usize>>>,
    draft: RwSignal<Outcome<PtrArc<TestDraft>>>,
    /// The place of the form.
    form: RwSignal<usize>,
    all: RwSignal<bool>,
    output: RwSignal<Outcome<PtrArc<Output>>>,
    /// The number of the output that is made last.
    newest: StoredValue<u32>,
    copied: RwSignal<Option<bool>>,
}

impl Sharing {
    fn begin() -> Self {
        let workspace = Workspace::here();
        let here = Self {
            workspace,
            dialog: workspace.sharing.get_untracked().unwrap_or(ShareDialog::Document),
            secrets: RwSignal::new(Outcome::Waiting),
            stay: RwSignal::default(),
            clean: RwSignal::new(Outcome::Waiting),
            until: RwSignal::new(checks::selected_step(workspace)),
            chosen: RwSignal::default(),
            draft: RwSignal::new(Outcome::Waiting),
            form: RwSignal::new(0),
            all: RwSignal::new(false),
            output: RwSignal::new(Outcome::Waiting),
            newest: StoredValue::new(0),
            copied: RwSignal::default(),
        };
        spawn_local(async move {
            let text = here.workspace.draft.get_untracked();
            let found = find_secrets(&text).await;
            here.secrets.try_set(match found {
                Ok(found) => Outcome::Ready(found),
                Err(error) => Outcome::Failed(error),
            });
        });
        Effect::new(move || here.clean());
        if here.dialog == ShareDialog::Test {
            Effect::new(move || here.draft());
        }
        Effect::new(move || here.make());
        here
    }

    fn form(self) -> Option<Form> {
        forms(self.dialog).get(self.form.get()).copied()
    }

    fn name(self) -> &'static str {
        self.form().map_or("", |form| form.name)
    }

    fn takes_all(self) -> bool {
        self.form().is_some_and(|form| form.takes_all)
    }

    /// The chosen form, and whether it includes hidden messages.
    fn choice(self) -> (&'static str, bool) {
        (self.name(), self.takes_all() && self.all.get())
    }

    fn file_name(self) -> String {
        let name = self.workspace.name.get();
        self.form().map_or_else(|| name.clone(), |form| form.file_name(&name))
    }

    /// Takes out the secrets that are to go.
    fn clean(self) {
        let stay = self.stay.get();
        let found = match self.secrets.get() {
            Outcome::Waiting => return,
            Outcome::Failed(_) => Vec::new(),
            Outcome::Ready(found) => found,
        };
        let kinds: Vec<String> =
            found.into_iter().map(|found| found.kind).filter(|kind| !stay.contains(kind)).collect();
        let text = self.workspace.draft.get_untracked();
        if kinds.is_empty() {
            self.clean.set(Outcome::Ready(PtrArc::new(Output::new(text.to_string()))));
            return;
        }
        self.clean.set(Outcome::Waiting);
        spawn_local(async move {
            let outcome = outcome(redact(&text, &kinds).await);
            if self.stay.try_get_untracked() == Some(stay) {
                self.clean.set(outcome);
            }
        });
    }

    /// Drafts the test of the remaining text.
    fn draft(self) {
        let (until, chosen) = (self.until.get(), self.chosen.get());
        let clean = match self.clean.get() {
            Outcome::Ready(clean) => clean,
            Outcome::Failed(error) => return self.draft.set(Outcome::Failed(error)),
            Outcome::Waiting => return self.draft.set(Outcome::Waiting),
        };
        self.draft.set(Outcome::Waiting);
        spawn_local(async move {
            let draft = outcome(draft_test(&clean.text, &until, chosen.as_deref()).await);
            let asked = self.until.try_get_untracked().zip(self.chosen.try_get_untracked());
            let is_same = self.clean.try_with_untracked(|now| *now == Outcome::Ready(clean));
            if asked == Some((until, chosen)) && is_same == Some(true) {
                self.draft.set(draft);
            }
        });
    }

    /// The text to share: the clean one, or the draft of a test.
    fn source(self) -> Outcome<PtrArc<Output>> {
        let clean = self.clean.get();
        let Outcome::Ready(ready) = &clean else { return clean };
        if self.dialog == ShareDialog::Document {
            return clean;
        }
        match self.draft.get() {
            Outcome::Waiting => Outcome::Waiting,
            Outcome::Failed(error) => Outcome::Failed(error),
            Outcome::Ready(draft) => {
                let text = draft.text.clone().unwrap_or_default();
                Outcome::Ready(PtrArc::new(Output { losses: ready.losses.clone(), ..Output::new(text) }))
            }
        }
    }

    /// Writes the chosen form of the text.
    fn make(self) {
        let (form, all) = self.choice();
        self.newest.update_value(|newest| *newest += 1);
        let number = self.newest.get_value();
        self.copied.set(None);
        let clean = match self.source() {
            Outcome::Ready(clean) => clean,
            other => return self.output.set(other),
        };
        if form == "text" {
            let (text, losses) = (self.workspace.with_line_ends(&clean.text), clean.losses.clone());
            return self.output.set(Outcome::Ready(PtrArc::new(Output { losses, ..Output::new(text) })));
        }
        self.output.set(Outcome::Waiting);
        spawn_local(async move {
            let written = match form {
                "link" => self.workspace.link_to(&clean.text).await.map(Output::new),
                "embed" => self.workspace.embed_code(&clean.text).await.map(Output::new),
                "zip" => {
                    let name = self.workspace.name.get_untracked();
                    bundle(&self.workspace.with_line_ends(&clean.text), &name).await
                }
                form => export(&clean.text, form, all).await,
            };
            let mut written = written;
            if let Ok(output) = &mut written {
                output.losses.splice(..0, clean.losses.iter().cloned());
            }
            // A dialog that was closed, or in which something else was chosen meanwhile, wants it no more.
            if self.newest.try_get_value() == Some(number) {
                self.output.set(outcome(written));
            }
        });
    }
}

fn outcome<T>(result: Result<T, ShareError>) -> Outcome<PtrArc<T>> {
    match result {
        Ok(made) => Outcome::Ready(PtrArc::new(made)),
        Err(error) => Outcome::Failed(error),
    }
}

#[component]
pub(super) fn Body() -> impl IntoView {
    let here = Sharing::begin();
    let choices = forms(here.dialog).into_iter().enumerate().map(|(at, form)| {
        let (word, hint) = text::form(form.name);
        view! {
            <label class="share-form" title=hint>
                <input
                    type="radio"
                    name="share-form"
                    prop:checked=move || here.form.get() == at
                    on:change=move |_| here.form.set(at)
                />
                <span>{word}</span>
            </label>
        }
    });
    let hint = move || text::form(here.name()).1;
    view! {
        <div class="share">
            <section class="share-secrets" aria-live="polite">{move || secrets(here)}</section>
            <fieldset class="share-forms">
                <legend>{text::share_forms()}</legend>
                {choices.collect_view()}
            </fieldset>
            <div class="share-made">
                <p class="muted">{hint}</p>
                {(here.dialog == ShareDialog::Test).then(|| view! { <checks::Checks here /> })}
                <Show when=move || here.takes_all()>
                    <label class="share-form">
                        <input
                            type="checkbox"
                            prop:checked=move || here.all.get()
                            on:change=move |_| here.all.update(|all| *all = !*all)
                        />
                        <span>{text::all_messages()}</span>
                    </label>
                </Show>
                {move || output_view(here)}
            </div>
        </div>
    }
}

fn secrets(here: Sharing) -> AnyView {
    let found = match here.secrets.get() {
        Outcome::Waiting => return view! { <p>{text::secrets_scanning()}</p> }.into_any(),
        Outcome::Failed(error) => {
            let message = fill(text::secrets_failed(), &[("reason", &error.to_string())]);
            return view! { <p class="severity-warning"><Icon path=icons::WARNING />{message}</p> }
                .into_any();
        }
        Outcome::Ready(found) if found.is_empty() => {
            return view! { <p class="severity-ok"><Icon path=icons::OK />{text::secrets_none()}</p> }
                .into_any();
        }
        Outcome::Ready(found) => found,
    };
    let rows = found.into_iter().map(|found| {
        let word = text::secret(&found.kind);
        let word = word.map_or_else(|| found.kind.clone(), str::to_owned);
        let places = count(text::secrets_places_one(), text::secrets_places_many(), found.places);
        let kind = found.kind.clone();
        let goes = move || here.stay.with(|stay| !stay.contains(&found.kind));
        let toggle = move |_| {
            here.stay.update(|stay| match stay.iter().position(|known| *known == kind) {
                Some(at) => drop(stay.remove(at)),
                None => stay.push(kind.clone()),
            });
        };
        view! {
            <label class="share-form">
                <input type="checkbox" prop:checked=goes on:change=toggle />
                <span>{word} " · " {places}</span>
            </label>
        }
    });
    view! {
        <p class="severity-warning"><Icon path=icons::WARNING />{text::secrets_found()}</p>
        <div class="share-kinds">{rows.collect_view()}</div>
    }
    .into_any()
}

fn output_view(here: Sharing) -> AnyView {
    let output = match here.output.get() {
        Outcome::Waiting => return view! { <p role="status">{text::making()}</p> }.into_any(),
        Outcome::Failed(error) => {
            let message = fill(text::not_made(), &[("reason", &error.to_string())]);
            return view! { <p class="severity-error" role="alert"><Icon path=icons::ERROR />{message}</p> }
                .into_any();
        }
        Outcome::Ready(output) => output,
    };
    let is_link = here.name() == "link";
    let length = output.text.chars().count();
    let shown: String = output.text.chars().take(PREVIEW).collect();
    let more = length.saturating_sub(PREVIEW);
    let more = (more > 0).then(|| fill(text::preview_more(), &[("n", &group(more))]));
    let losses = (!is_link).then(|| losses(&output.losses));
    let preview = view! {
        <pre class="share-preview" tabindex="0" role="region" aria-label=text::preview()>{shown}</pre>
        {more.map(|more| view! { <p class="muted">{more}</p> })}
    };
    let is_text = output.bytes.is_none();
    let file = here.file_name();
    let label = fill(text::download_as(), &[("name", &file)]);
    let contents = output.clone();
    let download = move |_| {
        let downloaded = match &contents.bytes {
            Some(bytes) => io::page::download_bytes(&file, bytes),
            None => io::page::download(&file, &contents.text),
        };
        if downloaded.is_err() {
            here.copied.set(Some(false));
        }
    };
    let copy = move |_| {
        let output = output.clone();
        spawn_local(async move {
            let copied = io::page::copy(&output.text).await;
            here.copied.try_set(Some(copied));
        });
    };
    let over = is_link && length > LONG;
    view! {
        {losses}
        {is_link.then(|| meter(length))}
        {preview}
        <div class="dialog-actions">
            <span class="share-copied" role="status">
                {move || here.copied.get().map(|copied| if copied { text::copied() } else { text::copy_refused() })}
            </span>
            {over
                .then(|| {
                    let html = forms(here.dialog).iter().position(|form| form.name == "html").unwrap_or_default();
                    view! { <button type="button" on:click=move |_| here.form.set(html)>{text::link_file()}</button> }
                })}
            {(is_text && !over).then(|| view! { <button type="button" on:click=copy>{text::copy()}</button> })}
            {(!is_link).then(|| view! { <button type="button" on:click=download>{label}</button> })}
        </div>
    }
    .into_any()
}

fn losses(losses: &[String]) -> AnyView {
    if losses.is_empty() {
        return view! { <p class="severity-ok"><Icon path=icons::OK />{text::losses_none()}</p> }.into_any();
    }
    let rows = losses.iter().map(|loss| view! { <li>{loss.clone()}</li> }).collect_view();
    view! {
        <section class="share-losses" aria-label=text::losses()>
            <h3 class="severity-warning"><Icon path=icons::WARNING />{text::losses()}</h3>
            <ul>{rows}</ul>
        </section>
    }
    .into_any()
}

/// How long a link is, by length and in words.
fn meter(length: usize) -> AnyView {
    let (class, icon, template) = match length {
        _ if length <= SHORT => ("severity-ok", icons::OK, text::link_ok()),
        _ if length <= LONG => ("severity-warning", icons::WARNING, text::link_long()),
        _ => ("severity-error", icons::ERROR, text::link_over()),
    };
    let message = fill(template, &[("n", &group(length))]);
    let long = LONG.to_string();
    view! {
        <p class="muted">{text::link_hint()}</p>
        <meter aria-label=text::link_length() min="0" max=long.clone() low=SHORT.to_string() high=long optimum="0" value=length.min(LONG).to_string()></meter>
        <p class=class><Icon path=icon />{message}</p>
    }
    .into_any()
}
