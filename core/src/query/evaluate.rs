//! Working an expression out.

use super::QueryError;
use super::ast::{Comparator, Kind, Node, Slice};
use super::functions;
use super::item::{Item, Work, compare};

/// The value of `node` over `item`.
pub(super) fn evaluate<'d>(
    node: &'d Node,
    item: &Item<'d>,
    work: &mut Work<'_>,
) -> Result<Item<'d>, QueryError> {
    work.steps(1)?;
    Ok(match &node.kind {
        Kind::Current => item.clone(),
        Kind::Field(name, _) => work.field(item, name)?.unwrap_or(Item::Null),
        Kind::Literal(value) => Item::from(value),
        Kind::Then(one, two) => {
            let value = evaluate(one, item, work)?;
            evaluate(two, &value, work)?
        }
        Kind::Index(one, index) => {
            let list = evaluate(one, item, work)?;
            let count = list.count().unwrap_or(0);
            let index = if *index < 0 { index.checked_add_unsigned(count as u64) } else { Some(*index) };
            index.and_then(|index| usize::try_from(index).ok()).map_or(Item::Null, |index| list.at(index))
        }
        Kind::Slice(one, slice) => {
            let list = evaluate(one, item, work)?;
            sliced(&list, *slice, work)?
        }
        Kind::Flatten(one) => {
            let list = evaluate(one, item, work)?;
            flattened(&list, work)?
        }
        Kind::Each(one, two) => {
            let list = evaluate(one, item, work)?;
            let Some(count) = list.count() else { return Ok(Item::Null) };
            if two.is_current() && matches!(list, Item::MadeList(_)) {
                work.steps(count / 8)?;
                if !has_null(&list, count) {
                    return Ok(list);
                }
            }
            map_each((0..count).map(|at| list.at(at)), two, work)?
        }
        Kind::EachValue(one, two) => {
            let map = evaluate(one, item, work)?;
            let Some(count) = map.entries() else { return Ok(Item::Null) };
            let mut values = Vec::with_capacity(count);
            map.each_entry(|_, value| {
                values.push(value);
                Ok(())
            })?;
            map_each(values.into_iter(), two, work)?
        }
        Kind::Filter(one, condition, two) => {
            let list = evaluate(one, item, work)?;
            let Some(count) = list.count() else { return Ok(Item::Null) };
            let mut chosen = Vec::new();
            for at in 0..count {
                let item = list.at(at);
                if evaluate(condition, &item, work)?.is_true() {
                    chosen.push(item);
                }
            }
            map_each(chosen.into_iter(), two, work)?
        }
        Kind::Or(one, two) => {
            let value = evaluate(one, item, work)?;
            if value.is_true() { value } else { evaluate(two, item, work)? }
        }
        Kind::And(one, two) => {
            let value = evaluate(one, item, work)?;
            if value.is_true() { evaluate(two, item, work)? } else { value }
        }
        Kind::Not(one) => Item::Bool(!evaluate(one, item, work)?.is_true()),
        Kind::Compare(comparator, one, two) => {
            let one = evaluate(one, item, work)?;
            let two = evaluate(two, item, work)?;
            compared(*comparator, &one, &two, work)?
        }
        Kind::List(_) | Kind::Map(_) if matches!(item, Item::Null) => Item::Null,
        Kind::List(nodes) => {
            let items: Result<Vec<_>, _> = nodes.iter().map(|node| evaluate(node, item, work)).collect();
            work.list(items?)?
        }
        Kind::Map(nodes) => {
            let mut entries = Vec::with_capacity(nodes.len());
            for (key, node) in nodes {
                entries.push((key.as_str(), evaluate(node, item, work)?));
            }
            work.map(entries)?
        }
        Kind::Call(function, at, arguments) => functions::call(function, at, arguments, item, work)?,
    })
}

fn has_null(list: &Item<'_>, count: usize) -> bool {
    (0..count).any(|at| matches!(list.at(at), Item::Null))
}

/// Evaluates `node` for each item and leaves out nulls.
fn map_each<'d>(
    items: impl Iterator<Item = Item<'d>>,
    node: &'d Node,
    work: &mut Work<'_>,
) -> Result<Item<'d>, QueryError> {
    let mut found = Vec::new();
    for item in items {
        match evaluate(node, &item, work)? {
            Item::Null => {}
            value => found.push(value),
        }
    }
    work.list(found)
}

fn compared<'d>(
    comparator: Comparator,
    one: &Item<'_>,
    two: &Item<'_>,
    work: &mut Work<'_>,
) -> Result<Item<'d>, QueryError> {
    let holds = match comparator {
        Comparator::Equal => work.same(one, two)?,
        Comparator::Unequal => !work.same(one, two)?,
        _ => {
            // Only numbers have an order.
            let (Item::Number(one), Item::Number(two)) = (one, two) else { return Ok(Item::Null) };
            let order = compare(one, two);
            match comparator {
                Comparator::Less => order.is_lt(),
                Comparator::AtMost => order.is_le(),
                Comparator::Greater => order.is_gt(),
                _ => order.is_ge(),
            }
        }
    };
    Ok(Item::Bool(holds))
}

/// The items of a list, with inner lists flattened.
fn flattened<'d>(list: &Item<'d>, work: &mut Work<'_>) -> Result<Item<'d>, QueryError> {
    let Some(count) = list.count() else { return Ok(Item::Null) };
    let mut flat = Vec::new();
    for at in 0..count {
        let item = list.at(at);
        match item.count() {
            Some(inner) => {
                work.steps(inner)?;
                flat.extend((0..inner).map(|at| item.at(at)));
            }
            None => {
                work.steps(1)?;
                flat.push(item);
            }
        }
    }
    work.list(flat)
}

/// As Python slices.
fn sliced<'d>(list: &Item<'d>, slice: Slice, work: &mut Work<'_>) -> Result<Item<'d>, QueryError> {
    let Some(count) = list.count() else { return Ok(Item::Null) };
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let forward = slice.step > 0;
    let (lowest, highest) = if forward { (0, count) } else { (-1, count - 1) };
    let place = |end: Option<i64>, default: i64| match end {
        None => default,
        Some(end) if end < 0 => end.saturating_add(count).clamp(lowest, highest),
        Some(end) => end.clamp(lowest, highest),
    };
    let (mut at, stop) = if forward {
        (place(slice.start, 0), place(slice.stop, count))
    } else {
        (place(slice.start, count - 1), place(slice.stop, -1))
    };
    let mut found = Vec::new();
    while if forward { at < stop } else { at > stop } {
        work.steps(1)?;
        found.push(list.at(usize::try_from(at).unwrap_or(0)));
        at = at.saturating_add(slice.step);
    }
    work.list(found)
}
