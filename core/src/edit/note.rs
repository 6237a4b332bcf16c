//! Changes the notes on steps.

use super::op::{Part, Path};
use super::places::items;
use super::plan::Plan;
use super::run::Run;
use super::{Refusal, Work};
use crate::expand;
use crate::parse::{Kind, SETTINGS};
use crate::text::Span;

/// The places of the turns of a compact document.
pub(super) fn turns(run: &Run, work: &Work<'_>) -> Vec<Span> {
    if run.kind != Kind::Compact {
        return Vec::new();
    }
    let (transcript, _) = expand::compact(&work.draft.text, &run.root, work.limits);
    transcript.turns.iter().map(|turn| turn.span).collect()
}

/// The path of the item that makes the step with that path of numbers.
pub(super) fn path_of_step(run: &Run, turns: &[Span], step: &str) -> Result<Path, Refusal> {
    let missing = || {
        let message = match step {
            "0" => "a note is about a step, and the initial state is none".to_owned(),
            _ => format!("there is no step {step}"),
        };
        Refusal::new("path", run.root.span, message)
    };
    let places = step.split('.').map(|part| part.parse::<usize>().ok()?.checked_sub(1));
    let places = places.collect::<Option<Vec<usize>>>().ok_or_else(missing)?;
    if run.kind == Kind::Compact {
        let turn = match places.as_slice() {
            [at] => turns.get(*at),
            _ => None,
        };
        // The items are in the order of the text.
        let items = items(run.root.get("messages"));
        let at = turn.and_then(|turn| {
            let after = items.partition_point(|item| item.span.start <= turn.start);
            after.checked_sub(1).filter(|at| items.get(*at).is_some_and(|item| item.span.contains(*turn)))
        });
        return Ok(vec!["messages".into(), at.ok_or_else(missing)?.into()]);
    }
    let mut path = Path::new();
    for at in places {
        if !path.is_empty() {
            path.extend(["tool_call", "result", "nested_transcript"].map(Part::from));
        }
        path.extend([Part::from("execution"), at.into()]);
    }
    run.node(&path).map(|_| path).ok_or_else(missing)
}

impl Plan<'_> {
    /// Replaces the note on the item at `path`; an empty text removes it.
    pub(super) fn set_note(&mut self, path: &[Part], note: &str) -> Result<(), Refusal> {
        let place = self.find(path)?;
        if note.lines().any(|line| line.trim_start().starts_with(SETTINGS)) {
            let message = format!("a comment that begins with `{SETTINGS}` is a setting, not a note");
            return Err(
                Refusal::new("change", place.node.span, message).help("begin the line with another word")
            );
        }
        let block = place.owner.filter(|(id, _)| self.tree.node(*id).is_some_and(|list| list.is_block()));
        let slot = block.and_then(|(id, number)| self.slot(id, number));
        let Some(slot) = slot.filter(|slot| self.tree.is_first_in_line(slot.start)) else {
            let message = "a note is a comment above its step, which must begin a line";
            let help = if self.tree.json { "convert the document to YAML" } else { "format the document" };
            return Err(Refusal::new("change", place.node.span, message).help(help));
        };
        let (start, end) = (self.tree.leading(slot.start), self.tree.line_start(slot.start));
        let indent = " ".repeat(self.tree.column(slot.start));
        let comment = |line: &str| {
            let line = line.replace(char::is_control, " ");
            format!("{indent}# {line}").trim_end().to_owned() + self.tree.newline
        };
        let mut lines: String = note.trim().lines().map(comment).collect();
        // Settings are for the line below them.
        for line in self.tree.text.get(start..end).unwrap_or_default().split_inclusive('\n') {
            let is_setting = line
                .trim_start()
                .strip_prefix('#')
                .is_some_and(|rest| rest.trim_start().starts_with(SETTINGS));
            lines.push_str(if is_setting { line } else { "" });
        }
        self.replace_text(start, end, lines);
        Ok(())
    }
}
