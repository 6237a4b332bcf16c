//! The signals of the page and how they hang together.

use leptos::prelude::*;
use transcript_core::view::StepDetail;

use super::autosave::Autosave;
use super::current::{Current, Readable, Revision, Steps};
use super::logs::Logs;
use super::opening::{Opening, Refusal};
use super::route::{Route, Source, View};
use super::served::ServedFile;
use super::shared::Shared;
use crate::io;
use crate::io::field::Field;
use crate::io::store::Meta;
use crate::io::timer::Debounce;

/// Whether the open document is kept on this device.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum SaveState {
    /// An example as it came: nothing to keep.
    #[default]
    Example,
    Saving,
    /// Since the given moment, in milliseconds since 1970.
    Saved(f64),
    /// It is not, and the person must know; with the browser's reason.
    Failed(String),
}

/// The pane in sight on a narrow screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tab {
    #[default]
    Source,
    Steps,
    Inspect,
    Problems,
}

/// Everything the panes share. Copies are the same workspace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workspace {
    /// The address. The selected step is here and nowhere else.
    pub(crate) route: RwSignal<Route>,
    pub(crate) opening: RwSignal<Opening>,
    /// The file name of the open document.
    pub(crate) name: RwSignal<String>,
    /// The text in the field, at every keystroke.
    pub(crate) draft: RwSignal<Shared<str>>,
    /// The text as last read: the draft after a pause in typing.
    pub(crate) revision: RwSignal<Revision>,
    pub(crate) current: Memo<Shared<Current>>,
    pub(crate) readable: Memo<Readable>,
    pub(crate) steps: Memo<Shared<Steps>>,
    /// The place of the selected row in the step list.
    pub(crate) at: Memo<usize>,
    pub(crate) detail: Memo<Option<Shared<StepDetail>>>,
    pub(crate) saved: RwSignal<SaveState>,
    /// Whether another tab has changed the open document since it was opened here.
    pub(crate) elsewhere: RwSignal<bool>,
    pub(crate) refusal: RwSignal<Option<Refusal>>,
    /// The file of `transcript open`.
    pub(crate) served: ServedFile,
    /// What other programs wrote.
    pub(crate) logs: Logs,
    pub(crate) recent: RwSignal<Vec<Meta>>,
    pub(crate) tab: RwSignal<Tab>,
    pub(crate) sheet: RwSignal<bool>,
    /// The problem last jumped to.
    pub(crate) problem: RwSignal<Option<usize>>,
    pub(crate) field: Field,
    /// What the field holds, which lags behind the address while a document is fetched.
    pub(super) loaded: StoredValue<Source>,
    pub(super) crlf: StoredValue<bool>,
    pub(super) autosave: Autosave,
    pub(super) reading: Debounce,
    pub(super) addressing: Debounce,
    /// How long the last reading took, in milliseconds.
    pub(super) cost: StoredValue<f64>,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let route = RwSignal::new(Route::parse(&io::history::fragment()));
        let empty = Shared::<str>::from("");
        let revision = RwSignal::new(Revision { text: empty.clone(), opening: 0 });
        let current = Memo::new(move |_| Shared::new(revision.with(|revision| Current::new(&revision.text))));
        let readable = Memo::new(move |before: Option<&Readable>| {
            let opening = revision.with(|revision| revision.opening);
            Readable::after(before, current.get(), opening)
        });
        let steps = Memo::new(move |_| Shared::new(readable.with(Steps::of)));
        let link = Memo::new(move |_| route.with(|route| route.step.clone()));
        let at = Memo::new(move |_| link.with(|link| steps.with(|steps| steps.find(link.as_deref()))));
        let detail = Memo::new(move |_| {
            let path = steps.with(|steps| steps.rows.get(at.get()).map(|row| row.path.clone()))?;
            readable.with(|readable| readable.current.document.step(&path).map(Shared::new))
        });
        let saved = RwSignal::default();
        Self {
            route,
            opening: RwSignal::default(),
            name: RwSignal::default(),
            draft: RwSignal::new(empty),
            revision,
            current,
            readable,
            steps,
            at,
            detail,
            saved,
            elsewhere: RwSignal::new(false),
            refusal: RwSignal::default(),
            served: ServedFile::new(),
            logs: Logs::default(),
            recent: RwSignal::default(),
            tab: RwSignal::default(),
            sheet: RwSignal::new(false),
            problem: RwSignal::default(),
            field: NodeRef::new(),
            loaded: StoredValue::default(),
            crlf: StoredValue::new(false),
            autosave: Autosave::new(saved),
            reading: Debounce::new(),
            addressing: Debounce::new(),
            cost: StoredValue::new(0.0),
        }
    }

    /// The screen in sight.
    pub(crate) fn view(self) -> View {
        self.route.with(|route| route.view)
    }

    /// Whether a document is in sight that can be stepped through and typed in.
    pub(crate) fn editing(self) -> bool {
        self.view() == View::Edit && self.opening.with(|opening| *opening == Opening::Ready)
    }

    /// The workspace of the page, from any of its components.
    pub(crate) fn here() -> Self {
        expect_context()
    }
}
