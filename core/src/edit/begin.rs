//! The first change of a document without content.

use serde_json::{Map, Value};

use super::change::Change;
use super::op::{Op, Part};
use super::{Refusal, Work};
use crate::diagnostic::Edit;
use crate::parse::{self, Kind};
use crate::text::Span;
use crate::write;

/// Gives a document that is no transcript yet the list that `change` needs. For a text without any value,
/// a change of data is made here; returns whether it was.
pub(super) fn root(work: &mut Work<'_>, change: &Change) -> Result<bool, Refusal> {
    if is_blank(&work.draft.text) {
        let (value, done) = match change {
            Change::Set { path, value } => (around(path, value.clone()), true),
            Change::Insert { path, index: 0, value } => {
                (around(path, Value::Array(vec![value.clone()])), true)
            }
            Change::AddTurn { .. } => {
                (Some(crate::text::json!({ "version": "1.0", "execution": [] })), false)
            }
            Change::AddMessage { .. } | Change::SetContext { step: 0, .. } | Change::SetAssertion { .. } => {
                (Some(crate::text::json!({ "messages": [] })), false)
            }
            _ => (None, false),
        };
        let nothing = || Refusal::new("path", Span::empty(0), "the document is empty");
        let value = value.ok_or_else(nothing)?;
        append(work, &write::yaml(&value)).ok_or_else(nothing)?;
        return Ok(done);
    }
    if !matches!(change, Change::AddMessage { .. } | Change::AddTurn { .. }) {
        return Ok(false);
    }
    let root = work.root()?;
    let is_open = root.is_map() && parse::detect(&root) == Kind::Unknown;
    let key = if matches!(change, Change::AddTurn { .. }) { "execution" } else { "messages" };
    if is_open && root.present(key).is_none() {
        work.round(&[Op::Set(vec![key.into()], Value::Array(Vec::new()))], false)?;
    }
    Ok(false)
}

/// Whether a text has nothing but comments.
fn is_blank(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim_start);
    lines.all(|line| line.is_empty() || line.starts_with('#'))
}

/// `value` in the maps that `path` names; `None` when it names an item.
fn around(path: &[Part], value: Value) -> Option<Value> {
    let map = |value, part: &Part| match part {
        Part::Key(key) => Some(Value::Object(Map::from_iter([(key.clone(), value)]))),
        Part::Index(_) => None,
    };
    path.iter().rev().try_fold(value, map).filter(|_| !path.is_empty())
}

fn append(work: &mut Work<'_>, lines: &str) -> Option<()> {
    let text = &work.draft.text;
    let end = text.len();
    let gap = if text.trim_start_matches('\u{feff}').is_empty() || text.ends_with('\n') { "" } else { "\n" };
    work.apply(vec![Edit { span: Span::empty(end), text: format!("{gap}{lines}") }])
}
