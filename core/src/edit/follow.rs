//! What a full document repeats about its run: the messages that calls were sent, and the final state.
//!
//! What agreed with the run before a change agrees with it afterwards; anything else is the author's
//! own and stays.

use crate::text::{Set, Table, json};
use serde_json::{Map, Value};

use super::op::{Op, Part, Path, join};
use super::places::items;
use super::run::counted;
use super::{Refusal, Work};
use crate::model::{Sent, State, Transcript, Turn};
use crate::parse::{Kind, Node, detect, read};

/// The parts that agreed with the run.
#[derive(Default)]
pub(super) struct Agreement {
    /// For each turn, whether its model was sent every visible message.
    sent: Vec<bool>,
    store: bool,
    visible: bool,
    /// The keys of the final context that differ from the run; `None` when it states none.
    differing: Option<Set<String>>,
}

/// The run up to a turn, with the visible messages at hand.
struct RunState {
    state: State,
    /// The store indexes of the visible messages.
    visible: Set<usize>,
}

impl RunState {
    fn new(run: &Transcript) -> Self {
        let state = State::initial(run);
        let shown = state.store().iter().enumerate().filter(|(_, (_, shown))| *shown);
        let visible = shown.map(|(at, _)| at).collect();
        Self { state, visible }
    }

    fn apply(&mut self, turn: &Turn) {
        let effects = self.state.apply(turn);
        if effects.stored.is_some_and(|message| message.visible) {
            self.visible.insert(self.state.store().len() - 1);
        }
        for (at, shown) in effects.visibility {
            if shown {
                self.visible.insert(at);
            } else {
                self.visible.remove(&at);
            }
        }
    }

    fn visible(&self) -> impl Iterator<Item = &str> {
        self.visible.iter().filter_map(|at| Some(&*self.state.store().get(*at)?.0))
    }

    fn store(&self) -> impl Iterator<Item = &str> {
        self.state.store().iter().map(|(id, _)| &**id)
    }
}

fn read(root: &Node) -> Transcript {
    let fill = match detect(root) {
        Kind::Partial => read::Fill::CreatedMessages,
        _ => read::Fill::Nothing,
    };
    read::transcript(root, fill)
}

impl Agreement {
    /// The agreeing parts of the document of `root`, which is not compact.
    pub(super) fn from_root(root: &Node) -> Self {
        let run = read(root);
        let mut fold = RunState::new(&run);
        let mut sent = Vec::new();
        for turn in &run.turns {
            let agrees = match &turn.sent {
                Sent::List(list) => {
                    let named: Vec<&str> =
                        list.iter().filter_map(|item| item.reference.as_ref()).map(|id| &*id.value).collect();
                    named.len() == fold.visible.len() && fold.visible().eq(named)
                }
                _ => false,
            };
            sent.push(agrees);
            fold.apply(turn);
        }
        let end = |key: &str| root.get("final_state").and_then(|end| end.present(key));
        let stated = |key: &str| -> Option<Vec<String>> {
            Some(items(Some(end(key)?)).iter().filter_map(name).collect())
        };
        let store =
            stated("message_store").is_some_and(|stated| fold.store().eq(stated.iter().map(String::as_str)));
        let visible = stated("visible_messages")
            .is_some_and(|stated| fold.visible().eq(stated.iter().map(String::as_str)));
        let differing = end("context").filter(|context| context.is_map()).map(|context| {
            let stated = context.to_map();
            let all = stated.keys().chain(fold.state.context().keys());
            all.filter(|key| stated.get(*key) != fold.state.context().get(*key)).cloned().collect()
        });
        Self { sent, store, visible, differing }
    }

    /// Restores what was consistent before. `order` has each turn's former number, `None` for a new one.
    pub(super) fn carry(&self, work: &mut Work<'_>, order: &[Option<usize>]) -> Result<(), Refusal> {
        if !self.store && !self.visible && self.differing.is_none() && !self.sent.contains(&true) {
            return Ok(());
        }
        let root = work.root()?;
        let run = read(&root);
        let mut fold = RunState::new(&run);
        let mut ops = Vec::new();
        let mut rewritten = 0;
        let turns = items(root.get("execution"));
        for (index, (turn, node)) in run.turns.iter().zip(turns).enumerate() {
            let agreed =
                order.get(index).copied().flatten().and_then(|old| self.sent.get(old)) == Some(&true);
            if let Some(list) = node.present("messages_sent_to_llm").filter(|_| agreed) {
                let path = vec!["execution".into(), index.into(), "messages_sent_to_llm".into()];
                let wanted: Vec<&str> = fold.visible().collect();
                rewritten += usize::from(align(list, &path, &wanted, &mut ops));
            }
            fold.apply(turn);
        }
        if rewritten > 0 {
            let were = if rewritten == 1 { "was" } else { "were" };
            work.notes.push(format!("also updated what {} {were} sent", counted(rewritten, "later call")));
        }
        let end = root.get("final_state");
        let lists = [
            ("message_store", self.store, fold.store().collect::<Vec<_>>()),
            ("visible_messages", self.visible, fold.visible().collect()),
        ];
        for (key, agreed, wanted) in lists {
            let Some(list) = end.and_then(|end| end.present(key)).filter(|_| agreed) else { continue };
            if align(list, &vec!["final_state".into(), key.into()], &wanted, &mut ops) {
                work.notes.push(format!("also updated `{key}` in the final state"));
            }
        }
        let context = end.and_then(|end| end.get("context"));
        if let (Some(differing), Some(context)) = (&self.differing, context) {
            self.carry_context(work, &context.to_map(), fold.state.context(), differing, &mut ops);
        }
        work.round(&ops, false)
    }

    fn carry_context(
        &self,
        work: &mut Work<'_>,
        stated: &Map<String, Value>,
        wanted: &Map<String, Value>,
        differing: &Set<String>,
        ops: &mut Vec<Op>,
    ) {
        let new = wanted.keys().filter(|key| !stated.contains_key(*key));
        // One key is added at a time, since those of one round would conflict.
        let mut added = Map::new();
        for key in stated.keys().chain(new).filter(|key| !differing.contains(*key)) {
            let path = vec!["final_state".into(), "context".into(), Part::Key(key.clone())];
            match (stated.get(key), wanted.get(key)) {
                (Some(old), Some(new)) if old == new => continue,
                (Some(_), Some(new)) => ops.push(Op::Set(path, new.clone())),
                (Some(_), None) => ops.push(Op::Remove(path)),
                (None, Some(new)) => {
                    added.insert(key.clone(), new.clone());
                    if added.len() == 1 {
                        ops.push(Op::Set(path, new.clone()));
                    }
                }
                (None, None) => continue,
            }
            work.notes.push(format!("also changed `{key}` in the final state"));
        }
        if added.len() > 1 || added.len() == 1 && stated.is_empty() {
            let path: Path = vec!["final_state".into(), "context".into()];
            ops.retain(|op| !matches!(op, Op::Set(at, _) | Op::Remove(at) if at.starts_with(&path)));
            let own = |(key, value): (&String, &Value)| {
                let value = if differing.contains(key) { Some(value) } else { wanted.get(key) };
                Some((key.clone(), value?.clone()))
            };
            let mut all: Map<String, Value> = stated.iter().filter_map(own).collect();
            all.extend(added);
            ops.push(Op::Set(path, Value::Object(all)));
        }
    }
}

fn name(item: &Node) -> Option<String> {
    let id = item.present("ref").or_else(|| item.present("id")).unwrap_or(item);
    read::spanned_text(id).map(|text| text.value.to_string())
}

/// Makes a list name the `wanted` messages in their order; whether it did not yet.
fn align(list: &Node, path: &Path, wanted: &[&str], ops: &mut Vec<Op>) -> bool {
    let all = list.items();
    // A message that was never stored has no name, and keeps its place.
    let is_end = matches!(path.first(), Some(Part::Key(key)) if key == "final_state");
    let names: Vec<Option<String>> =
        all.iter().map(|item| name(item).filter(|_| is_end || item.present("ref").is_some())).collect();
    let named: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
    if named == wanted {
        return false;
    }
    let ranks: Table<&str, usize> = wanted.iter().enumerate().map(|(rank, id)| (*id, rank)).collect();
    let known: Set<&str> = named.iter().copied().collect();
    let missing: Vec<&str> = wanted.iter().copied().filter(|id| !known.contains(id)).collect();
    let rank = |at: usize| ranks.get(names.get(at)?.as_deref()?).copied();
    let extra: Vec<usize> = (0..all.len())
        .filter(|at| rank(*at).is_none() && names.get(*at).is_some_and(Option::is_some))
        .collect();
    let order: Vec<usize> = (0..all.len()).filter_map(rank).collect();
    let is_ordered = order.is_sorted();
    let bare = is_end && path.last() == Some(&"visible_messages".into()) && !all.iter().any(Node::is_map);
    let item = |id: &str| if bare { Value::from(id) } else { json!({ "ref": id }) };
    if let (true, [new], []) = (is_ordered, missing.as_slice(), extra.as_slice()) {
        let own = ranks.get(new).copied().unwrap_or_default();
        let at = (0..all.len()).find(|at| rank(*at).is_some_and(|rank| rank > own));
        ops.push(Op::Insert(path.clone(), at.unwrap_or(all.len()), item(new)));
    } else if is_ordered && missing.is_empty() {
        ops.extend(extra.iter().map(|at| Op::Remove(join(path, *at))));
    } else if let (true, Some((from, to))) =
        (missing.is_empty() && extra.is_empty() && order.len() == all.len(), one_move(&order))
    {
        ops.push(Op::Move(path.clone(), from, to));
    } else {
        let old: Table<&str, &Node> =
            names.iter().zip(all).filter_map(|(name, node)| Some((name.as_deref()?, node))).collect();
        let unstored =
            names.iter().zip(all).filter(|(name, _)| name.is_none()).map(|(_, node)| node.to_value());
        let stored = wanted.iter().map(|id| old.get(id).map_or_else(|| item(id), |node| node.to_value()));
        ops.push(Op::Set(path.clone(), unstored.chain(stored).collect()));
    }
    true
}

/// The one move of an item that sorts the numbers.
fn one_move(order: &[usize]) -> Option<(usize, usize)> {
    let first = order.iter().enumerate().position(|(at, rank)| at != *rank)?;
    let up = (order.iter().position(|rank| *rank == first)?, first);
    let down = (first, *order.get(first)?);
    [up, down].into_iter().find(|(from, to)| {
        let mut order = order.to_vec();
        if *to < order.len() {
            let item = order.remove(*from);
            order.insert(*to, item);
        }
        order.is_sorted()
    })
}
