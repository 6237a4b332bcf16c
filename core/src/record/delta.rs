//! Message lists as deltas: a list omits what it shares with the start of the previous one, so that memory
//! and journal grow with what is new. A list twice as long as the last full one is written in full, so that a
//! lost journal line costs no more than what preceded it.

use serde_json::{Map, Value};

use super::{Fact, FactKind};
use crate::canonical::KnownMessages;
use crate::text::JsonMap;

/// The fewest messages that are left out: short lists are easier to read whole.
pub(super) const LEAST: usize = 32;

/// The last list of a run.
#[derive(Clone, Debug)]
pub(super) struct PreviousList {
    call: String,
    list: KnownMessages<Value>,
    /// How long the last list was that was written whole.
    whole: usize,
}

/// The call that a list begins like, and how many of its messages it shares.
pub(super) fn base_of(fact: &Fact) -> Option<(&str, usize)> {
    let after = fact.get("after")?;
    let count = after.get("messages")?.as_u64()?;
    Some((after.get("call")?.as_str()?, usize::try_from(count).ok()?))
}

/// Whether the fact contains the messages of the request.
pub(super) fn has_messages(fact: &Fact) -> bool {
    fact.get("messages").is_some() || fact.get("after").is_some()
}

/// Omits the part of a list that the last one has already, or keeps it in full if that is due. A shortened
/// fact is unchanged.
pub(super) fn shorten(fact: &mut Fact, last: Option<&PreviousList>) {
    let Some(last) = last.filter(|_| fact.kind == FactKind::ModelCalled) else { return };
    match base_of(fact) {
        Some((call, count)) if call == last.call => {
            let total = count.saturating_add(fact.list("messages").len());
            let Some(first) =
                last.list.as_slice().get(..count).filter(|_| total >= last.whole.saturating_mul(2))
            else {
                return;
            };
            let whole: Vec<Value> = first.iter().chain(fact.list("messages")).cloned().collect();
            fact.data.shift_remove("after");
            fact.data.put("messages", Value::Array(whole));
        }
        Some(_) => {}
        None => {
            let list = fact.list("messages");
            let same = last.list.count_known(list);
            if same < LEAST || list.len() >= last.whole.saturating_mul(2) {
                return;
            }
            let tail: Vec<Value> = list.iter().skip(same).cloned().collect();
            let mut after = Map::new();
            after.put("call", last.call.as_str().into());
            after.put("messages", same.into());
            fact.data.put("after", Value::Object(after));
            fact.data.put("messages", Value::Array(tail));
        }
    }
}

/// Notes the list of an accepted fact.
pub(super) fn remember(fact: &Fact, last: &mut Option<PreviousList>) {
    let call = fact.text("call").to_owned();
    let own = fact.list("messages");
    match (base_of(fact), last.as_mut()) {
        (None, _) if fact.get("messages").is_some() => {
            let mut list = KnownMessages::default();
            list.replace_from(0, own.iter().cloned());
            *last = Some(PreviousList { call, list, whole: own.len() });
        }
        (None, _) if fact.get("after").is_none() => {}
        (Some((of, count)), Some(last)) if of == last.call && count <= last.list.as_slice().len() => {
            last.list.replace_from(count, own.iter().cloned());
            last.call = call;
        }
        // Its base is unknown: the next is written in full.
        _ => *last = None,
    }
}

/// The whole list of a call; `of` finds a fact by its id. `None` if it is unknown: the call has no list, or
/// begins like an unknown one.
pub(super) fn resolve_messages<'f>(
    fact: &'f Fact,
    of: impl Fn(&str) -> Option<&'f Fact>,
) -> Option<Vec<&'f Value>> {
    let mut parts: Vec<&'f [Value]> = Vec::new();
    let mut wanted: Option<usize> = None;
    let mut fact = fact;
    loop {
        let own = fact.list("messages");
        let begin = base_of(fact);
        let before = begin.map_or(0, |(_, count)| count);
        let own = match wanted {
            None => own,
            Some(wanted) if wanted > before.saturating_add(own.len()) => return None,
            Some(wanted) => own.get(..wanted.saturating_sub(before)).unwrap_or_default(),
        };
        parts.push(own);
        let Some((call, count)) = begin else {
            fact.get("messages").filter(|_| fact.get("after").is_none())?;
            break;
        };
        wanted = Some(wanted.map_or(count, |wanted| wanted.min(count)));
        // A call refers to an earlier one, so the loop ends.
        fact = of(call).filter(|found| found.seq < fact.seq)?;
    }
    Some(parts.into_iter().rev().flatten().collect())
}
