//! Puts facts that were reported late or early in order: what a call was sent was stored before it, and what
//! it made after it, whenever the host reported them.

use super::{Fact, FactKind, calls};
use crate::text::{Set, Table};

/// A fact with its place among those of all runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderedFact<'f> {
    pub fact: &'f Fact,
    /// Twice its number; one less or more for a message that belongs right before or after a call.
    pub seq: u64,
}

/// The place of a fact with this number.
pub(super) fn order_key(seq: u64) -> u64 {
    seq.saturating_mul(2)
}

/// The model calls of a run by id, in any position.
pub(super) fn model_calls<'f>(facts: &[&'f Fact]) -> Table<&'f str, &'f Fact> {
    let calls = facts.iter().filter(|fact| fact.kind == FactKind::ModelCalled);
    calls.map(|fact| (fact.text("call"), *fact)).collect()
}

/// The message that an item of `messages` names.
pub(super) fn message_ref(item: &serde_json::Value) -> Option<&str> {
    item.as_str().or_else(|| item.get("ref")?.as_str()).or_else(|| item.get("id")?.as_str())
}

/// The facts of a run in their logical order. A message that a call was sent and that was appended later
/// comes right before the first fact of the call; a message marked as made by a call, after the call; and the
/// answer of a tool, after the message that calls it.
pub(super) fn in_order<'f>(facts: &[&'f Fact], made: &Table<&'f str, &'f Fact>) -> Vec<OrderedFact<'f>> {
    let mut order = Order {
        ties: Ties::new(facts),
        made,
        out: Vec::with_capacity(facts.len()),
        stored: Set::new(),
        begun: Set::new(),
        for_call: Table::new(),
        for_message: Table::new(),
    };
    for fact in facts {
        let seq = order_key(fact.seq.unwrap_or_default());
        match fact.kind {
            FactKind::MessageAppended => order.message(fact, seq),
            FactKind::ModelCalled | FactKind::ModelResponded | FactKind::ModelFailed | FactKind::Chunk => {
                let call = fact.text("call");
                match made.get(call).filter(|_| order.begun.insert(call)) {
                    Some(called) => order.call(fact, called, seq),
                    None => order.out.push(OrderedFact { fact, seq }),
                }
            }
            _ => order.out.push(OrderedFact { fact, seq }),
        }
    }
    order.out
}

/// The origin of each message of a run, according to its facts.
#[derive(Default)]
struct Ties<'f> {
    messages: Table<&'f str, &'f Fact>,
    /// By message: the call that made it.
    maker: Table<&'f str, &'f str>,
    /// By tool call: the message that makes it.
    declarer: Table<&'f str, &'f str>,
}

impl<'f> Ties<'f> {
    fn new(facts: &[&'f Fact]) -> Self {
        let mut ties = Self::default();
        let mut made_by: Table<&'f str, &'f str> = Table::new();
        for fact in facts {
            let (message, call) = match fact.kind {
                FactKind::MessageAppended => {
                    ties.messages.insert(fact.text("id"), fact);
                    (fact.text("id"), fact.text("call"))
                }
                FactKind::ModelResponded => (fact.text("message"), fact.text("call")),
                _ => continue,
            };
            if !message.is_empty() && !call.is_empty() {
                ties.maker.insert(message, call);
                made_by.insert(call, message);
            }
        }
        for fact in facts {
            let by = match fact.kind {
                FactKind::MessageAppended => Some(fact.text("id")),
                FactKind::ModelResponded => made_by.get(fact.text("call")).copied(),
                _ => None,
            };
            let Some(by) = by else { continue };
            for id in fact.list("tool_calls").iter().filter_map(calls::id) {
                ties.declarer.entry(id).or_insert(by);
            }
        }
        ties
    }
}

/// The order while it is made.
struct Order<'o, 'f> {
    ties: Ties<'f>,
    made: &'o Table<&'f str, &'f Fact>,
    out: Vec<OrderedFact<'f>>,
    stored: Set<&'f str>,
    begun: Set<&'f str>,
    /// Messages that wait for the call that made them.
    for_call: Table<&'f str, Vec<&'f Fact>>,
    /// Answers of tools that wait for the message with the call.
    for_message: Table<&'f str, Vec<&'f Fact>>,
}

impl<'f> Order<'_, 'f> {
    fn message(&mut self, fact: &'f Fact, seq: u64) {
        let id = fact.text("id");
        if self.stored.contains(id) {
            return;
        }
        let maker = self.ties.maker.get(id).copied();
        if let Some(call) = maker.filter(|call| self.made.contains_key(call) && !self.begun.contains(call)) {
            self.for_call.entry(call).or_default().push(fact);
        } else if let Some(by) = self.declarer(fact) {
            self.for_message.entry(by).or_default().push(fact);
        } else {
            self.store(fact, seq);
        }
    }

    /// The message with the call that this one answers, if it is not in the store yet.
    fn declarer(&self, fact: &Fact) -> Option<&'f str> {
        let by =
            *self.ties.declarer.get(fact.text("tool_call_id")).filter(|_| fact.text("role") == "tool")?;
        let message = self.ties.messages.get(by)?;
        (message.text("role") != "tool" && !self.stored.contains(by)).then_some(by)
    }

    fn store(&mut self, fact: &'f Fact, seq: u64) {
        if !self.stored.insert(fact.text("id")) {
            return;
        }
        self.out.push(OrderedFact { fact, seq });
        // An answer that waits for it has the role `tool`, and nothing waits for that.
        for answer in self.for_message.remove(fact.text("id")).unwrap_or_default() {
            if self.stored.insert(answer.text("id")) {
                self.out.push(OrderedFact { fact: answer, seq });
            }
        }
    }

    /// The first fact of a call, with the messages right before and after it.
    fn call(&mut self, fact: &'f Fact, called: &'f Fact, seq: u64) {
        let call = called.text("call");
        for item in called.list("messages") {
            let Some(&sent) = message_ref(item).and_then(|id| self.ties.messages.get(id)) else { continue };
            // The messages that a call makes, and those of calls not yet made, were not sent to it.
            let maker = self.ties.maker.get(sent.text("id"));
            let is_made = maker.is_none_or(|by| *by != call && self.begun.contains(by));
            if is_made && self.declarer(sent).is_none() {
                self.store(sent, seq.saturating_sub(1));
            }
        }
        self.out.push(OrderedFact { fact, seq });
        for message in self.for_call.remove(call).unwrap_or_default() {
            self.store(message, seq + 1);
        }
    }
}
