//! The compact form of a document and the full one, each made of the other.

use std::fmt;

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::document::Form;
use transcript_core::view::question::Compact;

use super::edits::EditError;
use super::ptr_arc::PtrArc;
use super::share::{ShareError, export};
use super::workspace::Workspace;
use crate::io;
use crate::io::workers::WorkerError;
use crate::strings::{fill, text};

/// Two forms of one document, as they were written.
#[derive(Clone, Debug)]
struct FormPair {
    compact: PtrArc<str>,
    full: PtrArc<str>,
}

/// What the compact form would lose, and that form.
#[derive(Debug)]
pub(crate) struct LossyConversion {
    /// In few lines.
    pub(crate) lines: Vec<String>,
    before: PtrArc<str>,
    after: PtrArc<str>,
}

/// Why the other form was not written.
#[derive(Debug)]
enum FormError {
    /// There is no full form.
    NotExpanded(ShareError),
    /// There is no compact form, for the first of the reasons of the core.
    NotCompacted(String),
    Worker(WorkerError),
    Edit(EditError),
}

impl From<EditError> for FormError {
    fn from(error: EditError) -> Self {
        Self::Edit(error)
    }
}

/// The reason.
impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotExpanded(error) => error.fmt(f),
            Self::NotCompacted(reason) => f.write_str(reason),
            Self::Worker(error) => error.fmt(f),
            Self::Edit(error) => error.fmt(f),
        }
    }
}

/// The state of the other form. Copies share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forms {
    /// As long as neither was edited, each comes back byte for byte.
    pair: StoredValue<Option<FormPair>>,
    /// What a person has to decide about.
    pub(crate) losing: RwSignal<Option<PtrArc<LossyConversion>>>,
    /// The outcome of the last switch, as long as the text is the one that it is about.
    pub(crate) note: RwSignal<Option<(PtrArc<str>, String)>>,
    pub(crate) working: RwSignal<bool>,
}

impl Forms {
    pub(super) fn new() -> Self {
        Self {
            pair: StoredValue::default(),
            losing: RwSignal::default(),
            note: RwSignal::default(),
            working: RwSignal::new(false),
        }
    }
}

impl Workspace {
    /// Switches to the form that the document does not have.
    pub(crate) fn switch_form(self) {
        match self.current.with_untracked(|current| current.form) {
            Form::Compact => self.write_as(Form::Full),
            Form::Full | Form::Partial => self.write_as(Form::Compact),
            Form::Handlers | Form::Unknown => {}
        }
    }

    /// Writes the document in that form, unless it has it; asks first if the compact form would lose anything.
    pub(crate) fn write_as(self, form: Form) {
        if self.forms.working.get_untracked() {
            return;
        }
        self.forms.working.set(true);
        spawn_local(async move {
            self.read_now().await;
            let before = self.draft.get_untracked();
            if self.current.with_untracked(|current| current.form) != form {
                let known = self.forms.pair.with_value(|pair| other(pair.as_ref(), form, &before));
                let result = match known {
                    Some(after) => self.swap(&before, &after, String::new()).await.map_err(FormError::from),
                    None if form == Form::Compact => self.compact(before.clone()).await,
                    None => self.expand(before.clone()).await,
                };
                if let Err(error) = result {
                    let reason = error.to_string();
                    let message = fill(text::form_not_written(), &[("reason", reason.trim_end_matches('.'))]);
                    self.forms.note.set(Some((before, message)));
                }
            }
            self.forms.working.set(false);
        });
    }

    async fn expand(self, before: PtrArc<str>) -> Result<(), FormError> {
        let output = export(&before, if is_json(&before) { "json" } else { "yaml" }, false).await;
        let output = output.map_err(FormError::NotExpanded)?;
        let full = PtrArc::<str>::from(output.text);
        self.forms.pair.set_value(Some(FormPair { compact: before.clone(), full: full.clone() }));
        Ok(self.swap(&before, &full, text::form_expanded().to_owned()).await?)
    }

    async fn compact(self, before: PtrArc<str>) -> Result<(), FormError> {
        let question = Compact { text: &before, json: is_json(&before) };
        let answer = io::authoring::ask(question).await.map_err(FormError::Worker)?;
        let lines: Vec<String> = answer.summary.into_iter().chain(answer.notices).collect();
        let Some(after) = answer.text else {
            return Err(FormError::NotCompacted(lines.into_iter().next().unwrap_or_default()));
        };
        let losing = LossyConversion { lines, before, after: after.into() };
        if losing.lines.is_empty() {
            return Ok(self.accept(&losing).await?);
        }
        self.forms.losing.set(Some(PtrArc::new(losing)));
        Ok(())
    }

    /// Writes the compact form despite its losses.
    pub(crate) fn compact_anyway(self) {
        let losing = self.forms.losing.get_untracked();
        self.forms.losing.set(None);
        let Some(losing) = losing else { return };
        spawn_local(async move {
            if let Err(error) = self.accept(&losing).await {
                let message = fill(text::form_not_written(), &[("reason", &error.to_string())]);
                self.forms.note.set(Some((self.draft.get_untracked(), message)));
            }
        });
    }

    async fn accept(self, losing: &LossyConversion) -> Result<(), EditError> {
        let LossyConversion { before, after, .. } = losing;
        self.forms.pair.set_value(Some(FormPair { compact: after.clone(), full: before.clone() }));
        self.swap(before, after, text::form_compacted().to_owned()).await
    }

    /// Puts one form in the place of the other; the selected step stays.
    async fn swap(self, before: &str, after: &str, note: String) -> Result<(), EditError> {
        self.replace_text(before, after)?;
        self.read_now().await;
        self.reveal_source();
        self.forms.note.set((!note.is_empty()).then(|| (self.draft.get_untracked(), note)));
        Ok(())
    }
}

/// The form of a text that was there before, if it is one of the two.
fn other(pair: Option<&FormPair>, form: Form, now: &str) -> Option<PtrArc<str>> {
    let FormPair { compact, full } = pair?;
    match form {
        Form::Compact => (**full == *now).then(|| compact.clone()),
        _ => (**compact == *now).then(|| full.clone()),
    }
}

/// JSON begins with a bracket; what is made of it does too.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_form_is_known_until_one_is_edited() {
        let pair = FormPair { compact: "messages: []".into(), full: "execution: []".into() };
        let found = |form, now: &str| other(Some(&pair), form, now).map(|text| text.to_string());
        assert_eq!(found(Form::Compact, "execution: []").as_deref(), Some("messages: []"));
        assert_eq!(found(Form::Full, "messages: []").as_deref(), Some("execution: []"));
        assert_eq!(found(Form::Full, "execution: []"), None);
        assert_eq!(found(Form::Compact, "execution: [] "), None);
        assert!(other(None, Form::Full, "messages: []").is_none());
    }
}
