//! A round of changes of data as edits of the text.

use serde_json::{Map, Value};

use super::op::{Op, Part, render_path};
use super::{Refusal, order};
use crate::diagnostic::Edit;
use crate::parse::{Data, Group, Node, Slot, SyntaxKind, SyntaxTree};
use crate::text::{Span, Table, sort_by_key};

/// The edits of one round.
pub(super) struct Plan<'t> {
    pub tree: SyntaxTree<'t>,
    pub root: &'t Node,
    pub edits: Vec<Edit>,
    /// For each list and map, what is removed from it.
    removed: Table<usize, Place<'t>>,
    slots: Table<usize, Vec<usize>>,
    /// Whether the value behind an alias may be changed, in all its places.
    everywhere: bool,
}

/// A value with its container.
#[derive(Clone, Copy)]
pub(super) struct Place<'t> {
    /// The piece that holds it and its number there.
    pub owner: Option<(usize, usize)>,
    pub id: usize,
    pub node: &'t Node,
    /// Whether an alias refers to it or to something around it.
    pub shared: bool,
}

impl<'t> Plan<'t> {
    pub(super) fn new(tree: SyntaxTree<'t>, root: &'t Node, everywhere: bool) -> Self {
        let (edits, removed, slots) = (Vec::new(), Table::new(), Table::new());
        Self { tree, root, edits, removed, slots, everywhere }
    }

    /// The edits of all `ops`, in order of place.
    pub(super) fn edits(mut self, ops: &[Op]) -> Result<Vec<Edit>, Refusal> {
        for op in ops {
            match op {
                Op::Set(path, value) => self.set(path, value)?,
                Op::Remove(path) => self.remove(path)?,
                Op::Insert(path, index, value) => self.insert(path, *index, value)?,
                Op::Move(path, from, to) => self.shift(path, *from, *to)?,
                Op::RenameKey(path, key) => self.rename(path, key)?,
                Op::SetNote(path, note) => self.set_note(path, note)?,
            }
        }
        let slots = std::mem::take(&mut self.slots);
        for (id, mut gone) in slots {
            let Some(place) = self.removed.get(&id).copied() else { continue };
            gone.sort_unstable();
            gone.dedup();
            self.take_out(place, &gone)?;
        }
        let mut edits = self.edits;
        sort_by_key(&mut edits, |edit| edit.span);
        // Two removals may share the line end between them.
        let mut apart: Vec<Edit> = Vec::with_capacity(edits.len());
        for edit in edits {
            match apart.last_mut() {
                Some(last)
                    if last.text.is_empty() && edit.text.is_empty() && edit.span.start < last.span.end =>
                {
                    last.span.end = last.span.end.max(edit.span.end);
                }
                Some(last) if *last == edit && !edit.span.is_empty() => {}
                _ => apart.push(edit),
            }
        }
        Ok(apart)
    }

    pub(super) fn replace_text(&mut self, start: usize, end: usize, text: impl Into<String>) {
        let (span, text) = (Span::new(start, end), text.into());
        if span.slice(self.tree.text) != text || span.is_empty() && !text.is_empty() {
            self.edits.push(Edit { span, text });
        }
    }

    /// The deepest existing value along `path`, and how many parts of the path lead there.
    fn resolve(&self, path: &[Part]) -> Result<(Place<'t>, usize), Refusal> {
        let mut place = Place { owner: None, id: 0, node: self.root, shared: false };
        for (depth, part) in path.iter().enumerate() {
            let piece = self.tree.node(place.id);
            let mut shared = place.shared || piece.is_some_and(|piece| piece.is_named);
            let mut holder = place.id;
            // The parser allows no alias to an alias, but the chain ends in any case: each leads up.
            while let Some(SyntaxKind::Alias(target)) = self.tree.node(holder).map(|piece| &piece.kind) {
                (holder, shared) = (*target, true);
            }
            let group = self.tree.node(holder).and_then(|piece| piece.group());
            let found = match part {
                Part::Key(key) => {
                    let entry = place.node.entries().iter().find(|entry| *entry.key.text == **key);
                    entry.and_then(|entry| {
                        let start = entry.key.span.start as usize;
                        let is_key = |slot: &Slot| {
                            let key = slot.key.and_then(|key| self.tree.node(key));
                            key.is_some_and(|key| key.start == start || key.begin == start)
                        };
                        Some((group?.slots.iter().position(is_key)?, &entry.value))
                    })
                }
                Part::Index(index) => {
                    let items = place.node.items();
                    let whole = group.filter(|group| group.slots.len() == items.len());
                    whole.and(items.get(*index)).map(|node| (*index, node))
                }
            };
            let Some((number, node)) = found else { return Ok((place, depth)) };
            let slot = group.and_then(|group| group.slots.get(number));
            let id = slot.map(|slot| slot.value).unwrap_or_default();
            place = Place { owner: Some((holder, number)), id, node, shared };
        }
        Ok((place, path.len()))
    }

    /// The value at `path`, which may be changed.
    pub(super) fn find(&self, path: &[Part]) -> Result<Place<'t>, Refusal> {
        let (place, depth) = self.resolve(path)?;
        if depth < path.len() {
            return Err(nowhere(path, depth, place.node));
        }
        self.check_shared(&place)?;
        Ok(place)
    }

    fn check_shared(&self, place: &Place<'t>) -> Result<(), Refusal> {
        if place.shared && !self.everywhere {
            let message = "the value is shared through an alias, so the change affects every use";
            let help = "replace the alias with its value, then edit it";
            return Err(Refusal::new("shared", place.node.span, message).help(help));
        }
        Ok(())
    }

    /// Refuses to remove a value that an alias elsewhere refers to.
    pub(super) fn check_named(&self, start: usize, end: usize) -> Result<(), Refusal> {
        if self.tree.is_named_inside(start, end) {
            let message = "an alias uses a value that would be removed";
            let help = "replace the alias with its value, then edit this one";
            return Err(Refusal::new("shared", Span::new(start, end), message).help(help));
        }
        Ok(())
    }

    /// The list or map that `place` is; an alias counts as its value.
    fn group_at(&self, place: &Place<'t>) -> Option<(usize, &Group)> {
        let mut id = place.id;
        while let Some(SyntaxKind::Alias(target)) = self.tree.node(id).map(|piece| &piece.kind) {
            id = *target;
        }
        Some((id, self.tree.node(id)?.group()?))
    }

    /// Refuses to change what is inside `place` if an alias refers to it.
    fn inside(&self, place: &Place<'t>) -> Result<(), Refusal> {
        let piece = self.tree.node(place.id);
        let alias = piece.is_some_and(|piece| piece.is_named || matches!(piece.kind, SyntaxKind::Alias(_)));
        self.check_shared(&Place { shared: place.shared || alias, ..*place })
    }

    fn set(&mut self, path: &[Part], value: &Value) -> Result<(), Refusal> {
        if path.is_empty() {
            return Err(Refusal::new("path", self.root.span, "the path is empty"));
        }
        let (place, depth) = self.resolve(path)?;
        let missing = path.get(depth..).unwrap_or_default();
        let Some((first, deeper)) = missing.split_first() else {
            self.check_shared(&place)?;
            return self.replace_value(&place, value);
        };
        let Part::Key(key) = first else { return Err(nowhere(path, depth, place.node)) };
        if !(place.node.is_map() || place.node.is_null()) {
            return Err(nowhere(path, depth, place.node));
        }
        let mut whole = value.clone();
        for part in deeper.iter().rev() {
            let Part::Key(key) = part else { return Err(nowhere(path, depth, place.node)) };
            whole = Value::Object(Map::from_iter([(key.clone(), whole)]));
        }
        match self.group_at(&place).filter(|(_, group)| !group.slots.is_empty()) {
            Some((id, _)) => {
                self.inside(&place)?;
                let known = order::keys(self.root, path.get(..depth).unwrap_or_default());
                let index = order::index(place.node, &known, key);
                let count = place.node.entries().len();
                let index = self.slot_of_entry(id, place.node, index).unwrap_or(count);
                self.put_in(id, index, Some(key), &whole)
            }
            None => {
                self.check_shared(&place)?;
                if self.insert_next_to_comment(&place, Some(key), &whole) {
                    return Ok(());
                }
                self.replace_value(&place, &Value::Object(Map::from_iter([(key.clone(), whole)])))
            }
        }
    }

    /// The slot of the entry of that number; doubled keys have slots but no entries.
    fn slot_of_entry(&self, id: usize, node: &Node, index: usize) -> Option<usize> {
        let slots = &self.tree.node(id)?.group()?.slots;
        let Some(entry) = node.entries().get(index) else { return Some(slots.len()) };
        let start = entry.key.span.start as usize;
        slots.iter().position(|slot| {
            slot.key.and_then(|key| self.tree.node(key)).is_some_and(|key| key.start == start)
        })
    }

    fn insert(&mut self, path: &[Part], index: usize, value: &Value) -> Result<(), Refusal> {
        let (place, depth) = self.resolve(path)?;
        let is_list = matches!(place.node.data, Data::Seq(_));
        let count = if depth == path.len() && is_list { place.node.items().len() } else { 0 };
        if index > count {
            let message = format!("`{}` has {count} items, so {index} is out of range", render_path(path));
            return Err(Refusal::new("path", place.node.span, message));
        }
        if depth < path.len() || place.node.is_null() {
            return self.set(path, &Value::Array(vec![value.clone()]));
        }
        if !is_list {
            let message =
                format!("`{}`: expected a list, found {}", render_path(path), place.node.kind_name());
            return Err(Refusal::new("path", place.node.span, message));
        }
        self.inside(&place)?;
        let held = self.group_at(&place).filter(|(_, group)| !group.slots.is_empty());
        match held.map(|(id, _)| id) {
            Some(id) => self.put_in(id, index, None, value),
            None if self.insert_next_to_comment(&place, None, value) => Ok(()),
            None => self.replace_value(&place, &Value::Array(vec![value.clone()])),
        }
    }

    fn put_in(&mut self, id: usize, index: usize, key: Option<&str>, value: &Value) -> Result<(), Refusal> {
        if self.tree.node(id).is_some_and(|piece| piece.is_block()) {
            self.insert_lines(id, index, key, value);
        } else {
            self.insert_flow(id, index, key, value);
        }
        Ok(())
    }

    fn shift(&mut self, path: &[Part], from: usize, to: usize) -> Result<(), Refusal> {
        let place = self.find(path)?;
        let count = place.node.items().len();
        if from.max(to) >= count {
            let message =
                format!("`{}` has {count} items, so {} is out of range", render_path(path), from.max(to));
            return Err(Refusal::new("path", place.node.span, message));
        }
        self.inside(&place)?;
        let Some((id, group)) = self.group_at(&place) else {
            return Err(nowhere(path, path.len(), place.node));
        };
        if from == to {
            return Ok(());
        }
        if group.flow { self.shift_flow(id, from, to) } else { self.shift_lines(id, from, to) }
    }

    fn remove(&mut self, path: &[Part]) -> Result<(), Refusal> {
        let place = self.find(path)?;
        let Some((id, number)) = place.owner else {
            return Err(Refusal::new("path", self.root.span, "the whole document cannot be removed"));
        };
        let (holder, _) = self.resolve(path.get(..path.len() - 1).unwrap_or_default())?;
        self.slots.entry(id).or_default().push(number);
        self.removed.insert(id, holder);
        Ok(())
    }

    fn take_out(&mut self, place: Place<'t>, gone: &[usize]) -> Result<(), Refusal> {
        let Some((id, group)) = self.group_at(&place) else { return Ok(()) };
        let (flow, is_whole) = (group.flow, group.slots.len() == gone.len());
        for &number in gone {
            if let Some(slot) = group.slots.get(number) {
                self.check_named(slot.start, slot.end)?;
            }
        }
        if flow {
            self.remove_flow(id, gone);
            return Ok(());
        }
        if !is_whole {
            self.remove_lines(id, gone);
            return Ok(());
        }
        let empty = if place.node.is_map() { "{}" } else { "[]" };
        self.empty_lines(id, place.owner, empty);
        Ok(())
    }

    fn rename(&mut self, path: &[Part], new: &str) -> Result<(), Refusal> {
        let place = self.find(path)?;
        let (holder, _) = self.resolve(path.get(..path.len().saturating_sub(1)).unwrap_or_default())?;
        if holder.node.get(new).is_some() {
            let message = format!("the key `{new}` already exists");
            return Err(Refusal::new("taken", holder.node.span, message));
        }
        let slot = place.owner.and_then(|(id, number)| self.slot(id, number));
        let Some(key) = slot.and_then(|slot| self.tree.node(slot.key?)) else {
            return Err(Refusal::new("path", place.node.span, "an item of a list has no key"));
        };
        let style = if let SyntaxKind::Scalar(style) = key.kind { Some(style) } else { None };
        let (start, end) = (key.begin, key.end);
        self.check_named(start, end)?;
        let written = self.scalar(style, new, true);
        // An empty key has no text between it and its colon.
        self.replace_text(start, end, written);
        Ok(())
    }

    pub(super) fn slot(&self, id: usize, number: usize) -> Option<Slot> {
        self.tree.node(id)?.group()?.slots.get(number).copied()
    }
}

/// The refusal of a path that does not exist after `depth` of its parts.
fn nowhere(path: &[Part], depth: usize, node: &Node) -> Refusal {
    let known = render_path(path.get(..depth).unwrap_or_default());
    let known = if known.is_empty() { "the document".to_owned() } else { format!("`{known}`") };
    let message = match path.get(depth) {
        Some(Part::Key(key)) => format!("{known}, {}, has no key `{key}`", node.kind_name()),
        Some(Part::Index(index)) => format!("{known}, {}, has no item {index}", node.kind_name()),
        None => format!("{known} is {}", node.kind_name()),
    };
    Refusal::new("path", node.span, message)
}
