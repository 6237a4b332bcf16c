//! Changes of a transcript as rounds of changes of its data.

use serde_json::Value;

use super::change::Change;
use super::follow::Agreement;
use super::op::{Op, Part, Path, join};
use super::places::{
    IdReference, Member, ReferenceForm, ReferenceKind, id_of, id_references, items, members,
};
use super::{Refusal, Work, begin, call, item, message, note, sent, visible};
use crate::expand::{self, CompactLine};
use crate::model::{IdCounter, Message, call_id, message_id};
use crate::parse::{self, Kind, Node};
use crate::text::{JsonMap, Set, Span, Table};

pub(super) fn change(work: &mut Work<'_>, change: &Change) -> Result<(), Refusal> {
    let root = begin::root(work, change)?;
    let op = match change {
        Change::Set { path, value } => Op::Set(path.clone(), value.clone()),
        Change::Remove { path } => Op::Remove(path.clone()),
        Change::Insert { path, index, value } => Op::Insert(path.clone(), *index, value.clone()),
        Change::Move { path, from, to } => Op::Move(path.clone(), *from, *to),
        Change::RenameKey { path, key } => Op::RenameKey(path.clone(), key.clone()),
        _ => return Run::new(work)?.change(work, change),
    };
    if root { Ok(()) } else { work.round(&[op], false) }
}

/// A transcript before a change.
pub(super) struct Run {
    pub root: Node,
    pub kind: Kind,
    pub members: Vec<Member>,
    /// In a compact document, how many calls each item makes.
    calls: Table<usize, usize>,
    /// For each item or turn that answers a call, the one that makes it.
    pub answers: Table<usize, usize>,
    /// What a full document repeats correctly about its run.
    agreement: Agreement,
}

impl Run {
    pub(super) fn new(work: &Work<'_>) -> Result<Self, Refusal> {
        let root = work.root()?;
        let kind = parse::detect(&root);
        if !matches!(kind, Kind::Full | Kind::Partial | Kind::Compact) {
            return Err(Refusal::new("change", root.span, "the document is not a transcript"));
        }
        let (mut calls, mut answers) = (Table::new(), Table::new());
        let mut agreement = Agreement::default();
        if kind == Kind::Compact {
            let (transcript, _) = expand::compact(&work.draft.text, &root, work.limits);
            let created = transcript.turns.iter().filter_map(|turn| turn.created.as_ref());
            let by_place: Table<Span, &Message> =
                transcript.initial.iter().chain(created).map(|message| (message.span, message)).collect();
            let mut makers: Table<&str, usize> = Table::new();
            for (index, item) in items(root.get("messages")).iter().enumerate() {
                let message = by_place.get(&item.span);
                let made = message.map(|message| message.tool_calls.as_slice()).unwrap_or_default();
                calls.insert(index, made.len());
                makers.extend(made.iter().filter_map(|call| Some((&*call.id.as_ref()?.value, index))));
                let answered = message.and_then(|message| message.tool_call_id.as_ref());
                let maker = answered.and_then(|id| makers.get(&*id.value));
                answers.extend(maker.map(|maker| (index, *maker)));
            }
        } else {
            answers = results(items(root.get("execution")));
            agreement = Agreement::from_root(&root);
        }
        let members = members(&root, kind);
        Ok(Self { root, kind, members, calls, answers, agreement })
    }

    fn change(&self, work: &mut Work<'_>, change: &Change) -> Result<(), Refusal> {
        match change {
            Change::SetText { message, text } => message::set_text(self, work, self.find(message)?, text),
            Change::SetRole { message, role } => message::set_role(self, work, self.find(message)?, role),
            Change::SetCall { message, call, name, arguments } => {
                let wanted = call::CallEdit { name: name.as_deref(), arguments: arguments.as_ref() };
                call::set_call(self, work, self.find(message)?, *call, wanted)
            }
            Change::SetVisible { message, visible, from } => {
                visible::set_visible(self, work, self.find(message)?, *visible, *from)
            }
            Change::AddMessage { index, message } => self.add_message(work, *index, message),
            Change::RemoveMessage { message } => self.remove_message(work, self.find(message)?),
            Change::MoveMessage { message, to } => self.move_message(work, self.find(message)?, *to),
            Change::AddTurn { step, turn } => self.add_turn(work, *step, turn),
            Change::RemoveTurn { step } => self.remove_turn(work, *step),
            Change::MoveTurn { step, to } => self.move_turn(work, *step, *to),
            Change::RenameId { from, to } => self.rename(work, from, to),
            Change::SetContext { step, key, value } => {
                sent::set_context(self, work, *step, key, value.as_ref())
            }
            Change::SetAssertion { index, value } => self.set_assertion(work, *index, value.as_ref()),
            Change::SetNote { step, text } => {
                let path = note::path_of_step(self, &note::turns(self, work), step)?;
                work.round(&[Op::SetNote(path, text.clone())], false)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn refuse(&self, message: impl Into<String>, help: &str) -> Refusal {
        Refusal::new("change", self.root.span, message).help(help)
    }

    fn find(&self, id: &str) -> Result<&Member, Refusal> {
        let found = self.members.iter().find(|member| member.id == id);
        found.ok_or_else(|| Refusal::new("path", self.root.span, format!("no message has the id `{id}`")))
    }

    pub(super) fn node(&self, path: &[Part]) -> Option<&Node> {
        path.iter().try_fold(&self.root, |node, part| match part {
            Part::Key(key) => node.get(key),
            Part::Index(index) => node.items().get(*index),
        })
    }

    pub(super) fn turns(&self) -> &[Node] {
        items(self.root.get("execution"))
    }

    pub(super) fn line<'s>(&self, item: &'s str, node: &Node) -> Result<CompactLine<'s>, Refusal> {
        let line = CompactLine::new(item);
        if line.fault.is_some() {
            let refusal = Refusal::new("change", node.span, "the item cannot be read");
            return Err(refusal.help("fix it first"));
        }
        Ok(line)
    }

    fn rename(&self, work: &mut Work<'_>, from: &str, to: &str) -> Result<(), Refusal> {
        let all = id_references(&self.root, self.kind);
        let member = self.members.iter().find(|member| member.id == from);
        let what = if member.is_some() { ReferenceKind::Message } else { ReferenceKind::Call };
        let taken = match what {
            ReferenceKind::Message => self.members.iter().any(|member| member.id == to),
            ReferenceKind::Call => {
                all.iter().any(|place| place.what == ReferenceKind::Call && place.id == to)
            }
        };
        if to.is_empty() || taken {
            let message = if taken {
                format!("the id `{to}` already exists")
            } else {
                "an id must not be empty".to_owned()
            };
            return Err(Refusal::new("taken", self.root.span, message));
        }
        let mut ops = Vec::new();
        if let Some(member) = member {
            ops.push(self.rename_member(member, to)?);
        } else if self.kind == Kind::Compact
            || !all.iter().any(|place| place.what == ReferenceKind::Call && place.id == from)
        {
            let message = format!("no message or call has the id `{from}`");
            return Err(
                Refusal::new("path", self.root.span, message).help("calls in a compact document have no ids")
            );
        }
        let places: Vec<&IdReference> =
            all.iter().filter(|place| place.what == what && place.id == from).collect();
        let count = places.len();
        ops.extend(places.into_iter().map(|place| self.renamed(place, to)));
        if member.is_some() && count > 0 {
            work.notes.push(format!("also changed {} to `{from}`", counted(count, "reference")));
        }
        work.round(&ops, true)
    }

    fn rename_member(&self, member: &Member, to: &str) -> Result<Op, Refusal> {
        let item = self.node(&member.path).filter(|_| member.written);
        let no_place = || self.refuse("the message cannot have an id", "write out its `message_created`");
        let item = item.ok_or_else(no_place)?;
        if self.kind == Kind::Compact {
            if let Some(old) = item.as_str() {
                let line = self.line(old, item)?;
                if line.role.text == "tool" {
                    return Err(
                        self.refuse("a tool result has no id in a compact document", "use the full form")
                    );
                }
                let mut map = line.to_map();
                map.put("id", to.into());
                return Ok(Op::Set(member.path.clone(), Value::Object(map)));
            }
            if item.present("tool").is_some() {
                return Err(self.refuse("a tool result has no id in a compact document", "use the full form"));
            }
        }
        Ok(Op::Set(join(&member.path, "id"), to.into()))
    }

    fn renamed(&self, place: &IdReference, to: &str) -> Op {
        match place.form {
            ReferenceForm::Value => Op::Set(place.path.clone(), to.into()),
            ReferenceForm::Key => Op::RenameKey(place.path.clone(), to.to_owned()),
            ReferenceForm::Shorthand => {
                let old = self.node(&place.path).and_then(Node::as_str).unwrap_or_default();
                let new = old.replacen(&format!("#{}", place.id), &format!("#{to}"), 1);
                Op::Set(place.path.clone(), new.into())
            }
        }
    }

    /// Removes references to the messages of `ids`, except inside of `gone`; returns the items of the list
    /// `messages` that are removed.
    fn forget(&self, ids: &[&str], gone: &[Path], ops: &mut Vec<Op>, work: &mut Work<'_>) -> Set<usize> {
        let mut seen = Set::new();
        let mut lost = Set::new();
        let mut counts: Table<&str, usize> = Table::new();
        for place in
            id_references(&self.root, self.kind).iter().filter(|place| place.what == ReferenceKind::Message)
        {
            let Some(id) = ids.iter().find(|id| **id == place.id) else { continue };
            let is_inside = gone.iter().any(|gone| place.path.starts_with(gone));
            if is_inside || !seen.insert(super::op::render_path(&place.whole)) {
                continue;
            }
            match place.whole.as_slice() {
                [Part::Key(list), Part::Index(index)] if list == "messages" => drop(lost.insert(*index)),
                _ => {}
            }
            ops.push(Op::Remove(place.whole.clone()));
            *counts.entry(id).or_default() += 1;
        }
        for id in ids {
            if let Some(count) = counts.get(id) {
                work.notes.push(format!("also removed {} to `{id}`", counted(*count, "reference")));
            }
        }
        if self.kind == Kind::Compact { lost } else { Set::new() }
    }

    /// The items or turns that answer the calls of number `maker`.
    fn answers_of(&self, maker: usize, work: &mut Work<'_>) -> Vec<usize> {
        let found: Vec<usize> =
            self.answers.iter().filter(|(_, other)| **other == maker).map(|(answer, _)| *answer).collect();
        if !found.is_empty() {
            let (results, its) =
                (counted(found.len(), "result"), if found.len() == 1 { "call" } else { "calls" });
            work.notes.push(format!("also removed {results} of its {its}"));
        }
        found
    }

    /// The list that messages are added to.
    fn list(&self) -> Path {
        match self.kind {
            Kind::Compact => vec!["messages".into()],
            _ => vec!["initial_state".into(), "message_store".into()],
        }
    }

    fn count(&self, list: &[Part]) -> usize {
        self.node(list).map_or(0, |list| list.items().len())
    }

    fn add_message(&self, work: &mut Work<'_>, index: usize, message: &Value) -> Result<(), Refusal> {
        let list = self.list();
        let count = self.count(&list);
        let mut message = message.clone();
        if self.kind == Kind::Compact {
            message = item::message_item(message).map_err(|(message, help)| self.refuse(message, help))?;
        } else {
            self.give_id(work, &mut message);
        }
        work.round(&[Op::Insert(list.clone(), index, message)], false)?;
        let order = (0..=count).map(|at| match at.cmp(&index) {
            std::cmp::Ordering::Less => Some(at),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(at - 1),
        });
        self.settle(work, &list, &order.collect::<Vec<_>>())
    }

    /// Sets a free id on an added message, if the others have written ids.
    fn give_id(&self, work: &mut Work<'_>, message: &mut Value) {
        let Value::Object(map) = message else { return };
        let has_id = map.get("id").is_some_and(|id| !id.is_null());
        let is_first = self.members.is_empty() && self.kind == Kind::Full;
        if has_id || !is_first && !self.members.iter().any(|member| member.has_id) {
            return;
        }
        let taken: Set<&str> = self.members.iter().map(|member| member.id.as_str()).collect();
        let position = self.members.len() + 1;
        let id = IdCounter::default().free_at(position, message_id, &|id| taken.contains(id));
        work.notes.push(format!("the message has the id `{id}`"));
        map.shift_remove("id");
        let rest = std::mem::take(map);
        map.put("id", id.into());
        map.extend(rest);
    }

    fn remove_message(&self, work: &mut Work<'_>, member: &Member) -> Result<(), Refusal> {
        if self.kind != Kind::Compact && member.step > 0 {
            let step = member.step;
            if self.turns().get(step - 1).is_some_and(does_more) {
                work.notes.push(format!("removed step {step}, which adds the message"));
            }
            return self.remove_turn(work, step);
        }
        let Some((Part::Index(index), list)) = member.path.split_last() else { return Ok(()) };
        let count = self.count(list);
        let answers = match self.kind {
            Kind::Compact => self.answers_of(*index, work),
            _ => Vec::new(),
        };
        let all: Vec<usize> = [*index].into_iter().chain(answers).collect();
        let paths: Vec<Path> = all.iter().map(|at| join(list, *at)).collect();
        let mut ops: Vec<Op> = paths.iter().cloned().map(Op::Remove).collect();
        let own = self.members.iter().filter(|member| paths.contains(&member.path));
        let ids: Vec<&str> = own.map(|member| member.id.as_str()).collect();
        let mut gone = self.forget(&ids, &paths, &mut ops, work);
        gone.extend(all);
        work.round(&ops, false)?;
        let order: Vec<_> = (0..count).filter(|at| !gone.contains(at)).map(Some).collect();
        self.settle(work, list, &order)
    }

    fn move_message(&self, work: &mut Work<'_>, member: &Member, to: usize) -> Result<(), Refusal> {
        if self.kind != Kind::Compact && member.step > 0 {
            let message = format!("the message `{}` is added by step {}", member.id, member.step);
            return Err(self.refuse(message, "move the turn"));
        }
        let Some((Part::Index(index), list)) = member.path.split_last() else { return Ok(()) };
        work.round(&[Op::Move(list.to_vec(), *index, to)], false)?;
        self.settle(work, list, &moved(self.count(list), *index, to))
    }

    fn check_turns(&self, step: usize, last: usize) -> Result<(), Refusal> {
        if self.kind == Kind::Compact {
            return Err(self.refuse("a compact transcript has no turns", "change its messages"));
        }
        if step == 0 || step > last {
            return Err(Refusal::new("path", self.root.span, format!("there is no step {step}")));
        }
        Ok(())
    }

    /// Whether the turns are numbered one by one.
    fn is_numbered(&self) -> bool {
        let number = |(at, turn): (usize, &Node)| {
            turn.get("turn").and_then(Node::as_i64).is_some_and(|number| i64::try_from(at + 1) == Ok(number))
        };
        !self.turns().is_empty() && self.turns().iter().enumerate().all(number)
    }

    fn add_turn(&self, work: &mut Work<'_>, step: usize, turn: &Value) -> Result<(), Refusal> {
        let count = self.turns().len();
        self.check_turns(step, count + 1)?;
        let mut turn = turn.clone();
        if let Some(message) = turn.get_mut("message_created") {
            self.give_id(work, message);
        }
        if let (Value::Object(map), true) = (&mut turn, self.is_numbered() || count == 0) {
            let rest = std::mem::take(map);
            map.put("turn", step.into());
            map.extend(rest.into_iter().filter(|(key, _)| key != "turn"));
        }
        work.round(&[Op::Insert(vec!["execution".into()], step - 1, turn)], false)?;
        let order = (0..=count).map(|at| match at.cmp(&(step - 1)) {
            std::cmp::Ordering::Less => Some(at),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(at - 1),
        });
        self.settle(work, &execution(), &order.collect::<Vec<_>>())
    }

    fn remove_turn(&self, work: &mut Work<'_>, step: usize) -> Result<(), Refusal> {
        self.check_turns(step, self.turns().len())?;
        let mut gone = vec![step - 1];
        gone.extend(self.answers_of(step - 1, work));
        if let Some(maker) = self.answers.get(&(step - 1)) {
            work.notes.push(format!("the call in step {} has no result now", maker + 1));
        }
        let paths: Vec<Path> = gone.iter().map(|at| vec!["execution".into(), (*at).into()]).collect();
        let mut ops: Vec<Op> = paths.iter().cloned().map(Op::Remove).collect();
        let own = self.members.iter().filter(|member| member.step > 0 && gone.contains(&(member.step - 1)));
        let ids: Vec<&str> = own.map(|member| member.id.as_str()).collect();
        self.forget(&ids, &paths, &mut ops, work);
        work.round(&ops, false)?;
        let order: Vec<_> = (0..self.turns().len()).filter(|at| !gone.contains(at)).map(Some).collect();
        self.settle(work, &execution(), &order)
    }

    fn move_turn(&self, work: &mut Work<'_>, step: usize, to: usize) -> Result<(), Refusal> {
        let count = self.turns().len();
        self.check_turns(step, count)?;
        self.check_turns(to, count)?;
        work.round(&[Op::Move(vec!["execution".into()], step - 1, to - 1)], false)?;
        let order = moved(count, step - 1, to - 1);
        // Moving a call does not change what its model was sent.
        match self.turns().get(step - 1).is_some_and(does_more) {
            true => self.renumber(work, &execution(), &order),
            false => self.settle(work, &execution(), &order),
        }
    }

    /// After `list` has changed: updates what the document repeats about its run. `order` has each item's
    /// former number in the list.
    fn settle(&self, work: &mut Work<'_>, list: &[Part], order: &[Option<usize>]) -> Result<(), Refusal> {
        self.renumber(work, list, order)?;
        match self.kind {
            Kind::Compact => Ok(()),
            _ if *list == *execution() => self.agreement.carry(work, order),
            _ => self.carry(work),
        }
    }

    /// Updates what the document repeats about its run after a change that leaves the turns in their
    /// places.
    pub(super) fn carry(&self, work: &mut Work<'_>) -> Result<(), Refusal> {
        self.agreement.carry(work, &(0..self.turns().len()).map(Some).collect::<Vec<_>>())
    }

    /// After `list` has changed: numbers the turns again, and updates references to messages and calls
    /// with ids that come from their position.
    fn renumber(&self, work: &mut Work<'_>, list: &[Part], order: &[Option<usize>]) -> Result<(), Refusal> {
        let now = Run::new(work)?;
        let mut ops = Vec::new();
        if *list == *execution() && self.is_numbered() {
            for (at, turn) in now.turns().iter().enumerate() {
                let number = turn.get("turn").and_then(Node::as_i64);
                if number.is_some() && number != i64::try_from(at + 1).ok() {
                    ops.push(Op::Set(vec!["execution".into(), at.into(), "turn".into()], (at + 1).into()));
                }
            }
            if !ops.is_empty() {
                work.notes.push(format!("also renumbered {}", counted(ops.len(), "turn")));
            }
        }
        let place = |member| {
            let (list, index) = place_of(member);
            (super::op::render_path(list), index)
        };
        let before: Table<_, _> = self.members.iter().map(|member| (place(member), member)).collect();
        let mut ids: Table<(bool, &str), String> = Table::new();
        for member in &now.members {
            let (own, index) = place_of(member);
            let index = if own == list { order.get(index).copied().flatten() } else { Some(index) };
            let old = index.and_then(|index| before.get(&(super::op::render_path(own), index)));
            if let Some(old) = old.filter(|old| old.id != member.id) {
                ids.insert((true, &old.id), member.id.clone());
            }
        }
        let call_ids = self.moved_calls(&now, order);
        ids.extend(call_ids.iter().map(|(old, new)| ((false, old.as_str()), new.clone())));
        let places = id_references(&now.root, now.kind);
        let mut count = 0;
        for place in &places {
            let key = (place.what == ReferenceKind::Message, place.id.as_str());
            if let Some(new) = ids.get(&key).filter(|_| !ids.is_empty()) {
                ops.push(now.renamed(place, new));
                count += 1;
            }
        }
        if count > 0 {
            work.notes.push(format!(
                "also changed {} to messages and calls with counted ids",
                counted(count, "reference")
            ));
        }
        work.round(&ops, true)
    }

    /// The ids of the calls of a compact document before and after.
    fn moved_calls(&self, now: &Run, order: &[Option<usize>]) -> Vec<(String, String)> {
        let mut first = Table::new();
        let mut total = 0;
        for (index, count) in &self.calls {
            first.insert(*index, total);
            total += count;
        }
        let mut moved = Vec::new();
        let mut at = 0;
        for (index, count) in &now.calls {
            let old = order.get(*index).copied().flatten().and_then(|old| first.get(&old));
            for number in 0..*count {
                if let Some(old) = old.filter(|old| **old != at) {
                    moved.push((call_id(old + number + 1), call_id(at + number + 1)));
                }
            }
            at += count;
        }
        moved
    }

    fn set_assertion(&self, work: &mut Work<'_>, index: usize, value: Option<&Value>) -> Result<(), Refusal> {
        let path: Path = match self.kind {
            Kind::Compact => vec!["assertions".into()],
            _ => vec!["final_state".into(), "assertions".into()],
        };
        let count = self.node(&path).map_or(0, |list| list.items().len());
        let op = match value {
            Some(value) if index >= count => Op::Insert(path, count, value.clone()),
            Some(value) => Op::Set(join(&path, index), value.clone()),
            None => Op::Remove(join(&path, index)),
        };
        work.round(&[op], false)
    }
}

/// `1 turn`, `2 turns`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// For each tool turn, the turn with its call: by the id or, without one, the oldest open call of the tool.
fn results(turns: &[Node]) -> Table<usize, usize> {
    let mut open: Vec<(Option<String>, Option<&str>, usize)> = Vec::new();
    let mut answers = Table::new();
    for (index, turn) in turns.iter().enumerate() {
        if let Some(tool) = turn.present("tool_call") {
            let id = tool.present("id").and_then(id_of);
            let name = tool.get("tool_name").and_then(Node::as_str);
            let is_own = |call: &(Option<String>, Option<&str>, usize)| match &id {
                Some(_) => call.0 == id,
                None => call.1 == name,
            };
            if let Some(at) = open.iter().position(is_own) {
                answers.insert(index, open.remove(at).2);
            }
        }
        let made = turn.present("llm_response").or_else(|| turn.get("message_created"));
        for call in items(made.and_then(|made| made.get("tool_calls"))) {
            let name = call.get("function").unwrap_or(call).get("name").and_then(Node::as_str);
            open.push((call.present("id").and_then(id_of), name, index));
        }
    }
    answers
}

/// The path of the turns.
fn execution() -> Path {
    vec!["execution".into()]
}

/// Whether a turn does more than to make a message.
fn does_more(turn: &Node) -> bool {
    ["llm_response", "llm_error", "tool_call"].iter().any(|key| turn.present(key).is_some())
}

/// The list that a message is made in, and its number there.
fn place_of(member: &Member) -> (&[Part], usize) {
    let is_index = |part: &Part| matches!(part, Part::Index(_));
    let at = member.path.iter().position(is_index).unwrap_or_default();
    let index = if let Some(Part::Index(index)) = member.path.get(at) { *index } else { 0 };
    (member.path.get(..at).unwrap_or_default(), index)
}

/// For each item after a move its number before.
fn moved(count: usize, from: usize, to: usize) -> Vec<Option<usize>> {
    let mut order: Vec<_> = (0..count).map(Some).collect();
    if from < count && to < count {
        let item = order.remove(from);
        order.insert(to, item);
    }
    order
}
