//! The functions of JMESPath.

use crate::text::Table;
use std::cmp::Ordering;
use std::ops::Range;

use serde_json::Value;

use super::QueryError;
use super::ast::{Argument, Node};
use super::evaluate::evaluate;
use super::item::{Item, Work, compare, float, number, unsigned_zero, whole};
use super::read::fault;

/// A function.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) least: usize,
    pub(super) most: usize,
    /// The argument that is an expression with `&`, counted from 0.
    pub(super) by: Option<usize>,
    pub(super) usage: &'static str,
}

const fn function(name: &'static str, least: usize, usage: &'static str) -> Function {
    Function { name, least, most: least, by: None, usage }
}

const fn by(name: &'static str, by: usize, usage: &'static str) -> Function {
    Function { name, least: 2, most: 2, by: Some(by), usage }
}

const fn many(name: &'static str, usage: &'static str) -> Function {
    Function { name, least: 1, most: usize::MAX, by: None, usage }
}

pub(super) static FUNCTIONS: [Function; 26] = [
    function("abs", 1, "abs(number)"),
    function("avg", 1, "avg(numbers)"),
    function("ceil", 1, "ceil(number)"),
    function("contains", 2, "contains(list_or_text, value)"),
    function("ends_with", 2, "ends_with(text, end)"),
    function("floor", 1, "floor(number)"),
    function("join", 2, "join(between, texts)"),
    function("keys", 1, "keys(object)"),
    function("length", 1, "length(value)"),
    by("map", 0, "map(&expression, list)"),
    function("max", 1, "max(list)"),
    by("max_by", 1, "max_by(list, &expression)"),
    many("merge", "merge(object, object)"),
    function("min", 1, "min(list)"),
    by("min_by", 1, "min_by(list, &expression)"),
    many("not_null", "not_null(value, value)"),
    function("reverse", 1, "reverse(list_or_text)"),
    function("sort", 1, "sort(list)"),
    by("sort_by", 1, "sort_by(list, &expression)"),
    function("starts_with", 2, "starts_with(text, begin)"),
    function("sum", 1, "sum(numbers)"),
    function("to_array", 1, "to_array(value)"),
    function("to_number", 1, "to_number(value)"),
    function("to_string", 1, "to_string(value)"),
    function("type", 1, "type(value)"),
    function("values", 1, "values(object)"),
];

/// The arguments of a function call.
struct CallArguments<'g, 'd> {
    name: &'static str,
    items: Vec<Item<'d>>,
    arguments: &'g [Argument],
    at: &'g Range<usize>,
}

impl<'d> CallArguments<'_, 'd> {
    fn item(&self, index: usize) -> &Item<'d> {
        self.items.get(index).unwrap_or(&Item::Null)
    }

    /// The error for an argument of a wrong type.
    fn wrong(&self, index: usize, wanted: &str) -> QueryError {
        let at = self.arguments.get(index).map_or(self.at, |argument| &argument.at).clone();
        let kind = self.item(index).kind();
        let message = format!("`{}`: expected {wanted}, found {}", self.name, named(kind));
        let help = match kind {
            "null" => "the value does not exist; use `not_null(value, default)` for a default",
            _ => "",
        };
        fault(at, message, help)
    }

    fn text(&self, index: usize, wanted: &str) -> Result<&str, QueryError> {
        self.item(index).text().ok_or_else(|| self.wrong(index, wanted))
    }

    fn count(&self, index: usize) -> Result<usize, QueryError> {
        self.item(index).count().ok_or_else(|| self.wrong(index, "an array"))
    }

    fn entries(&self, index: usize) -> Result<usize, QueryError> {
        self.item(index).entries().ok_or_else(|| self.wrong(index, "an object"))
    }

    /// The error for a list with values of a wrong type.
    fn mixed(&self, index: usize, wanted: &str, kind: &str) -> QueryError {
        let at = self.arguments.get(index).map_or(self.at, |argument| &argument.at).clone();
        fault(at, format!("`{}`: expected {wanted}, found an array with {}", self.name, named(kind)), "")
    }
}

fn named(kind: &str) -> &'static str {
    match kind {
        "null" => "null",
        "boolean" => "a boolean",
        "number" => "a number",
        "string" => "a string",
        "array" => "an array",
        _ => "an object",
    }
}

/// The value of a function over `item`.
pub(super) fn call<'d>(
    function: &'static Function,
    at: &'d Range<usize>,
    arguments: &'d [Argument],
    item: &Item<'d>,
    work: &mut Work<'_>,
) -> Result<Item<'d>, QueryError> {
    let mut items = Vec::with_capacity(arguments.len());
    for (index, argument) in arguments.iter().enumerate() {
        let is_reference = function.by == Some(index);
        items.push(if is_reference { Item::Null } else { evaluate(&argument.node, item, work)? });
    }
    let call = CallArguments { name: function.name, items, arguments, at };
    match (function.by, function.by.and_then(|by| arguments.get(by))) {
        (Some(by), Some(reference)) => with_reference(&call, 1 - by.min(1), &reference.node, work),
        _ => plain(&call, work),
    }
}

fn plain<'d>(call: &CallArguments<'_, 'd>, work: &mut Work<'_>) -> Result<Item<'d>, QueryError> {
    let first = call.item(0);
    Ok(match call.name {
        "abs" | "ceil" | "floor" => {
            let Item::Number(value) = first else { return Err(call.wrong(0, "a number")) };
            match value.as_i128() {
                Some(value) => whole(if call.name == "abs" { value.abs() } else { value }),
                None => number(match call.name {
                    "abs" => float(value).abs(),
                    "ceil" => float(value).ceil(),
                    _ => float(value).floor(),
                }),
            }
        }
        "avg" | "sum" => added(call, work)?,
        "contains" => contains(call, work)?,
        "ends_with" | "starts_with" => {
            let (text, part) = (call.text(0, "a string")?, call.text(1, "a string")?);
            work.reading(part.len())?;
            let is_end = call.name == "ends_with";
            Item::Bool(if is_end { text.ends_with(part) } else { text.starts_with(part) })
        }
        "join" => joined(call, work)?,
        "keys" => {
            work.steps(call.entries(0)?)?;
            let mut keys = Vec::new();
            first.each_entry(|key, _| {
                keys.push(Item::Text(key));
                Ok(())
            })?;
            work.list(keys)?
        }
        "values" => {
            work.steps(call.entries(0)?)?;
            let mut values = Vec::new();
            first.each_entry(|_, value| {
                values.push(value);
                Ok(())
            })?;
            work.list(values)?
        }
        "length" => {
            let length = match first.text() {
                Some(text) => {
                    work.reading(text.len())?;
                    Some(text.chars().count())
                }
                None => first.count().or_else(|| first.entries()),
            };
            Item::Number(length.ok_or_else(|| call.wrong(0, "a string, an array or an object"))?.into())
        }
        "max" | "min" => {
            let keys = list_of(call, 0)?;
            extreme(call, 0, &keys, call.name == "max", work)?.map_or(Item::Null, |at| first.at(at))
        }
        "merge" => merged(call, work)?,
        "not_null" => {
            let value = call.items.iter().find(|item| !matches!(item, Item::Null));
            value.cloned().unwrap_or(Item::Null)
        }
        "reverse" => match first.text() {
            Some(text) => work.text(text.chars().rev().collect())?,
            None => {
                let count = first.count().ok_or_else(|| call.wrong(0, "a string or an array"))?;
                work.steps(count)?;
                work.list((0..count).rev().map(|at| first.at(at)).collect())?
            }
        },
        "sort" => {
            let keys = list_of(call, 0)?;
            let order = sorted(call, 0, &keys, work)?;
            work.list(order.into_iter().map(|at| first.at(at)).collect())?
        }
        "to_array" => match first.count() {
            Some(_) => first.clone(),
            None => work.list(vec![first.clone()])?,
        },
        "to_number" => match (first, first.text()) {
            (Item::Number(_), _) => first.clone(),
            (_, Some(text)) => {
                work.reading(text.len())?;
                to_number(text)
            }
            _ => Item::Null,
        },
        "to_string" => match first.text() {
            Some(_) => first.clone(),
            None => {
                let text = work.value(first)?.to_string();
                work.text(text)?
            }
        },
        _ => Item::Text(first.kind()),
    })
}

/// The functions with an expression; the list is at `index`.
fn with_reference<'d>(
    call: &CallArguments<'_, 'd>,
    index: usize,
    reference: &'d Node,
    work: &mut Work<'_>,
) -> Result<Item<'d>, QueryError> {
    let count = call.count(index)?;
    let list = call.item(index);
    let mut keys = Vec::with_capacity(count);
    for at in 0..count {
        keys.push(evaluate(reference, &list.at(at), work)?);
    }
    match call.name {
        "map" => work.list(keys),
        "sort_by" => {
            let order = sorted(call, 1, &keys, work)?;
            work.list(order.into_iter().map(|at| list.at(at)).collect())
        }
        name => {
            let best = extreme(call, 1, &keys, name == "max_by", work)?;
            Ok(best.map_or(Item::Null, |at| list.at(at)))
        }
    }
}

fn list_of<'d>(call: &CallArguments<'_, 'd>, index: usize) -> Result<Vec<Item<'d>>, QueryError> {
    let count = call.count(index)?;
    Ok((0..count).map(|at| call.item(index).at(at)).collect())
}

/// Checks that all are numbers or all are texts.
fn check_alike(call: &CallArguments<'_, '_>, index: usize, keys: &[Item<'_>]) -> Result<(), QueryError> {
    let kind = keys.first().map_or("number", Item::kind);
    let stranger = match kind {
        "number" | "string" => keys.iter().find(|key| key.kind() != kind),
        _ => keys.first(),
    };
    match stranger {
        None => Ok(()),
        Some(stranger) => Err(call.mixed(index, "an array of numbers or strings", stranger.kind())),
    }
}

fn ordered(one: &Item<'_>, two: &Item<'_>, work: &mut Work<'_>) -> Result<Ordering, QueryError> {
    Ok(match (one, two) {
        (Item::Number(one), Item::Number(two)) => compare(one, two),
        _ => {
            let (one, two) = (one.text().unwrap_or(""), two.text().unwrap_or(""));
            work.reading(one.len().min(two.len()))?;
            one.cmp(two)
        }
    })
}

/// The place of the first greatest or least one.
fn extreme(
    call: &CallArguments<'_, '_>,
    index: usize,
    keys: &[Item<'_>],
    is_max: bool,
    work: &mut Work<'_>,
) -> Result<Option<usize>, QueryError> {
    check_alike(call, index, keys)?;
    work.steps(keys.len())?;
    let mut best: Option<(usize, &Item<'_>)> = None;
    for (at, key) in keys.iter().enumerate() {
        let is_better = match best {
            None => true,
            Some((_, best)) if is_max => ordered(key, best, work)?.is_gt(),
            Some((_, best)) => ordered(key, best, work)?.is_lt(),
        };
        if is_better {
            best = Some((at, key));
        }
    }
    Ok(best.map(|(at, _)| at))
}

/// The places of `keys` in order; the sort is stable.
///
/// This is our own merge sort, since comparing can fail, and the one of the standard library may then panic.
fn sorted(
    call: &CallArguments<'_, '_>,
    index: usize,
    keys: &[Item<'_>],
    work: &mut Work<'_>,
) -> Result<Vec<usize>, QueryError> {
    check_alike(call, index, keys)?;
    work.steps(keys.len())?;
    let mut order: Vec<usize> = (0..keys.len()).collect();
    let mut width = 1;
    while width < keys.len() {
        work.steps(keys.len() / 8)?;
        let mut merged = Vec::with_capacity(order.len());
        for pair in order.chunks(width * 2) {
            let (mut one, mut two) = pair.split_at_checked(width).unwrap_or((pair, &[]));
            while let ([first, one_rest @ ..], [second, two_rest @ ..]) = (one, two) {
                let (Some(a), Some(b)) = (keys.get(*first), keys.get(*second)) else { break };
                if ordered(b, a, work)?.is_lt() {
                    merged.push(*second);
                    two = two_rest;
                } else {
                    merged.push(*first);
                    one = one_rest;
                }
            }
            merged.extend_from_slice(one);
            merged.extend_from_slice(two);
        }
        order = merged;
        width *= 2;
    }
    Ok(order)
}

fn added<'d>(call: &CallArguments<'_, 'd>, work: &mut Work<'_>) -> Result<Item<'d>, QueryError> {
    let count = call.count(0)?;
    work.steps(count)?;
    let (mut exact, mut sum) = (Some(0_i128), 0.0);
    for at in 0..count {
        match call.item(0).at(at) {
            Item::Number(value) => {
                exact = exact.zip(value.as_i128()).map(|(sum, value)| sum + value);
                sum += float(&value);
            }
            item => return Err(call.mixed(0, "an array of numbers", item.kind())),
        }
    }
    if exact.is_none() && !sum.is_finite() {
        return Err(fault(call.at.clone(), format!("the result of `{}` is too large", call.name), ""));
    }
    Ok(match (call.name, exact) {
        ("sum", Some(sum)) => whole(sum),
        ("sum", None) => number(sum),
        _ if count == 0 => Item::Null,
        (_, Some(exact)) if exact % count as i128 == 0 => whole(exact / count as i128),
        _ => number(sum / count as f64),
    })
}

fn contains<'d>(call: &CallArguments<'_, 'd>, work: &mut Work<'_>) -> Result<Item<'d>, QueryError> {
    let (all, wanted) = (call.item(0), call.item(1));
    if let Some(text) = all.text() {
        let Some(part) = wanted.text() else { return Ok(Item::Bool(false)) };
        work.reading(text.len() + part.len())?;
        return Ok(Item::Bool(text.contains(part)));
    }
    let count = all.count().ok_or_else(|| call.wrong(0, "an array or a string"))?;
    for at in 0..count {
        if work.same(&all.at(at), wanted)? {
            return Ok(Item::Bool(true));
        }
    }
    Ok(Item::Bool(false))
}

fn joined<'d>(call: &CallArguments<'_, 'd>, work: &mut Work<'_>) -> Result<Item<'d>, QueryError> {
    let between = call.text(0, "a string")?;
    let count = call.count(1)?;
    let mut text = String::new();
    for at in 0..count {
        let item = call.item(1).at(at);
        let Some(part) = item.text() else { return Err(call.mixed(1, "an array of strings", item.kind())) };
        work.steps(1)?;
        work.bytes(part.len() + between.len())?;
        if at > 0 {
            text.push_str(between);
        }
        text.push_str(part);
    }
    Ok(Item::MadeText(text.into()))
}

fn merged<'d>(call: &CallArguments<'_, 'd>, work: &mut Work<'_>) -> Result<Item<'d>, QueryError> {
    let mut places: Table<&str, usize> = Table::new();
    let mut entries: Vec<(&'d str, Item<'d>)> = Vec::new();
    for (index, item) in call.items.iter().enumerate() {
        work.steps(call.entries(index)?)?;
        item.each_entry(|key, value| {
            match places.get(key).and_then(|at| entries.get_mut(*at)) {
                Some(entry) => entry.1 = value,
                None => {
                    places.insert(key, entries.len());
                    entries.push((key, value));
                }
            }
            Ok(())
        })?;
    }
    work.map(entries)
}

/// The number of a JSON text; null if it is none.
fn to_number<'d>(text: &str) -> Item<'d> {
    let is_number = text.chars().all(|c| matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'));
    match is_number.then(|| crate::text::json_value(text)) {
        Some(Ok(Value::Number(number))) => Item::Number(unsigned_zero(&number)),
        _ => Item::Null,
    }
}
