//! The notes on the steps of a document, which its other forms keep.

use super::open::Document;
use super::run::Run;
use crate::edit;
use crate::parse::{Limits, note_at};

impl Document {
    /// The notes with the paths of their steps, in order.
    pub(crate) fn notes(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        // Most documents have no comment at all.
        if let Some(run) = self.run().filter(|_| self.text().contains('#')) {
            collect(run, self.text(), "", &mut found);
        }
        found
    }

    /// Another form of the document, in YAML, with the notes of this one. Without as many steps it stays as it is.
    pub(crate) fn noted(&self, text: String) -> String {
        let notes = self.notes();
        if notes.is_empty() {
            return text;
        }
        let steps = self.run().map_or(0, |run| run.timeline.steps());
        let limits = Limits { bytes: usize::MAX, ..Limits::default() };
        edit::with_notes(&text, &limits, &notes, steps).unwrap_or(text)
    }
}

fn collect(run: &Run, text: &str, prefix: &str, found: &mut Vec<(String, String)>) {
    for step in 1..=run.timeline.steps() {
        let path = format!("{prefix}{step}");
        let turn = run.timeline.turn_at(step);
        if let Some(note) = turn.and_then(|turn| note_at(text, turn.span.start as usize)) {
            found.push((path.clone(), note));
        }
        if let Some(nested) = run.nested.get(&step) {
            collect(nested, text, &format!("{path}."), found);
        }
    }
}
