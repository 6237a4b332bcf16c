//! The properties. Each answers why it does not hold.

use proptest::prop_assert;
use proptest::test_runner::{TestCaseError, TestCaseResult};
use serde_json::{Map, Value};
use transcript_core::document::{Document, Limits};
use transcript_core::view::{Compaction, LossView};
use transcript_core::write;
use transcript_tests::generate::full::Extra;
use transcript_tests::generate::lacks::Lack;
use transcript_tests::generate::script::Script;

/// The most moves of a generated run.
pub(crate) const SIZE: usize = 14;

/// The implementation under test.
#[derive(Clone, Copy)]
pub(crate) struct Forms {
    pub(crate) write: fn(&Value) -> String,
    pub(crate) expand: fn(&str) -> Option<Value>,
    pub(crate) compact: fn(&str, bool) -> Compaction,
}

impl Forms {
    pub(crate) const REAL: Forms = Forms {
        write: write::yaml,
        expand: |text| open(text).expanded(),
        compact: |text, force| open(text).compacted(force),
    };
}

pub(crate) fn open(text: &str) -> Document {
    Document::open(text, &Limits::default())
}

/// What the implementation makes of a text of its own.
fn readable(expanded: Option<Value>, text: &str) -> Result<Value, TestCaseError> {
    expanded.ok_or_else(|| TestCaseError::fail(format!("not readable:\n{text}")))
}

pub(crate) fn expands(forms: &Forms, script: &Script) -> TestCaseResult {
    let written = script.write();
    let text = (forms.write)(&written.compact);
    same(&written.full, &readable((forms.expand)(&text), &text)?, &text)
}

pub(crate) fn returns(forms: &Forms, script: &Script) -> TestCaseResult {
    let full = script.write().full;
    let compacted = (forms.compact)(&write::yaml(&full), false);
    let Some(text) = compacted.text else { return Err(lost(&compacted.losses)) };
    let found = open(&text);
    let faults: Vec<String> = found
        .diagnostics()
        .iter()
        .filter(|found| found.code == "T106")
        .map(|found| found.message.clone())
        .collect();
    prop_assert!(faults.is_empty(), "{faults:?} in\n{text}");
    same(&full, &readable((forms.expand)(&text), &text)?, &text)
}

pub(crate) fn is_stable(forms: &Forms, script: &Script) -> TestCaseResult {
    let first = (forms.compact)(&write::yaml(&script.write().compact), false);
    let Some(first) = first.text else { return Err(lost(&first.losses)) };
    let second = (forms.compact)(&first, false).text.unwrap_or_default();
    let full = readable((forms.expand)(&first), &first)?;
    let third = (forms.compact)(&write::yaml(&full), false).text.unwrap_or_default();
    let is_stable = first == second && first == third;
    prop_assert!(is_stable, "first\n{first}\nsecond\n{second}\nfrom the full form\n{third}");
    Ok(())
}

fn lost(losses: &[LossView]) -> TestCaseError {
    TestCaseError::fail(format!("lost {losses:#?}"))
}

fn extended(script: &Script, extras: &[(Extra, usize)]) -> (Value, Vec<String>) {
    let mut full = script.write().full;
    let mut paths: Vec<String> = extras.iter().filter_map(|(extra, at)| extra.add(&mut full, *at)).collect();
    paths.sort();
    paths.dedup();
    (full, paths)
}

pub(crate) fn reports_losses(forms: &Forms, script: &Script, extras: &[(Extra, usize)]) -> TestCaseResult {
    let (full, paths) = extended(script, extras);
    let text = write::yaml(&full);
    let compacted = (forms.compact)(&text, true);
    let mut reported: Vec<String> = compacted.losses.iter().map(|loss| loss.path.clone()).collect();
    reported.sort();
    prop_assert!(reported == paths, "reported {reported:?}, added {paths:?}");
    let plain = (forms.compact)(&write::yaml(&script.write().full), false);
    prop_assert!(compacted.text == plain.text, "what was forced is not what remains");
    for loss in compacted.losses.iter().filter(|loss| loss.kind == "lost") {
        let key = loss.path.rsplit('.').next().unwrap_or_default().trim_end_matches("\"]");
        let line = text.lines().nth(loss.line as usize - 1).unwrap_or_default();
        let before = text.lines().nth((loss.line as usize).saturating_sub(2)).unwrap_or_default();
        let key = key.rsplit('"').next().unwrap_or_default();
        let is_there = line.contains(key) || before.contains(key);
        prop_assert!(is_there, "{} is not on line {}: {line}", loss.path, loss.line);
    }
    Ok(())
}

pub(crate) fn loses_nothing_unreported(
    forms: &Forms,
    script: &Script,
    extras: &[(Extra, usize)],
) -> TestCaseResult {
    let (full, _) = extended(script, extras);
    let compacted = (forms.compact)(&write::yaml(&full), false);
    let Some(text) = compacted.text else { return Ok(()) };
    same(&full, &readable((forms.expand)(&text), &text)?, &text)
}

/// The keys that have a meaning by their absence in a full transcript: the table of the page on the compact form.
const DEFAULTS: [&str; 19] = [
    "id",
    "turn",
    "type",
    "role",
    "success",
    "tool_response",
    "tool_name",
    "tool_call_id",
    "response",
    "parameters",
    "error",
    "agent",
    "visible",
    "content",
    "arguments",
    "version",
    "message_store",
    "visible_messages",
    "final_state",
];

/// With a key taken away, the compact text either reports a loss, or expands to the document without the key,
/// or to the one with it where its silence says the same.
pub(crate) fn is_default_or_reported(forms: &Forms, script: &Script, lack: Lack) -> TestCaseResult {
    let whole = script.write().full;
    let mut full = whole.clone();
    let Some(path) = lack.apply(&mut full) else { return Ok(()) };
    let before = write::yaml(&full);
    let compacted = (forms.compact)(&before, false);
    let Some(text) = compacted.text else { return Ok(()) };
    let found = readable((forms.expand)(&text), &text)?;
    let key = path.rsplit('/').next().unwrap_or_default();
    let value = whole.pointer(&path).unwrap_or(&Value::Null);
    let is_empty = matches!(value, Value::Array(items) if items.is_empty())
        || matches!(value, Value::Object(entries) if entries.is_empty());
    // The final state is what the run comes to, each of its keys by itself.
    let is_end = path == "/final_state/context";
    let is_free = ["/context", "/arguments/", "/parameters/", "/result/", "/assertions/"]
        .iter()
        .any(|open| path.contains(open) && !path.ends_with(open));
    if (is_end || (is_empty || DEFAULTS.contains(&key)) && !is_free) && same(&whole, &found, &text).is_ok() {
        return Ok(());
    }
    // Null and nothing, and an empty list or map, are the same for a key of the format.
    let mut found = found;
    if !is_free {
        without_nothing(&mut full, &path);
        without_nothing(&mut found, &path);
    }
    match difference(&full, &found, &mut String::new()) {
        None => Ok(()),
        Some(words) => Err(TestCaseError::fail(format!("without {path}: {words}, reading\n{text}"))),
    }
}

/// Takes away the key at a pointer if it says nothing.
fn without_nothing(value: &mut Value, path: &str) {
    let Some((map, key)) = path.rsplit_once('/') else { return };
    let Some(entries) = value.pointer_mut(map).and_then(Value::as_object_mut) else { return };
    let is_nothing = match entries.get(key) {
        Some(Value::Null) => true,
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::Object(inner)) => inner.values().all(|value| {
            value.as_object().is_some_and(Map::is_empty) || value.as_array().is_some_and(Vec::is_empty)
        }),
        Some(Value::String(text)) => matches!((key, text.as_str()), ("content", "") | ("arguments", "{}")),
        Some(Value::Bool(value)) => key == "visible" && *value,
        _ => false,
    };
    // The position says these.
    if is_nothing || matches!(key, "id" | "turn") {
        entries.shift_remove(key);
    }
}

pub(crate) fn reads_back(forms: &Forms, script: &Script, extras: &[(Extra, usize)]) -> TestCaseResult {
    let (full, _) = extended(script, extras);
    let text = (forms.write)(&full);
    let found = open(&text);
    let expanded = readable(found.expanded(), &text)?;
    same(&full, &expanded, &text)?;
    let again = (forms.write)(&expanded);
    let steps = |document: &Document| {
        (0..document.steps().len())
            .map(|step| {
                serde_json::to_value(
                    document.step(&step.to_string()).map(|step| (step.state, step.flow, step.llm, step.tool)),
                )
                .unwrap_or_default()
            })
            .collect::<Vec<_>>()
    };
    let is_same = again == text && steps(&open(&write::json(&full))) == steps(&found);
    prop_assert!(is_same, "the steps differ between YAML and JSON of\n{text}");
    Ok(())
}

/// Data is the same whatever the order of its keys; of a number counts also its sign.
fn same(meant: &Value, found: &Value, text: &str) -> TestCaseResult {
    match difference(meant, found, &mut String::new()) {
        None => Ok(()),
        Some(words) => Err(TestCaseError::fail(format!("{words}, reading\n{text}"))),
    }
}

fn difference(meant: &Value, found: &Value, path: &mut String) -> Option<String> {
    let length = path.len();
    let inner = match (meant, found) {
        (Value::Object(a), Value::Object(b)) => {
            let gone = a.keys().find(|key| !b.contains_key(*key)).map(|key| format!("{path} lacks {key}"));
            let new =
                b.keys().find(|key| !a.contains_key(*key)).map(|key| format!("{path} has come by {key}"));
            gone.or(new).or_else(|| {
                a.iter().find_map(|(key, value)| {
                    path.push_str(&format!(".{key}"));
                    let found = difference(value, &b[key], path);
                    path.truncate(length);
                    found
                })
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(at, (a, b))| {
                path.push_str(&format!("[{at}]"));
                let found = difference(a, b, path);
                path.truncate(length);
                found
            })
        }
        // -0.0 equals 0.0 as a number, and is another one.
        _ if meant == found && sign(meant) == sign(found) => None,
        _ => Some(format!("{path} is {found}, not {meant}")),
    };
    path.truncate(length);
    inner
}

fn sign(value: &Value) -> Option<bool> {
    value.as_f64().map(f64::is_sign_negative)
}
