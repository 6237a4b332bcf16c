//! Changes one run, and recomputes what follows.

use crate::diagnostic::InvalidInput;
use crate::text::{JsonMap, Set, Table};
use std::sync::Arc;

use serde_json::Value;

use super::change::Change;
use super::end;
use super::fold::{SentListing, StateFold};
use super::ids::Ids;
use super::inside;
use super::judge::mark_steps;
use super::make;
use super::mark::{DroppedStep, RequestDifference, Status};
use super::order::Order;
use super::pairs::{CallKey, Pairs, calls};
use crate::model::{Message, Sent, Spanned, Text, Transcript, Turn};

/// A change that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TravelError {
    /// The number of the change, from 0.
    pub change: usize,
    /// Why it cannot be made.
    pub reason: InvalidInput,
}

impl std::fmt::Display for TravelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "change {}: {}", self.change + 1, self.reason)
    }
}

impl std::error::Error for TravelError {}

/// A change, and how many parts of its path lead to its run.
#[derive(Clone, Copy)]
pub(super) struct RequestedChange<'c> {
    pub(super) number: usize,
    pub(super) change: &'c Change,
    pub(super) depth: usize,
}

/// A step of the new run.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) origin: Option<usize>,
    pub(super) touch: StepEdits,
    pub(super) status: Status,
    pub(super) difference: Option<RequestDifference>,
    /// The path below this run of the step that it depends on.
    pub(super) cause: Option<String>,
    pub(super) unanswered: Vec<String>,
    pub(super) dropped: Vec<String>,
    pub(super) listing: SentListing,
    pub(super) inner: Option<Box<NestedWork>>,
}

/// The changed run inside a step.
#[derive(Clone, Debug)]
pub(super) struct NestedWork {
    pub(super) work: Work,
    /// Whether the result repeats the last answer of the run inside it.
    pub(super) repeats_answer: bool,
}

impl Step {
    pub(super) fn new(origin: Option<usize>, touch: StepEdits) -> Self {
        Self {
            origin,
            touch,
            status: Status::Kept,
            difference: None,
            cause: None,
            unanswered: Vec::new(),
            dropped: Vec::new(),
            listing: SentListing::Unrecorded,
            inner: None,
        }
    }
}

/// How the author edited a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StepEdits {
    /// Anything.
    pub(super) any: bool,
    /// The answer or the result is the author's own, so that it holds for any request.
    pub(super) decreed: bool,
    pub(super) moved: bool,
}

/// A run that was changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    pub(super) run: Transcript,
    pub(super) steps: Vec<Step>,
    pub(super) start_changed: bool,
    /// Paths are below this run.
    pub(super) dropped: Vec<DroppedStep>,
    pub(super) notes: Vec<String>,
    pub(super) ids: Ids,
    /// Results without their calls.
    pub(super) lost: Vec<(usize, Turn)>,
    pub(super) agreed: end::Agreement,
}

/// Makes the changes, in order, and recomputes what follows.
pub(super) fn work(old: &Transcript, wanted: &[RequestedChange<'_>]) -> Result<Work, TravelError> {
    let mut making = WorkBuilder::new(old);
    for one in wanted {
        making.change(old, *one).map_err(|reason| TravelError { change: one.number, reason })?;
    }
    making.finish(old)
}

struct Node {
    turn: Turn,
    step: Step,
}

struct WorkBuilder<'c> {
    run: Transcript,
    order: Order,
    /// By their number in the order, less one.
    nodes: Vec<Node>,
    /// The changes of nested runs, by step.
    inside: Table<usize, Vec<RequestedChange<'c>>>,
    /// Messages with edited content.
    edited: Set<Text>,
    ids: Ids,
    start_changed: bool,
    /// Whether every turn has its place for a number.
    numbered: bool,
}

impl<'c> WorkBuilder<'c> {
    fn new(old: &Transcript) -> Self {
        let is_numbered = |(index, turn): (usize, &Turn)| {
            turn.number.as_ref().is_some_and(|number| usize::try_from(number.value) == Ok(index + 1))
        };
        let numbered = old.turns.iter().enumerate().all(is_numbered);
        let mut run = old.clone();
        let turns = std::mem::take(&mut run.turns).into_iter().enumerate();
        let node = |(index, turn)| Node { turn, step: Step::new(Some(index + 1), StepEdits::default()) };
        Self {
            run,
            order: Order::new(old.turns.len()),
            nodes: turns.map(node).collect(),
            inside: Table::new(),
            edited: Set::new(),
            ids: Ids::new(old),
            start_changed: false,
            numbered,
        }
    }

    /// The step of this run that a path names, if it still exists.
    fn step(
        &self,
        old: &Transcript,
        path: &[usize],
        depth: usize,
        anchor: bool,
    ) -> Result<usize, InvalidInput> {
        let step = path.get(depth).copied().unwrap_or(0);
        let name = || path.iter().take(depth + 1).map(usize::to_string).collect::<Vec<_>>().join(".");
        if step > old.turns.len() {
            let count = old.turns.len();
            let steps = if count == 1 { "step" } else { "steps" };
            return Err(format!("there is no step `{}`; the run has {count} {steps}", name()).into());
        }
        if self.order.is_cut(step) {
            return Err(format!("step `{}` is after the end of the forked run", name()).into());
        }
        if !anchor && !self.order.is_there(step) {
            return Err(format!("step `{}` is already skipped", name()).into());
        }
        Ok(step)
    }

    fn change(&mut self, old: &Transcript, wanted: RequestedChange<'c>) -> Result<(), InvalidInput> {
        let (path, depth) = (wanted.change.step().parts(), wanted.depth);
        let anchor = matches!(wanted.change, Change::Insert { .. } | Change::Fork { .. });
        let step = self.step(old, path, depth, anchor)?;
        if path.len() > depth + 1 {
            let inner = step.checked_sub(1).and_then(|at| old.turns.get(at)?.tool.as_ref()?.nested.as_ref());
            if inner.is_none() {
                return Err(format!("step `{step}` has no nested run").into());
            }
            self.inside.entry(step).or_default().push(RequestedChange { depth: depth + 1, ..wanted });
            if let Change::Fork { .. } = wanted.change {
                self.order.cut(step);
            }
            return Ok(());
        }
        let of_a_step = || match step {
            0 => Err("this change is not possible for the initial state"),
            _ => Ok(step - 1),
        };
        match wanted.change {
            Change::Fork { .. } => self.order.cut(step),
            Change::Skip { .. } => {
                of_a_step()?;
                self.order.skip(step);
            }
            Change::Move { to, .. } => {
                of_a_step()?;
                let same_run = to.parts().len() == path.len() && to.parts().get(..depth) == path.get(..depth);
                if !same_run {
                    return Err(format!("step `{to}` is in another run").into());
                }
                let to = self.step(old, to.parts(), depth, true)?;
                if to == 0 {
                    return Err("no step comes before the initial state".into());
                }
                self.order.shift(step, to);
                self.touch(step, |touch| touch.moved = true);
                // The time of the moved step is unknown.
                if let Some(node) = self.nodes.get_mut(step - 1) {
                    node.turn.timestamp = None;
                }
            }
            Change::Insert { turn, .. } => {
                let turn = make::read_inserted_turn(turn, &mut self.ids)?;
                self.order.insert(step);
                let touch = StepEdits { any: true, decreed: true, moved: false };
                self.nodes.push(Node { turn, step: Step::new(None, touch) });
            }
            Change::SetContext { key, value, .. } => self.set_context(step, key, value.as_ref()),
            Change::EditMessage { message, content, .. } => {
                self.edit(step, message.as_deref(), content)?;
            }
            Change::ReplaceAnswer { response, .. } => {
                let at = of_a_step()?;
                let reply = make::read_response(response)?;
                let node = self
                    .nodes
                    .get_mut(at)
                    .filter(|node| node.turn.response.is_some() || node.turn.error.is_some());
                let Some(node) = node else {
                    return Err(format!("step `{step}` does not call a model").into());
                };
                make::set_answer(&mut node.turn, &reply, &mut self.ids);
                self.edited.extend(node.turn.created.as_ref().map(|created| created.id.value.clone()));
                self.touch(step, |touch| touch.decreed = true);
            }
            Change::ReplaceResult { result, .. } => {
                let at = of_a_step()?;
                let node = self.nodes.get_mut(at).filter(|node| node.turn.tool.is_some());
                let Some(node) = node else {
                    return Err(format!("step `{step}` does not run a tool").into());
                };
                make::set_result(&mut node.turn, result);
                self.inside.remove(&step);
                self.edited.extend(node.turn.created.as_ref().map(|created| created.id.value.clone()));
                self.touch(step, |touch| touch.decreed = true);
            }
        }
        Ok(())
    }

    fn touch(&mut self, step: usize, with: impl Fn(&mut StepEdits)) {
        match step.checked_sub(1).and_then(|at| self.nodes.get_mut(at)) {
            Some(node) => {
                node.step.touch.any = true;
                with(&mut node.step.touch);
            }
            None => self.start_changed = true,
        }
    }

    fn set_context(&mut self, step: usize, key: &str, value: Option<&Value>) {
        match step.checked_sub(1).and_then(|at| self.nodes.get_mut(at)) {
            None => match value {
                Some(value) => {
                    self.run.context.put(key, value.clone());
                }
                None => {
                    self.run.context.shift_remove(key);
                }
            },
            Some(node) => {
                let changes = &mut node.turn.changes;
                changes.removed.retain(|removed| **removed != *key);
                match value {
                    Some(value) => {
                        changes.context.put(key, value.clone());
                    }
                    None => {
                        changes.context.shift_remove(key);
                        changes.removed.push(key.into());
                    }
                }
            }
        }
        self.touch(step, |_| ());
    }

    fn edit(&mut self, step: usize, message: Option<&str>, content: &Value) -> Result<(), InvalidInput> {
        let is_meant = |found: &Message| message.is_none_or(|id| *found.id.value == *id);
        let unknown = || match message {
            Some(id) => format!("step `{step}` has no message `{id}`"),
            None => format!("step `{step}` has no message"),
        };
        let id = match step.checked_sub(1) {
            None => {
                let agents =
                    self.run.agents.iter_mut().flat_map(|(_, agent)| agent.store.iter_mut().flatten());
                let mut found = self.run.initial.iter_mut().chain(agents).filter(|found| is_meant(found));
                let edited = found.next().ok_or_else(unknown)?;
                if message.is_none() && found.next().is_some() {
                    return Err("the initial state has several messages; set `message`".into());
                }
                edited.content = make::read_content(content);
                edited.id.value.clone()
            }
            Some(at) => {
                let node = self.nodes.get_mut(at).ok_or_else(unknown)?;
                let id = node
                    .turn
                    .created
                    .as_ref()
                    .filter(|found| is_meant(found))
                    .ok_or_else(unknown)?
                    .id
                    .value
                    .clone();
                make::set_content(&mut node.turn, content);
                self.inside.remove(&step);
                id
            }
        };
        self.edited.insert(id);
        self.touch(step, |touch| touch.decreed = true);
        Ok(())
    }

    fn finish(mut self, old: &Transcript) -> Result<Work, TravelError> {
        for (step, wanted) in std::mem::take(&mut self.inside) {
            let Some(node) = step.checked_sub(1).and_then(|at| self.nodes.get_mut(at)) else { continue };
            let inner = node.turn.tool.as_ref().and_then(|run| run.nested.clone());
            if let Some(inner) = inner.filter(|_| self.order.is_there(step)) {
                let done = work(&inner, &wanted)?;
                let repeats_answer = inside::repeats_answer(&node.turn, &inner);
                node.step.cause = inside::follow(&mut node.turn, repeats_answer, &done);
                node.step.touch.any = true;
                self.edited.extend(node.turn.created.as_ref().map(|created| created.id.value.clone()));
                node.step.inner = Some(Box::new(NestedWork { work: done, repeats_answer }));
            }
        }
        let known = Pairs::new(old, |_| None);
        let (order, dropped) = self.without_orphans(&known);
        let mut places = vec![0; self.nodes.len() + 1];
        for (index, number) in order.iter().enumerate() {
            if let Some(place) = places.get_mut(*number) {
                *place = index + 1;
            }
        }
        let mut nodes: Vec<Option<Node>> = self.nodes.drain(..).map(Some).collect();
        let mut steps = Vec::with_capacity(order.len());
        let lost = dropped.iter().filter_map(|dropped| {
            let origin: usize = dropped.step.parse().ok()?;
            Some((origin, nodes.get(origin - 1)?.as_ref()?.turn.clone()))
        });
        let lost = lost.collect();
        for number in &order {
            let Some(node) = number.checked_sub(1).and_then(|at| nodes.get_mut(at)?.take()) else { continue };
            self.run.turns.push(node.turn);
            steps.push(node.step);
        }
        self.number();
        let mut work = Work {
            run: self.run,
            steps,
            start_changed: self.start_changed,
            dropped,
            notes: Vec::new(),
            ids: self.ids,
            lost,
            agreed: end::Agreement::default(),
        };
        work.agreed = work.update_requests(old, &self.edited);
        end::update_final_state(&mut work);
        mark_steps(&mut work, old, &known, |key| moved_key(key, &places));
        Ok(work)
    }

    /// The order without results that have lost their call. One that the author moved before its call stays.
    fn without_orphans(&self, known: &Pairs<'_>) -> (Vec<usize>, Vec<DroppedStep>) {
        let order = self.order.turns();
        let mut places = Table::new();
        places.extend(order.iter().enumerate().map(|(index, number)| (*number, index)));
        let mut dropped = Vec::new();
        let is_left = |number: &usize| {
            let node = number.checked_sub(1).and_then(|at| self.nodes.get(at));
            let is_moved = node.is_some_and(|node| node.step.touch.moved);
            let Some(key) = known.answers.get(*number).copied().flatten() else { return true };
            let why = match places.get(&key.0) {
                _ if key.0 == 0 => return true,
                None => format!("its call was in step {}, which was removed", key.0),
                // It is the author who put it there.
                Some(place) if Some(place) > places.get(number) && is_moved => return true,
                Some(place) if Some(place) > places.get(number) => {
                    format!("its call is in step {}, which is later now", key.0)
                }
                Some(_) if !self.makes(key, known) => {
                    format!("step {} no longer has its call", key.0)
                }
                Some(_) => return true,
            };
            dropped.push(DroppedStep { step: number.to_string(), reason: why });
            false
        };
        (order.into_iter().filter(is_left).collect(), dropped)
    }

    /// Whether a turn still makes a call that it made.
    fn makes(&self, key: CallKey, known: &Pairs<'_>) -> bool {
        let node = key.0.checked_sub(1).and_then(|at| self.nodes.get(at));
        let Some(node) = node.filter(|node| node.step.touch.decreed) else { return true };
        let made = calls(&node.turn).get(key.1);
        match known.call(key).and_then(|call| call.id.as_ref()) {
            Some(id) => {
                calls(&node.turn).iter().any(|call| call.id.as_ref().is_some_and(|own| own.value == id.value))
            }
            None => made
                .is_some_and(|made| known.call(key).is_some_and(|call| call.name.value == made.name.value)),
        }
    }

    /// Numbers the turns again if their numbers were their places.
    fn number(&mut self) {
        if !self.numbered {
            return;
        }
        for (index, turn) in self.run.turns.iter_mut().enumerate() {
            let value = i64::try_from(index + 1).unwrap_or(i64::MAX);
            turn.number = Some(Spanned { value, span: turn.span });
        }
    }
}

/// The new place of a call of the original run; a number past all turns for a removed one.
fn moved_key(key: CallKey, places: &[usize]) -> CallKey {
    match (key.0, places.get(key.0).copied()) {
        (0, _) => key,
        (_, None | Some(0)) => (usize::MAX, key.1),
        (_, Some(place)) => (place, key.1),
    }
}

impl Work {
    /// Recomputes what each call is sent and which messages are shown and hidden. Returns what the end of the
    /// old run agreed with.
    fn update_requests(&mut self, old: &Transcript, edited: &Set<Text>) -> end::Agreement {
        let mut fold = StateFold::new(old);
        let mut listings = Vec::with_capacity(old.turns.len());
        // References unknown to the original run are the author's own, and stay.
        let mut unknown: Table<usize, Set<Text>> = Table::new();
        for (index, turn) in old.turns.iter().enumerate() {
            listings.push(fold.listing(turn));
            let mut none = Set::new();
            if let Sent::List(items) = &turn.sent {
                let ids = items.iter().filter_map(|item| item.reference.as_ref());
                none.extend(
                    ids.filter(|id| fold.state.position(&id.value).is_none()).map(|id| id.value.clone()),
                );
            }
            fold.apply(turn);
            let shown = turn.changes.visible.iter();
            let lost = shown.filter(|(id, _)| fold.state.position(&id.value).is_none());
            none.extend(lost.map(|(id, _)| id.value.clone()));
            if !none.is_empty() {
                unknown.insert(index + 1, none);
            }
        }
        let agreement = end::Agreement::new(old, &fold);
        let mut fold = StateFold::new(&self.run);
        for (turn, step) in self.run.turns.iter_mut().zip(&mut self.steps) {
            let listing = match step.origin {
                Some(origin) => listings.get(origin - 1).copied().unwrap_or(SentListing::Other),
                None => fold.listing(turn),
            };
            step.listing = listing;
            let own = step.origin.and_then(|origin| unknown.get(&origin));
            let is_own = |id: &Text| own.is_some_and(|own| own.contains(id));
            sent(turn, listing, &fold, edited, &is_own, &mut step.dropped);
            fold.apply(turn);
            let dropped = &mut step.dropped;
            turn.changes.visible.retain(|(id, _)| {
                let keeps = fold.state.position(&id.value).is_some() || is_own(&id.value);
                if !keeps {
                    dropped.push(id.value.to_string());
                }
                keeps
            });
        }
        agreement
    }
}

/// Recomputes what a call is sent.
fn sent(
    turn: &mut Turn,
    listing: SentListing,
    fold: &StateFold,
    edited: &Set<Text>,
    is_own: &dyn Fn(&Text) -> bool,
    dropped: &mut Vec<String>,
) {
    let Sent::List(items) = &mut turn.sent else { return };
    match listing {
        SentListing::Visible => turn.sent = Sent::Visible,
        SentListing::Seen | SentListing::OfAgent => {
            let places = fold.resolve_listing(listing, turn.agent.as_ref()).unwrap_or_default();
            *items = fold.items(&places, items, edited);
        }
        SentListing::Unrecorded | SentListing::Other => items.retain_mut(|item| {
            let Some(id) = &item.reference else { return true };
            let keeps = fold.state.position(&id.value).is_some() || is_own(&id.value);
            if !keeps {
                dropped.push(id.value.to_string());
            } else if edited.contains(&id.value) {
                // The content that the model saw was made of the old content.
                item.content = None;
            }
            keeps
        }),
    }
}

/// The run of a step, shared.
pub(super) fn share_run(run: &Transcript) -> Arc<Transcript> {
    Arc::new(run.clone())
}
