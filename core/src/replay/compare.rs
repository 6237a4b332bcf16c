//! The first difference between the recording and the messages of an agent.

use std::rc::Rc;

use serde::Serialize;
use serde_json::{Map, Number, Value};

use super::settings::{Ignore, RequestParts};
use crate::canonical::{CanonicalMessage, Config, to_display_value};
use crate::text::Table;
use crate::time::mask_timestamps;
use crate::wire::ToolCall;

/// The first difference of two lists of messages.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The index of the message in the recording, from 0.
    pub message: usize,
    /// Its index in the sent messages.
    pub sent: usize,
    /// The path in the sent request, such as `messages[2].tool_calls[0].arguments.location`.
    pub path: String,
    /// The path in the recording, if results of parallel calls came in another order.
    pub recorded: Option<String>,
    /// The recorded value; `None` for nothing, which is not the same as null.
    pub expected: Option<Value>,
    /// The sent value; `None` for nothing.
    pub actual: Option<Value>,
    /// The other difference from the recording, of a call or a result with a different id.
    pub also: Option<OtherDifference>,
}

/// A second difference.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OtherDifference {
    /// The path in the sent request.
    pub path: String,
    /// What was recorded there; absent when there was nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub expected: Option<Value>,
    /// What was sent; absent when there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub actual: Option<Value>,
}

/// A path below a message or a value, and the values there on both sides.
type FoundDifference = (String, Option<Value>, Option<Value>);

/// Compares messages without what is ignored, and maps the ids of the agent to recorded ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Comparison {
    /// Recorded ids of calls, each with the agent's.
    ids: Table<String, String>,
    /// The agent's ids, each with the recorded one and the message that it was last used in.
    recorded: Table<String, (String, usize)>,
    /// The message that is being compared.
    message: usize,
    /// The changes of the last comparison, each with the former value.
    changes: Vec<IdChange>,
    /// A difference in addition to an id.
    also: Option<OtherDifference>,
}

#[derive(Clone, Debug)]
enum IdChange {
    Id(String, Option<String>),
    Recorded(String, Option<(String, usize)>),
}

impl Comparison {
    /// Undoes the changes of ids of the last comparison, if it failed.
    pub(super) fn undo(&mut self) {
        for change in std::mem::take(&mut self.changes).into_iter().rev() {
            match change {
                IdChange::Id(key, Some(before)) => drop(self.ids.insert(key, before)),
                IdChange::Id(key, None) => drop(self.ids.remove(&key)),
                IdChange::Recorded(key, Some(before)) => drop(self.recorded.insert(key, before)),
                IdChange::Recorded(key, None) => drop(self.recorded.remove(&key)),
            }
        }
    }

    /// Compares two lists from the message `from` on; `None` when they agree.
    pub(super) fn difference(
        &mut self,
        expected: &[Rc<CanonicalMessage>],
        actual: &[Rc<CanonicalMessage>],
        from: usize,
        ignore: &Ignore,
    ) -> Option<Difference> {
        self.changes.clear();
        self.also = None;
        // Consecutive results are compared together, so that the first of them is needed.
        let is_tool = |at: &usize| actual.get(*at).is_some_and(|message| message.role == "tool");
        let from = from.min(expected.len()).min(actual.len());
        let from = from - (0..from).rev().take_while(is_tool).count();
        let expected: Vec<&CanonicalMessage> = expected.iter().skip(from).map(Rc::as_ref).collect();
        let actual: Vec<&CanonicalMessage> = actual.iter().skip(from).map(Rc::as_ref).collect();
        let mut at = 0;
        while at < expected.len().max(actual.len()) {
            let results = actual.iter().skip(at).take_while(|message| message.role == "tool").count();
            let run = results.max(1);
            let ours = expected.get(at..).unwrap_or_default();
            let theirs = actual.get(at..).unwrap_or_default().get(..run);
            let theirs = theirs.unwrap_or_else(|| actual.get(at..).unwrap_or_default());
            let order = match run > 1 && !ignore.keep_result_order {
                true => self.in_order_of(ours.get(..run).unwrap_or(ours), theirs, ignore),
                false => (0..run).collect(),
            };
            for (index, other) in order.into_iter().enumerate() {
                let (message, sent) = (from + at + index, from + at + other);
                self.message = message;
                let [path, recorded] = [sent, message].map(|place| format!("messages[{place}]"));
                let moved = (sent != message).then_some((path.as_str(), recorded.as_str()));
                let found = match (ours.get(index).copied(), theirs.get(other).copied()) {
                    (Some(expected), Some(actual)) => {
                        let mut pair = PairComparison { comparison: self, ignore, moved };
                        pair.message(&path, expected, actual)
                    }
                    (None, None) => None,
                    (expected, actual) => {
                        Some((path.clone(), expected.map(to_display_value), actual.map(to_display_value)))
                    }
                };
                if let Some((path, expected, actual)) = found {
                    let recorded = moved.map(|moved| recorded_path(&path, moved));
                    let also = self.also.take();
                    return Some(Difference { message, sent, path, recorded, expected, actual, also });
                }
            }
            at += run;
        }
        None
    }

    /// The first difference of the model, settings and tools of two requests. Unrecorded values are not
    /// compared.
    pub(super) fn config(
        &mut self,
        expected: &Config,
        actual: &Config,
        compared: RequestParts,
        ignore: &Ignore,
    ) -> Option<FoundDifference> {
        let mut pair = PairComparison { comparison: self, ignore, moved: None };
        let model = expected.model.as_ref().filter(|_| compared.model);
        let model = model.filter(|_| actual.model.is_some() || !actual.is_unnamed);
        let found = model.and_then(|model| {
            pair.recorded_value(
                "model".to_owned(),
                &model.as_str().into(),
                actual.model.clone().map(Value::from).as_ref(),
            )
        });
        let mut settings = expected.settings.iter().filter(|_| compared.settings);
        let found = found.or_else(|| {
            settings.find_map(|(key, value)| match actual.settings.get(key) {
                // Unless one is chosen, every model chooses.
                None if key == "tool_choice" && value == "auto" => None,
                other => pair.recorded_value(join("settings", key), value, other),
            })
        });
        let tools = expected.tools.as_ref().filter(|_| compared.tools);
        found.or_else(|| tools.and_then(|tools| pair.tools(tools, &actual.tools.clone().unwrap_or_default())))
    }

    /// Maps an id of the agent to a recorded one from here on; `false` if it already belongs to another call
    /// of the same message. A later message may reuse it, as agents that restart their counter do.
    fn bind(&mut self, expected: &str, actual: &str) -> bool {
        let before = self.ids.get(expected).cloned();
        let known = self.recorded.get(actual).cloned();
        match &known {
            Some((recorded, message)) if recorded != expected && *message == self.message => return false,
            Some((recorded, _)) if recorded == expected && before.as_deref() == Some(actual) => return true,
            _ => {}
        }
        // An id that is recorded for one call after the other is the agent's newest.
        if let Some(old) = before.as_ref().filter(|old| *old != actual) {
            let recorded = self.recorded.remove(old);
            self.changes.push(IdChange::Recorded(old.clone(), recorded));
        }
        self.changes.push(IdChange::Id(expected.to_owned(), before));
        self.changes.push(IdChange::Recorded(actual.to_owned(), known));
        self.ids.insert(expected.to_owned(), actual.to_owned());
        self.recorded.insert(actual.to_owned(), (expected.to_owned(), self.message));
        true
    }

    /// Compares two calls without their ids, for mocked tools and time travel; paths begin with `name` or
    /// `arguments`. A strict replay compares calls in `PairComparison::call_difference`.
    pub(super) fn name_and_arguments_difference(
        &mut self,
        expected: &ToolCall,
        actual: &ToolCall,
        ignore: &Ignore,
    ) -> Option<Difference> {
        let mut pair = PairComparison { comparison: self, ignore, moved: None };
        let (path, expected, actual) = pair
            .texts(&|| "name".to_owned(), &expected.name, &actual.name)
            .or_else(|| pair.data("arguments", &expected.arguments, &actual.arguments))?;
        Some(Difference { message: 0, sent: 0, path, recorded: None, expected, actual, also: None })
    }

    /// For each message of `expected`, the index of the result of the same call. Results of unknown calls get
    /// the remaining places.
    fn in_order_of(
        &self,
        expected: &[&CanonicalMessage],
        results: &[&CanonicalMessage],
        ignore: &Ignore,
    ) -> Vec<usize> {
        let mut places: Table<Option<&str>, usize> = Table::new();
        for (place, recorded) in expected.iter().enumerate() {
            places.entry(recorded.tool_call_id.as_deref()).or_insert(place);
        }
        let mut order: Vec<Option<usize>> = vec![None; results.len()];
        let mut others = Vec::new();
        for (at, message) in results.iter().enumerate() {
            let id = message.tool_call_id.as_deref();
            let id = match id.and_then(|id| self.recorded.get(id)) {
                Some((recorded, _)) if ignore.ids => Some(recorded.as_str()),
                _ => id,
            };
            let free = places.get(&id).and_then(|&place| order.get_mut(place)).filter(|slot| slot.is_none());
            match free {
                Some(slot) => *slot = Some(at),
                None => others.push(at),
            }
        }
        let mut others = others.into_iter();
        order.into_iter().filter_map(|slot| slot.or_else(|| others.next())).collect()
    }
}

/// The path in the recording for a message with another index there.
fn recorded_path(path: &str, (sent, recorded): (&str, &str)) -> String {
    format!("{recorded}{}", path.strip_prefix(sent).unwrap_or_default())
}

/// Two things that are compared.
struct PairComparison<'c> {
    comparison: &'c mut Comparison,
    ignore: &'c Ignore,
    /// The paths of the message in the request and in the recording, if different.
    moved: Option<(&'c str, &'c str)>,
}

fn zip_longest<'a, T>(a: &'a [T], b: &'a [T]) -> impl Iterator<Item = (Option<&'a T>, Option<&'a T>)> {
    (0..a.len().max(b.len())).map(|index| (a.get(index), b.get(index)))
}

impl PairComparison<'_> {
    /// The first difference of two messages.
    fn message(
        &mut self,
        at: &str,
        expected: &CanonicalMessage,
        actual: &CanonicalMessage,
    ) -> Option<FoundDifference> {
        self.texts(&|| format!("{at}.role"), &expected.role, &actual.role)
            .or_else(|| self.texts(&|| format!("{at}.content"), &expected.content, &actual.content))
            .or_else(|| {
                self.lists(&format!("{at}.parts"), &expected.parts, &actual.parts, |pair, path, a, b| {
                    pair.part(&path, a, b)
                })
            })
            .or_else(|| {
                let path = format!("{at}.tool_calls");
                self.lists(&path, &expected.tool_calls, &actual.tool_calls, |pair, path, a, b| {
                    pair.call_difference(&path, a, b, actual.repeated_ids.contains(&b.id))
                })
            })
            .or_else(|| {
                let [a, b] = [expected, actual].map(|message| message.tool_call_id.as_deref());
                let found = self.answered_call(at, a, b)?;
                let also = self.result(at, expected, actual);
                self.add_other(also);
                Some(found)
            })
            .or_else(|| match (&expected.name, &actual.name) {
                (Some(a), Some(b)) => self.texts(&|| format!("{at}.name"), a, b),
                (Some(a), None) => self.unless_ignored(format!("{at}.name"), Some(a.as_str().into()), None),
                (None, _) => None,
            })
            .or_else(|| {
                let found = || (Some(expected.is_error.into()), Some(actual.is_error.into()));
                let differs = expected.is_error != actual.is_error && !actual.has_no_flag;
                let (a, b) = differs.then(found)?;
                self.unless_ignored(format!("{at}.is_error"), a, b)
            })
            .or_else(|| self.result(at, expected, actual))
    }

    /// The first difference of the results of two tools. Two failures are equal, whatever their
    /// text, unless that is kept.
    fn result(
        &mut self,
        at: &str,
        expected: &CanonicalMessage,
        actual: &CanonicalMessage,
    ) -> Option<FoundDifference> {
        let both_failed = expected.is_error && actual.is_error && !self.ignore.keep_error_text;
        let [a, b] = [expected, actual].map(|message| message.result.as_ref().unwrap_or(&Value::Null));
        if both_failed { None } else { self.data(&format!("{at}.result"), a, b) }
    }

    /// Keeps a difference that is reported in addition to the first one.
    fn add_other(&mut self, found: Option<FoundDifference>) {
        self.comparison.also =
            found.map(|(path, expected, actual)| OtherDifference { path, expected, actual });
    }

    /// A difference, unless its place is ignored.
    fn unless_ignored(
        &self,
        path: String,
        expected: Option<Value>,
        actual: Option<Value>,
    ) -> Option<FoundDifference> {
        let covers = |path: &str| self.ignore.paths.iter().any(|pattern| pattern.covers(path));
        let is_ignored =
            covers(&path) || self.moved.is_some_and(|moved| covers(&recorded_path(&path, moved)));
        (!is_ignored).then_some((path, expected, actual))
    }

    fn texts(&self, path: &dyn Fn() -> String, expected: &str, actual: &str) -> Option<FoundDifference> {
        if expected == actual || same_text(expected, actual, self.ignore) {
            return None;
        }
        self.unless_ignored(path(), Some(expected.into()), Some(actual.into()))
    }

    /// The first difference of the calls that two results are of. Ids that are not recorded are not compared.
    fn answered_call(
        &self,
        at: &str,
        expected: Option<&str>,
        actual: Option<&str>,
    ) -> Option<FoundDifference> {
        let expected = expected?;
        let wanted = match self.comparison.ids.get(expected) {
            Some(theirs) if self.ignore.ids => theirs,
            _ => expected,
        };
        if Some(wanted) == actual || self.ignore.ids && actual.is_none() {
            return None;
        }
        self.unless_ignored(format!("{at}.tool_call_id"), Some(wanted.into()), actual.map(Value::from))
    }

    fn call_difference(
        &mut self,
        at: &str,
        expected: &ToolCall,
        actual: &ToolCall,
        is_repeated: bool,
    ) -> Option<FoundDifference> {
        self.texts(&|| format!("{at}.name"), &expected.name, &actual.name)
            .or_else(|| {
                // An id for two calls of a message identifies none of them, unless it was recorded so.
                let found = match is_repeated && self.ignore.ids && expected.id != actual.id {
                    true => {
                        let [a, b] = [expected, actual].map(|call| Some(call.id.as_str().into()));
                        self.unless_ignored(format!("{at}.id"), a, b)?
                    }
                    false => self.id(at, &expected.id, &actual.id)?,
                };
                let also = self.data(&format!("{at}.arguments"), &expected.arguments, &actual.arguments);
                self.add_other(also);
                Some(found)
            })
            .or_else(|| self.data(&format!("{at}.arguments"), &expected.arguments, &actual.arguments))
    }

    /// The first difference of two ids. Ids that are not recorded are not compared. If ids are ignored, the
    /// two are equivalent from here on.
    fn id(&mut self, at: &str, expected: &str, actual: &str) -> Option<FoundDifference> {
        if expected.is_empty() || self.ignore.ids && actual.is_empty() {
            return None;
        }
        if self.ignore.ids {
            if self.comparison.bind(expected, actual) {
                return None;
            }
        } else if expected == actual {
            return None;
        }
        self.unless_ignored(format!("{at}.id"), Some(expected.into()), Some(actual.into()))
    }

    /// The first difference of two parts. Media types are compared if both sides have one, file names if
    /// one was recorded: not every framework passes them on.
    fn part(&mut self, path: &str, expected: &Value, actual: &Value) -> Option<FoundDifference> {
        let (Value::Object(a), Value::Object(b)) = (expected, actual) else {
            return self.data(path, expected, actual);
        };
        let is_compared = |key: &str| match key {
            "media_type" => a.contains_key(key) && b.contains_key(key),
            "filename" => a.contains_key(key),
            _ => true,
        };
        self.maps(path, a, b, &is_compared)
    }

    /// The first difference of a value that was recorded.
    fn recorded_value(
        &mut self,
        path: String,
        expected: &Value,
        actual: Option<&Value>,
    ) -> Option<FoundDifference> {
        match actual {
            Some(actual) => self.data(&path, expected, actual),
            None => self.unless_ignored(path, Some(expected.clone()), None),
        }
    }

    /// The first difference of two sets of tools. If one of them only names a tool, only the name is
    /// compared.
    fn tools(
        &mut self,
        expected: &Map<String, Value>,
        actual: &Map<String, Value>,
    ) -> Option<FoundDifference> {
        let of_expected = expected.iter().find_map(|(name, tool)| {
            let path = join("tools", name);
            let Some(other) = actual.get(name) else {
                return self.unless_ignored(path, Some(tool_declaration(name, tool)), None);
            };
            let mut known = tool.as_object().into_iter().flatten().filter(|_| !other.is_null());
            known.find_map(|(key, value)| self.recorded_value(join(&path, key), value, other.get(key)))
        });
        let mut others = actual.iter().filter(|(name, _)| !expected.contains_key(*name));
        of_expected.or_else(|| {
            others.find_map(|(name, tool)| {
                self.unless_ignored(join("tools", name), None, Some(tool_declaration(name, tool)))
            })
        })
    }

    /// The first difference inside data.
    fn data(&mut self, path: &str, expected: &Value, actual: &Value) -> Option<FoundDifference> {
        match (expected, actual) {
            (a, b) if a == b => None,
            (Value::Object(a), Value::Object(b)) => self.maps(path, a, b, &|_| true),
            (Value::Array(a), Value::Array(b)) => {
                self.lists(path, a, b, |pair, path, a, b| pair.data(&path, a, b))
            }
            (Value::Number(a), Value::Number(b)) if same_number(a, b) => None,
            (Value::String(a), Value::String(b)) => self.texts(&|| path.to_owned(), a, b),
            (a, b) => self.unless_ignored(path.to_owned(), Some(a.clone()), Some(b.clone())),
        }
    }

    /// The first difference of two lists; `compare` compares their items.
    fn lists<T: serde::Serialize>(
        &mut self,
        path: &str,
        expected: &[T],
        actual: &[T],
        compare: impl Fn(&mut Self, String, &T, &T) -> Option<FoundDifference>,
    ) -> Option<FoundDifference> {
        let value = |item: Option<&T>| item.and_then(|item| serde_json::to_value(item).ok());
        zip_longest(expected, actual).enumerate().find_map(|(index, pair)| {
            let path = format!("{path}[{index}]");
            match pair {
                (Some(expected), Some(actual)) => compare(self, path, expected, actual),
                (expected, actual) => self.unless_ignored(path, value(expected), value(actual)),
            }
        })
    }

    fn maps(
        &mut self,
        path: &str,
        a: &Map<String, Value>,
        b: &Map<String, Value>,
        is_compared: &dyn Fn(&str) -> bool,
    ) -> Option<FoundDifference> {
        let of_a = a.iter().filter(|(key, _)| is_compared(key)).find_map(|(key, value)| match b.get(key) {
            Some(other) => self.data(&join(path, key), value, other),
            None => self.unless_ignored(join(path, key), Some(value.clone()), None),
        });
        of_a.or_else(|| {
            let others = b.iter().filter(|(key, _)| is_compared(key) && !a.contains_key(*key));
            let mut others = others.map(|(key, value)| (join(path, key), value.clone()));
            others.find_map(|(path, value)| self.unless_ignored(path, None, Some(value)))
        })
    }
}

/// Whether two texts are equal except for what is ignored.
fn same_text(a: &str, b: &str, ignore: &Ignore) -> bool {
    let without_times = |text: &str| match ignore.timestamps {
        true => mask_timestamps(text),
        false => text.to_owned(),
    };
    match (ignore.timestamps, ignore.whitespace) {
        (false, false) => a == b,
        (true, false) => without_times(a) == without_times(b),
        (_, true) => without_times(a).split_whitespace().eq(without_times(b).split_whitespace()),
    }
}

/// Whether two numbers are one double, so that `72` is `72.0`.
///
/// JavaScript has no other numbers: an agent there receives a recorded whole number beyond 2^53
/// rounded, and sends it back so.
fn same_number(a: &Number, b: &Number) -> bool {
    a == b || a.as_f64() == b.as_f64()
}

/// A tool for display: its name, and its declaration.
fn tool_declaration(name: &str, tool: &Value) -> Value {
    let mut shown = Map::from_iter([("name".to_owned(), name.into())]);
    shown.extend(tool.as_object().cloned().unwrap_or_default());
    Value::Object(shown)
}

/// `path.key`, the key in quotes when it is not a plain word.
fn join(path: &str, key: &str) -> String {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if plain { format!("{path}.{key}") } else { format!("{path}[{}]", Value::from(key)) }
}
