//! The notes on the steps of a document, which its other forms keep.

use super::open::Document;
use crate::model::Transcript;
use crate::parse::{Limits, line_of_item, note_at};
use crate::text::Table;

impl Document {
    /// The notes with the paths of their steps, in order.
    pub(crate) fn notes(&self) -> Vec<(String, String)> {
        // Most documents have no comment at all.
        let steps = if self.text().contains('#') { self.starts_of_steps() } else { Vec::new() };
        let note = |(path, start)| Some((path, note_at(self.text(), start)?));
        steps.into_iter().filter_map(note).collect()
    }

    /// Another form of the document, in YAML, with the notes of this one. Without as many steps it stays as it is.
    pub(crate) fn noted(&self, text: String) -> String {
        let notes = self.notes();
        if notes.is_empty() {
            return text;
        }
        let other = Self::open(&text, &Limits { bytes: usize::MAX, ..Limits::default() });
        let count = |document: &Self| document.timeline().map(|timeline| timeline.transcript().turns.len());
        // With another number of steps, a path is that of another step.
        if count(&other) != count(self) {
            return text;
        }
        let starts: Table<String, usize> = other.starts_of_steps().into_iter().collect();
        let (mut out, mut from) = (String::with_capacity(text.len()), 0);
        for (path, note) in notes {
            let line = starts.get(&path).and_then(|start| line_of_item(&text, *start));
            // Two steps may be of one item, whose note is that of both.
            let Some(line) = line.filter(|line| from == 0 || *line > from) else { continue };
            let (before, rest) =
                (text.get(from..line).unwrap_or_default(), text.get(line..).unwrap_or_default());
            out.push_str(before);
            for words in note.lines() {
                let indent = rest.len() - rest.trim_start_matches(' ').len();
                out.extend(std::iter::repeat_n(' ', indent));
                out.push_str(format!("# {words}").trim_end());
                out.push('\n');
            }
            from = line;
        }
        out.push_str(text.get(from..).unwrap_or_default());
        out
    }

    /// The paths of the steps and where each begins in the text, in order.
    fn starts_of_steps(&self) -> Vec<(String, usize)> {
        let mut found = Vec::new();
        if let Some(timeline) = self.timeline() {
            collect(timeline.transcript(), "", &mut found);
        }
        found
    }
}

fn collect(transcript: &Transcript, prefix: &str, found: &mut Vec<(String, usize)>) {
    for (at, turn) in transcript.turns.iter().enumerate() {
        let path = format!("{prefix}{}", at + 1);
        found.push((path.clone(), turn.span.start as usize));
        // A run that is named may be in another file.
        let inner = turn.tool.as_ref().filter(|tool| tool.nested_ref.is_none());
        if let Some(nested) = inner.and_then(|tool| tool.nested.as_ref()) {
            collect(nested, &format!("{path}."), found);
        }
    }
}
