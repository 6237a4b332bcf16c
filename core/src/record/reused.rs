//! Ids that a server reuses in each turn, as some local ones do: each use gets an id of its own in all facts
//! about it.

use crate::text::{JsonMap, Set, Table};
use serde_json::Value;

use super::{Fact, FactKind, calls};

/// The ids of the calls of one run, with the uses of each.
#[derive(Clone, Debug, Default)]
pub(super) struct ReusedCallIds {
    uses: Table<String, Vec<Use>>,
    /// The ids of several calls, and the replacements for later ones, in order.
    pub renamed: Vec<(String, String)>,
}

/// One call with an id.
#[derive(Clone, Debug, Default)]
struct Use {
    written: String,
    /// The model calls that may have made it: one that answered, or those open when a message had it.
    by: Set<String>,
    has_message: bool,
    /// Whether its result came: only then may the id refer to another call.
    is_done: bool,
}

impl ReusedCallIds {
    /// The id that a host's means now, where it is another.
    pub(super) fn current_id(&self, host: &str) -> Option<&str> {
        self.uses.get(host)?.last().map(|of| of.written.as_str()).filter(|written| *written != host)
    }

    /// Notes the calls of a fact, and returns the fact with their new ids; `None` without new ones. `open`
    /// are the unfinished model calls, `is_taken` returns whether another call has an id.
    pub(super) fn renamed(
        &mut self,
        fact: &Fact,
        open: &Set<String>,
        is_taken: impl Fn(&str) -> bool,
    ) -> Option<Fact> {
        if matches!(fact.kind, FactKind::ModelResponded | FactKind::MessageAppended) {
            for id in fact.list("tool_calls").iter().filter_map(calls::id).filter(|id| !id.is_empty()) {
                self.declare(id, fact, open, &is_taken);
            }
        }
        let answered = match fact.kind {
            FactKind::ToolReturned | FactKind::ToolFailed => fact.text("id"),
            FactKind::MessageAppended if fact.text("role") == "tool" => fact.text("tool_call_id"),
            _ => "",
        };
        if let Some(of) = self.uses.get_mut(answered).and_then(|uses| uses.last_mut()) {
            of.is_done = true;
        }
        if self.renamed.is_empty() {
            return None;
        }
        let mut out = fact.clone();
        match fact.kind {
            FactKind::ModelCalled => {
                let list = out.data.get_mut("messages").and_then(Value::as_array_mut);
                self.rename_list(list.map(Vec::as_mut_slice).unwrap_or_default());
            }
            FactKind::ModelResponded | FactKind::MessageAppended => {
                let now = |id: &str| self.current_id(id).map(str::to_owned);
                out.data.get_mut("tool_calls").into_iter().for_each(|list| rename_calls(list, now));
                self.rename_key(&mut out, "tool_call_id");
            }
            FactKind::ToolCalled
            | FactKind::ToolReturned
            | FactKind::ToolFailed
            | FactKind::ToolMessageCreated => {
                self.rename_key(&mut out, "id");
            }
            FactKind::ContextChanged | FactKind::VisibilityChanged => self.rename_key(&mut out, "during"),
            _ => {}
        }
        (out != *fact).then_some(out)
    }

    /// A call with this id: the known one, or a new one once that has its result.
    fn declare(&mut self, id: &str, fact: &Fact, open: &Set<String>, is_taken: impl Fn(&str) -> bool) {
        let call = fact.text("call");
        let is_message = fact.kind == FactKind::MessageAppended;
        let uses = self.uses.entry(id.to_owned()).or_default();
        if let Some(last) = uses.last_mut() {
            // A call that comes twice, in its answer and in its message, is one use.
            let is_same =
                if is_message && call.is_empty() { !last.has_message } else { last.by.contains(call) };
            if !last.is_done || is_same {
                last.has_message |= is_message;
                return;
            }
        }
        let mut written = id.to_owned();
        let mut number = uses.len();
        while number > 0 && (written == id || is_taken(&written)) {
            number += 1;
            written = format!("{id}_{number}");
        }
        if written != id {
            self.renamed.push((id.to_owned(), written.clone()));
        }
        let by = if call.is_empty() { open.clone() } else { Set::from_iter([call.to_owned()]) };
        uses.push(Use { written, by, has_message: is_message, is_done: false });
    }

    fn rename_key(&self, fact: &mut Fact, key: &str) {
        if let Some(now) = self.current_id(fact.text(key)).map(Value::from) {
            fact.data.put(key, now);
        }
    }

    /// Renames in whole messages: the last message with a call of an id makes the last call with it. A
    /// history may lack its beginning, but rarely its end.
    fn rename_list(&self, list: &mut [Value]) {
        let mut later: Table<String, usize> = Table::new();
        for message in list.iter_mut().rev() {
            let at = |id: &str| {
                let uses = self.uses.get(id)?;
                let last = uses.len().checked_sub(1)?;
                let passed = later.get(id).copied().unwrap_or_default();
                uses.get(last.saturating_sub(passed)).map(|of| of.written.clone())
            };
            let Some(entries) = message.as_object_mut() else { continue };
            if let Some(Value::String(id)) = entries.get_mut("tool_call_id")
                && let Some(written) = at(id)
            {
                *id = written;
            }
            if let Some(list) = entries.get_mut("tool_calls") {
                let made = list.as_array().into_iter().flatten().filter_map(calls::id).map(str::to_owned);
                let made: Set<String> = made.collect();
                rename_calls(list, at);
                made.into_iter().for_each(|id| *later.entry(id).or_default() += 1);
            }
        }
    }
}

fn rename_calls(list: &mut Value, to: impl Fn(&str) -> Option<String>) {
    for call in list.as_array_mut().into_iter().flatten() {
        let written = calls::id(call).and_then(&to);
        if let (Some(written), Some(id)) = (written, calls::id_mut(call)) {
            *id = written.into();
        }
    }
}
