//! The signals of the page and how they hang together.

use leptos::prelude::*;
use transcript_core::document::Form;

use super::agents::Agents;
use super::assertions::AssertionState;
use super::autosave::Autosave;
use super::cards::Cards;
use super::compare::Comparison;
use super::current::{Current, ReadableDocument, Revision, Steps};
use super::determinism::DeterminismState;
use super::document_run::DocumentRun;
use super::drawer::drawer;
use super::follow::Follow;
use super::forms::Forms;
use super::generate::Generation;
use super::inspector::InspectorState;
use super::journal::Journal;
use super::logs::Logs;
use super::opening::{Opening, Refusal};
use super::playback::Playback;
use super::ptr_arc::PtrArc;
use super::reading::Reading;
use super::remote::RemoteDocument;
use super::revisions::Revisions;
use super::route::{Route, Source, View};
use super::scope::Scope;
use super::served::ServedFile;
use super::share::ShareDialog;
use super::step_change::StepChange;
use super::step_detail::StepDetail;
use super::step_search::StepSearch;
use crate::io;
use crate::io::field::Field;
use crate::io::store::Meta;
use crate::io::timer::Debounce;
use crate::strings::Language;

/// Whether the open document is kept on this device.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum SaveState {
    /// An example as it came: nothing to keep.
    #[default]
    Example,
    /// The document of a link, which is not kept yet.
    Shared,
    Saving,
    /// Since that moment, in milliseconds since 1970.
    Saved(f64),
    /// It is not, and the person must know; with the browser's reason.
    Failed(String),
}

/// The visible pane on a narrow screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tab {
    #[default]
    Source,
    Steps,
    Inspect,
    Problems,
}

/// The visible list below the steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Dock {
    #[default]
    Problems,
    Assertions,
    /// Whether the document gives the same each time.
    Determinism,
    /// What the page did.
    Log,
}

/// The most characters that are shown of a step which an address names in vain.
const LINK: usize = 40;

/// Everything the panes share. Copies are the same workspace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workspace {
    /// The address. The selected step is here and nowhere else.
    pub(crate) route: RwSignal<Route>,
    pub(crate) opening: RwSignal<Opening>,
    /// The file name of the open document.
    pub(crate) name: RwSignal<String>,
    /// The text in the field, at every keystroke.
    pub(crate) draft: RwSignal<PtrArc<str>>,
    /// The text to read: the draft after a pause in typing.
    pub(crate) revision: RwSignal<Revision>,
    /// The answer of the reader about it, or about the one before as long as it reads this one.
    pub(crate) current: RwSignal<PtrArc<Current>>,
    pub(crate) readable: Memo<ReadableDocument>,
    pub(crate) steps: Memo<PtrArc<Steps>>,
    /// The place of the selected row in the step list.
    pub(crate) at: Memo<usize>,
    /// That place, if the address names it and the run has it.
    named: Memo<Option<usize>>,
    /// The rows of the agent that the selected step is of.
    pub(crate) scope: Memo<Scope>,
    /// The step of that row; while it is on its way, the one before.
    pub(crate) detail: RwSignal<Option<PtrArc<StepDetail>>>,
    pub(crate) reading: Reading,
    pub(crate) step_search: StepSearch,
    pub(crate) inspector: InspectorState,
    pub(crate) playback: Playback,
    /// Whether it gives the same each time.
    pub(crate) determinism: DeterminismState,
    /// What became of it when it was run.
    pub(crate) document_run: DocumentRun,
    /// A step that is being changed.
    pub(crate) step_change: StepChange,
    /// The step that a note is written on: its path and the note so far.
    pub(crate) noting: RwSignal<Option<(String, String)>>,
    /// What the page did.
    pub(crate) journal: Journal,
    pub(crate) saved: RwSignal<SaveState>,
    /// Whether another tab has changed the open document since it was opened here.
    pub(crate) elsewhere: RwSignal<bool>,
    pub(crate) refusal: RwSignal<Option<Refusal>>,
    /// Transcripts that a model writes.
    pub(crate) generation: Generation,
    /// The document of another host.
    pub(crate) remote: RemoteDocument,
    /// Earlier texts of the open document.
    pub(crate) revisions: Revisions,
    /// The file of `transcript open`.
    pub(crate) served: ServedFile,
    /// The events of several agents, in the view of that name.
    pub(crate) agents: Agents,
    /// The other document of the view Compare.
    pub(crate) compare: Comparison,
    pub(crate) assertions: AssertionState,
    pub(crate) cards: Cards,
    /// The document in its other form.
    pub(crate) forms: Forms,
    /// What other programs wrote.
    pub(crate) logs: Logs,
    /// A log that is still written.
    pub(crate) follow: Follow,
    pub(crate) recent: RwSignal<Vec<Meta>>,
    pub(crate) tab: RwSignal<Tab>,
    /// Whether the pane of problems shows no more than its head.
    pub(crate) folded: RwSignal<bool>,
    /// Whether the screen is so narrow that one pane has it.
    pub(crate) narrow: RwSignal<bool>,
    /// Whether the inspector is open where it is a drawer.
    pub(crate) drawer: RwSignal<bool>,
    pub(crate) dock: RwSignal<Dock>,
    pub(crate) sheet: RwSignal<bool>,
    pub(crate) palette: RwSignal<bool>,
    /// The open dialog of those that give the document away.
    pub(crate) sharing: RwSignal<Option<ShareDialog>>,
    /// Whether the next key names a view.
    pub(crate) choosing: StoredValue<bool>,
    /// The fixes that the menu offers, each a problem and a number; the menu is open while there are some.
    pub(crate) offered_fixes: RwSignal<Vec<(usize, usize)>>,
    /// The problem last jumped to.
    pub(crate) problem: RwSignal<Option<usize>>,
    pub(crate) field: Field,
    /// What the field holds, which lags behind the address while a document is fetched.
    pub(super) loaded: StoredValue<Source>,
    pub(super) crlf: StoredValue<bool>,
    /// The caret when the open document was left.
    pub(crate) caret: StoredValue<usize>,
    pub(super) autosave: Autosave,
    /// Until the text is read.
    pub(super) pause: Debounce,
    pub(super) addressing: Debounce,
    /// How long the last reading took, in milliseconds.
    pub(super) cost: StoredValue<f64>,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let route = RwSignal::new(Route::parse(&io::history::fragment()));
        let empty = PtrArc::<str>::from("");
        let revision = RwSignal::new(Revision { text: empty.clone(), opening: 0 });
        let current = RwSignal::new(PtrArc::new(Current::unread(revision.get_untracked())));
        let readable = Memo::new(move |before: Option<&ReadableDocument>| {
            ReadableDocument::after(before, current.get(), io::clock::now())
        });
        let steps = Memo::new(move |_| readable.with(|readable| readable.current.steps.clone()));
        let link = Memo::new(move |_| route.with(|route| route.step.clone()));
        let named = Memo::new(move |_| link.with(|link| steps.with(|steps| steps.at_link(link.as_deref()?))));
        // The first row, where the address names none or one that is not there.
        let at = Memo::new(move |_| named.get().unwrap_or_default());
        let scope = Memo::new(move |before: Option<&Scope>| Scope::from_row(before, steps.get(), at.get()));
        let saved = RwSignal::default();
        let workspace = Self {
            route,
            opening: RwSignal::default(),
            name: RwSignal::default(),
            draft: RwSignal::new(empty),
            revision,
            current,
            readable,
            steps,
            at,
            named,
            scope,
            detail: RwSignal::default(),
            reading: Reading::new(),
            step_search: StepSearch::new(route, readable),
            inspector: InspectorState::new(route),
            playback: Playback::new(),
            determinism: DeterminismState::new(),
            document_run: DocumentRun::new(),
            step_change: StepChange::new(),
            noting: RwSignal::default(),
            journal: Journal::default(),
            saved,
            elsewhere: RwSignal::new(false),
            refusal: RwSignal::default(),
            generation: Generation::new(),
            remote: RemoteDocument::new(),
            revisions: Revisions::new(),
            served: ServedFile::new(),
            agents: Agents::new(),
            compare: Comparison::new(),
            assertions: AssertionState::new(revision, readable),
            cards: Cards::new(revision, readable),
            forms: Forms::new(),
            logs: Logs::default(),
            follow: Follow::new(),
            recent: RwSignal::default(),
            tab: RwSignal::default(),
            folded: RwSignal::new(false),
            narrow: narrow(),
            drawer: route.with_untracked(drawer),
            dock: RwSignal::default(),
            sheet: RwSignal::new(false),
            palette: RwSignal::new(false),
            sharing: RwSignal::new(None),
            offered_fixes: RwSignal::default(),
            choosing: StoredValue::new(false),
            problem: RwSignal::default(),
            field: Field::new(),
            loaded: StoredValue::default(),
            crlf: StoredValue::new(false),
            caret: StoredValue::new(0),
            autosave: Autosave::new(saved),
            pause: Debounce::new(),
            addressing: Debounce::new(),
            cost: StoredValue::new(0.0),
        };
        workspace.follow_reader();
        workspace.follow_agents();
        workspace.follow_width();
        workspace
    }

    /// Where one pane has the screen, sees that it is one which the view has; a list that is chosen unfolds.
    fn follow_width(self) {
        let view = Memo::new(move |_| self.view());
        Effect::new(move || {
            let begins_elsewhere =
                matches!(view.get(), View::Read | View::Replay | View::Agents | View::Handlers);
            if begins_elsewhere && self.tab.get_untracked() == Tab::Source {
                self.tab.set(Tab::Steps);
            }
        });
        Effect::new(move || {
            let is_wanted = self.tab.get() == Tab::Source;
            // Read and Replay have no source: who asks for it goes over to Edit.
            let has_none = untrack(|| matches!(self.view(), View::Read | View::Replay));
            if is_wanted && has_none && self.narrow.get_untracked() {
                self.go(self.route.with_untracked(|route| route.seen_in(View::Edit)));
            }
        });
        Effect::new(move || {
            self.dock.track();
            self.folded.set(false);
        });
        // Who reads a log does not mend it: the problems are folded up until they are asked for.
        Effect::new(move |before: Option<View>| {
            let view = view.get();
            if view == View::Read {
                self.folded.set(true);
            } else if before == Some(View::Read) {
                self.folded.set(false);
            }
            view
        });
    }

    /// The visible screen.
    pub(crate) fn view(self) -> View {
        self.route.with(|route| route.view)
    }

    /// Whether the page is shown inside another one, without what is around the panes: `embed=1`.
    pub(crate) fn is_embedded(self) -> bool {
        self.route.with(|route| route.is_set("embed"))
    }

    /// Whether the document may not be changed here: `ro=1`.
    pub(crate) fn is_read_only(self) -> bool {
        self.route.with(|route| route.is_set("ro"))
    }

    /// The palette in the address: `theme=light` or `theme=dark`.
    pub(crate) fn demanded_theme(self) -> Option<String> {
        self.route
            .with(|route| route.key("theme"))
            .filter(|theme| ["light", "dark"].contains(&theme.as_str()))
    }

    /// The language in the address, as in `lang=de`.
    pub(crate) fn demanded_language(self) -> Option<Language> {
        self.route.with(|route| route.key("lang")).and_then(|word| Language::from_word(&word))
    }

    /// Whether anything is known of the open document.
    pub(crate) fn is_read(self) -> bool {
        self.current.with(|current| current.is_read)
    }

    /// The step in the address that the run does not have, while it is shown.
    pub(crate) fn missed_step(self) -> Option<String> {
        let is_known =
            self.readable.with(|readable| readable.current.is_read && readable.current.steps.len() > 0);
        if !is_known || self.named.get().is_some() {
            return None;
        }
        self.route.with(|route| Some(route.step.as_deref()?.chars().take(LINK).collect()))
    }

    /// Whether a document is shown that can be stepped through and typed in.
    pub(crate) fn editing(self) -> bool {
        self.view() != View::Gallery && self.opening.with(|opening| *opening == Opening::Ready)
    }

    /// Whether the open document is of handlers alone.
    pub(crate) fn is_of_handlers(self) -> bool {
        self.current.with(|current| current.form == Form::Handlers)
    }

    /// The workspace of the page, from any of its components.
    pub(crate) fn here() -> Self {
        expect_context()
    }
}

/// Whether one pane has the screen, as the style sheet sees it.
fn narrow() -> RwSignal<bool> {
    let narrow = RwSignal::new(false);
    narrow.set(io::page::follow_media("(max-width: 799px)", move |holds| narrow.set(holds)));
    narrow
}
