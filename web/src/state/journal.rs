//! What the page did, with the time of it. No text of a document is in it.

use leptos::prelude::*;
use transcript_core::diagnostic::Severity;
use transcript_core::document::Form;

use super::workspace::{SaveState, Workspace};
use crate::io::clock;
use crate::strings::{fill, group, tenths, text};

/// The most entries; the oldest go first.
const MOST: usize = 200;

/// Something that was done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// In milliseconds since 1970.
    pub(crate) at: f64,
    pub(crate) text: String,
    /// What comes again and again has a name, and its last time alone stays in the list.
    key: &'static str,
}

/// The entries, newest first. Copies are the same.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Journal {
    pub(crate) entries: RwSignal<Vec<Entry>>,
}

impl Journal {
    fn add(self, text: String, key: &'static str) {
        let entry = Entry { at: clock::now(), text, key };
        self.entries.update(|entries| push_entry(entries, entry));
    }

    /// All of it, a line for each entry.
    pub(crate) fn text(self) -> String {
        let line = |entry: &Entry| format!("{} {}\n", clock::time_to_the_second(entry.at), entry.text);
        self.entries.with_untracked(|entries| entries.iter().map(line).collect())
    }
}

fn push_entry(entries: &mut Vec<Entry>, entry: Entry) {
    let repeats = !entry.key.is_empty() && entries.first().is_some_and(|last| last.key == entry.key);
    if repeats {
        entries.remove(0);
    }
    entries.insert(0, entry);
    entries.truncate(MOST);
}

impl Workspace {
    /// Records an action.
    pub(crate) fn note(self, text: String) {
        self.journal.add(text, "");
    }

    /// Notes what was done since that tick of the clock; `{ms}` in the template is how long it took.
    pub(crate) fn note_timed(self, template: &str, started: f64) {
        self.note(fill(template, &[("ms", &milliseconds(clock::tick() - started))]));
    }

    /// Notes what happens from now on.
    pub(crate) fn keep_journal(self) {
        let last = StoredValue::new(0_u32);
        Effect::new(move || {
            self.current.with(|current| {
                if !current.is_read {
                    return;
                }
                let count = |severity| group(current.count(severity));
                let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
                let name = self.name.get_untracked();
                let form = match &current.other {
                    Some(other) => other.clone(),
                    None => form_word(current.form).to_owned(),
                };
                let steps = group(current.steps.len().saturating_sub(1));
                let ms = milliseconds(self.cost.get_value());
                let values = [
                    ("name", &*name),
                    ("form", &*form),
                    ("steps", &*steps),
                    ("errors", &*errors),
                    ("warnings", &*warnings),
                    ("ms", &*ms),
                ];
                let is_new = last.get_value() != current.revision.opening;
                last.set_value(current.revision.opening);
                let (template, key) =
                    if is_new { (text::note_opened(), "") } else { (text::note_read(), "read") };
                self.journal.add(fill(template, &values), key);
            });
        });
        Effect::new(move || match self.saved.get() {
            SaveState::Saved(_) => self.journal.add(text::note_saved().to_owned(), "saved"),
            SaveState::Failed(reason) => self.note(fill(text::note_not_saved(), &[("reason", &reason)])),
            _ => {}
        });
        Effect::new(move || {
            let text = self.refusal.with(|refusal| {
                let refusal = refusal.as_ref()?;
                let values = [("name", &*refusal.name), ("reason", &*refusal.reason)];
                Some(fill(text::note_not_opened(), &values))
            });
            text.into_iter().for_each(|text| self.note(text));
        });
        Effect::new(move || {
            if let Some(error) = self.reading.failed.get() {
                self.note(fill(text::note_reader(), &[("reason", &error.to_string())]));
            }
        });
    }
}

/// What a form is called.
pub(crate) fn form_word(form: Form) -> &'static str {
    match form {
        Form::Full => text::form_full(),
        Form::Partial => text::form_partial(),
        Form::Compact => text::form_compact(),
        Form::Handlers => text::form_handlers(),
        Form::Unknown => text::form_unknown(),
    }
}

/// A duration in whole milliseconds, or with one digit where it is short.
fn milliseconds(took: f64) -> String {
    if took < 10.0 { tenths(took) } else { (took.round() as u64).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_again_replaces_itself_and_the_oldest_go_first() {
        let entry = |text: &str, key| Entry { at: 0.0, text: text.to_owned(), key };
        let mut entries = Vec::new();
        for text in ["a", "b"] {
            push_entry(&mut entries, entry(text, "saved"));
        }
        push_entry(&mut entries, entry("c", ""));
        push_entry(&mut entries, entry("d", "saved"));
        let text: Vec<&str> = entries.iter().map(|entry| &*entry.text).collect();
        assert_eq!(text, ["d", "c", "b"]);
        for _ in 0..300 {
            push_entry(&mut entries, entry("x", ""));
        }
        assert_eq!(entries.len(), MOST);
    }

    #[test]
    fn short_times_have_a_digit_more() {
        assert_eq!((milliseconds(0.42), milliseconds(12.6)), ("0.4".to_owned(), "13".to_owned()));
    }
}
