//! Values during the evaluation of an expression: input data is borrowed, new data is shared.

use std::cmp::Ordering;
use std::rc::Rc;

use serde_json::{Map, Number, Value};

use super::{Budget, QueryError, read};
use crate::text::JsonMap;

/// The maximum nesting depth of lists and maps that an expression makes.
const DEEPEST: usize = 100;

#[derive(Clone, Debug)]
pub(super) enum Item<'d> {
    Null,
    Bool(bool),
    Number(Number),
    Text(&'d str),
    List(&'d [Value]),
    Map(&'d Map<String, Value>),
    MadeText(Rc<str>),
    MadeList(Rc<Nested<Vec<Item<'d>>>>),
    MadeMap(Rc<Nested<Vec<(&'d str, Item<'d>)>>>),
}

/// A list or map that an expression made.
#[derive(Debug)]
pub(super) struct Nested<T> {
    pub(super) inner: T,
    /// How many made ones lie within each other, this one included.
    depth: usize,
}

impl<'d> From<&'d Value> for Item<'d> {
    fn from(value: &'d Value) -> Self {
        match value {
            Value::Null => Item::Null,
            Value::Bool(value) => Item::Bool(*value),
            Value::Number(number) => Item::Number(unsigned_zero(number)),
            Value::String(text) => Item::Text(text),
            Value::Array(items) => Item::List(items),
            Value::Object(map) => Item::Map(map),
        }
    }
}

impl<'d> Item<'d> {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Item::Text(text) => Some(text),
            Item::MadeText(text) => Some(text),
            _ => None,
        }
    }

    /// How many items a list has; `None` for anything else.
    pub(super) fn count(&self) -> Option<usize> {
        match self {
            Item::List(items) => Some(items.len()),
            Item::MadeList(made) => Some(made.inner.len()),
            _ => None,
        }
    }

    /// The item of a list; null beyond its end.
    pub(super) fn at(&self, index: usize) -> Item<'d> {
        match self {
            Item::List(items) => items.get(index).map_or(Item::Null, Item::from),
            Item::MadeList(made) => made.inner.get(index).cloned().unwrap_or(Item::Null),
            _ => Item::Null,
        }
    }

    /// How many entries a map has; `None` for anything else.
    pub(super) fn entries(&self) -> Option<usize> {
        match self {
            Item::Map(map) => Some(map.len()),
            Item::MadeMap(made) => Some(made.inner.len()),
            _ => None,
        }
    }

    /// Calls `with` for each entry of a map.
    pub(super) fn each_entry(
        &self,
        mut with: impl FnMut(&'d str, Item<'d>) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        match self {
            Item::Map(map) => {
                let map: &'d Map<String, Value> = map;
                map.iter().try_for_each(|(key, value)| with(key, Item::from(value)))
            }
            Item::MadeMap(made) => made.inner.iter().try_for_each(|(key, item)| with(key, item.clone())),
            _ => Ok(()),
        }
    }

    pub(super) fn is_true(&self) -> bool {
        match self {
            Item::Null => false,
            Item::Bool(value) => *value,
            Item::Number(_) => true,
            _ => match (self.text(), self.count().or_else(|| self.entries())) {
                (Some(text), _) => !text.is_empty(),
                (None, count) => count != Some(0),
            },
        }
    }

    /// The name of its type.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Item::Null => "null",
            Item::Bool(_) => "boolean",
            Item::Number(_) => "number",
            Item::Text(_) | Item::MadeText(_) => "string",
            Item::List(_) | Item::MadeList(_) => "array",
            Item::Map(_) | Item::MadeMap(_) => "object",
        }
    }

    fn depth(&self) -> usize {
        match self {
            Item::MadeList(made) => made.depth,
            Item::MadeMap(made) => made.depth,
            _ => 0,
        }
    }
}

/// The budget of one evaluation, and the length of its expression, for the error when it is used
/// up.
pub(super) struct Work<'b> {
    pub(super) budget: &'b mut Budget,
    pub(super) length: usize,
}

impl Work<'_> {
    pub(super) fn steps(&mut self, count: usize) -> Result<(), QueryError> {
        match self.budget.steps.checked_sub(count as u64) {
            Some(left) => {
                self.budget.steps = left;
                Ok(())
            }
            None => {
                self.budget.steps = 0;
                Err(self.over("the expression takes too many steps"))
            }
        }
    }

    pub(super) fn bytes(&mut self, count: usize) -> Result<(), QueryError> {
        match self.budget.bytes.checked_sub(count as u64) {
            Some(left) => {
                self.budget.bytes = left;
                Ok(())
            }
            None => {
                self.budget.bytes = 0;
                Err(self.over("the expression creates too much text"))
            }
        }
    }

    /// Reading this much text.
    pub(super) fn reading(&mut self, bytes: usize) -> Result<(), QueryError> {
        self.steps(bytes / 64)
    }

    fn over(&self, message: &str) -> QueryError {
        read::fault(0..self.length, message, "select less data")
    }

    pub(super) fn list<'d>(&self, inner: Vec<Item<'d>>) -> Result<Item<'d>, QueryError> {
        let depth = self.deeper(inner.iter().map(Item::depth).max())?;
        Ok(Item::MadeList(Rc::new(Nested { inner, depth })))
    }

    pub(super) fn map<'d>(&self, inner: Vec<(&'d str, Item<'d>)>) -> Result<Item<'d>, QueryError> {
        let depth = self.deeper(inner.iter().map(|(_, item)| item.depth()).max())?;
        Ok(Item::MadeMap(Rc::new(Nested { inner, depth })))
    }

    pub(super) fn text<'d>(&mut self, text: String) -> Result<Item<'d>, QueryError> {
        self.bytes(text.len())?;
        Ok(Item::MadeText(text.into()))
    }

    fn deeper(&self, inner: Option<usize>) -> Result<usize, QueryError> {
        let depth = inner.unwrap_or(0) + 1;
        if depth > DEEPEST {
            Err(self.over("the result of the expression is nested too deeply"))
        } else {
            Ok(depth)
        }
    }

    /// The item as data of its own.
    pub(super) fn value(&mut self, item: &Item<'_>) -> Result<Value, QueryError> {
        self.steps(1)?;
        Ok(match item {
            Item::Null => Value::Null,
            Item::Bool(value) => Value::Bool(*value),
            Item::Number(number) => Value::Number(number.clone()),
            _ => {
                if let Some(text) = item.text() {
                    self.bytes(text.len())?;
                    Value::String(text.to_owned())
                } else if let Some(count) = item.count() {
                    let items = (0..count).map(|at| self.value(&item.at(at)));
                    Value::Array(items.collect::<Result<_, _>>()?)
                } else {
                    let mut map = Map::new();
                    item.each_entry(|key, item| {
                        self.bytes(key.len())?;
                        map.put(key, self.value(&item)?);
                        Ok(())
                    })?;
                    Value::Object(map)
                }
            }
        })
    }

    /// Whether two are the same data: numbers by value, maps in any order.
    pub(super) fn same(&mut self, one: &Item<'_>, two: &Item<'_>) -> Result<bool, QueryError> {
        self.steps(1)?;
        if let (Some(one), Some(two)) = (one.text(), two.text()) {
            self.reading(one.len().min(two.len()))?;
            return Ok(one == two);
        }
        match (one, two) {
            (Item::Null, Item::Null) => return Ok(true),
            (Item::Bool(one), Item::Bool(two)) => return Ok(one == two),
            (Item::Number(one), Item::Number(two)) => return Ok(compare(one, two).is_eq()),
            _ => {}
        }
        if let (Some(count), Some(other)) = (one.count(), two.count()) {
            if count != other {
                return Ok(false);
            }
            for at in 0..count {
                if !self.same(&one.at(at), &two.at(at))? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let (Some(count), Some(other)) = (one.entries(), two.entries()) else { return Ok(false) };
        if count != other {
            return Ok(false);
        }
        let mut is_same = true;
        one.each_entry(|key, item| {
            if is_same {
                is_same = match self.field(two, key)? {
                    Some(other) => self.same(&item, &other)?,
                    None => false,
                };
            }
            Ok(())
        })?;
        Ok(is_same)
    }

    /// The value of a key, if the item is a map with it.
    pub(super) fn field<'d>(&mut self, item: &Item<'d>, key: &str) -> Result<Option<Item<'d>>, QueryError> {
        match item {
            Item::Map(map) => Ok(map.get(key).map(Item::from)),
            Item::MadeMap(made) => {
                self.steps(made.inner.len() / 8)?;
                Ok(made.inner.iter().find(|(other, _)| *other == key).map(|(_, item)| item.clone()))
            }
            _ => Ok(None),
        }
    }
}

/// Numbers in order, whole ones exactly.
pub(super) fn compare(one: &Number, two: &Number) -> Ordering {
    match (one.as_i128(), two.as_i128()) {
        (Some(one), Some(two)) => one.cmp(&two),
        (Some(whole), None) => compare_mixed(whole, two),
        (None, Some(whole)) => compare_mixed(whole, one).reverse(),
        (None, None) => float(one).total_cmp(&float(two)),
    }
}

fn compare_mixed(whole: i128, number: &Number) -> Ordering {
    let number = float(number);
    // Beyond these, a double is greater or less than every whole number of JSON data here.
    if number >= 1e30 {
        return Ordering::Less;
    }
    if number <= -1e30 {
        return Ordering::Greater;
    }
    let floor = number.floor();
    whole.cmp(&(floor as i128)).then(if number > floor { Ordering::Less } else { Ordering::Equal })
}

pub(super) fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or(0.0)
}

/// A computed number: a whole one without a fraction, as far as doubles are exact.
pub(super) fn number<'d>(value: f64) -> Item<'d> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        return Item::Number((value as i64).into());
    }
    Number::from_f64(value).map_or(Item::Null, Item::Number)
}

/// The number, a zero below zero as a plain one: in JSON the two only differ in the way they are written.
pub(super) fn unsigned_zero(number: &Number) -> Number {
    let is_below = number.as_f64().is_some_and(|value| value == 0.0 && value.is_sign_negative());
    if is_below { 0.into() } else { number.clone() }
}

pub(super) fn whole<'d>(value: i128) -> Item<'d> {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => Item::Number(value.into()),
        (_, Ok(value)) => Item::Number(value.into()),
        _ => number(value as f64),
    }
}
