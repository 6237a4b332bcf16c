//! Every key of the format: is it read, written and validated? The answer is a page of the documentation.
//!
//! One document is the full example of the gallery, the other is made of the table of the format, every key
//! filled in, so that a key which is added there and forgotten elsewhere fails here.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use transcript_core::diagnostic::Diagnostic;
use transcript_core::document::{Document, Limits};
use transcript_core::model::{Shape, TRANSCRIPT};
use transcript_core::parse::{self, read};
use transcript_core::{upgrade, write};

/// Keys that say how the document is written and are nothing of the run. `messages` is refused next to
/// `execution`, `blobs` has no content of its own left once it is read; top-level `name` and the like
/// belong to a partial transcript, which keeps them in `metadata`.
const NOT_OF_THE_RUN: [&str; 6] = ["messages", "blobs", "name", "description", "tags", "author"];

/// A document with every key of the table.
fn everything() -> Value {
    let Value::Object(mut all) = sample(&TRANSCRIPT) else { panic!("a transcript is a map") };
    for key in NOT_OF_THE_RUN {
        all.remove(key);
    }
    all.insert("version".to_owned(), "1.0".into());
    all.insert("nested".to_owned(), json!({"run": {"execution": [{"turn": 1, "type": "message"}]}}));
    Value::Object(all)
}

fn sample(shape: &Shape) -> Value {
    match shape {
        Shape::Any | Shape::Expect | Shape::Item => "anything".into(),
        Shape::Text | Shape::Name(_) => "text".into(),
        Shape::OneOf(words) | Shape::Known(words) => words[0].name.into(),
        Shape::Content => "said".into(),
        Shape::Number => json!(0.5),
        Shape::Integer => json!(7),
        Shape::Bool => json!(true),
        Shape::Open => json!({"of_the_author": 1}),
        Shape::OpenOf(inner) | Shape::Keyed(_, inner) => json!({"of_the_author": sample(inner)}),
        Shape::Either(options) => sample(options[0]),
        Shape::Tagged(key, variants) => {
            let mut value = sample(variants[0].shape);
            value[key] = variants[0].name.into();
            value
        }
        Shape::Assertion => json!({"type": "contains", "pattern": "text"}),
        Shape::List(inner) => json!([sample(inner)]),
        Shape::TextOr(inner) => sample(inner),
        Shape::Map(fields) => fields
            .iter()
            .map(|field| (field.name.to_owned(), sample(field.shape)))
            .collect::<Map<_, _>>()
            .into(),
    }
}

/// Whether the table leaves the value at this path to the author.
fn is_free(shape: &Shape, path: &[String]) -> bool {
    let Some((key, rest)) = path.split_first() else { return matches!(shape, Shape::Any) };
    match shape {
        Shape::Any | Shape::Open => true,
        Shape::List(inner) | Shape::OpenOf(inner) | Shape::Keyed(_, inner) => is_free(inner, rest),
        Shape::TextOr(inner) => is_free(inner, path),
        Shape::Either(options) => options.iter().any(|option| is_free(option, path)),
        Shape::Tagged(_, variants) => variants.iter().any(|variant| is_free(variant.shape, path)),
        Shape::Map(fields) => {
            fields.iter().find(|field| field.name == key).is_some_and(|field| is_free(field.shape, rest))
        }
        _ => false,
    }
}

/// The paths of all keys, the first of those that differ only in the place in a list.
fn paths(value: &Value, here: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                here.push(index.to_string());
                paths(item, here, found);
                here.pop();
            }
        }
        Value::Object(entries) => {
            for (key, entry) in entries {
                here.push(key.clone());
                let name = name(here);
                if !found.iter().any(|(known, _)| *known == name) {
                    found.push((name, here.clone()));
                }
                paths(entry, here, found);
                here.pop();
            }
        }
        _ => {}
    }
}

/// A path as people write it: `execution[].turn`.
fn name(path: &[String]) -> String {
    let mut out = String::new();
    for part in path {
        if part.parse::<usize>().is_ok() {
            out.push_str("[]");
        } else {
            out.push_str(if out.is_empty() { "" } else { "." });
            out.push_str(part);
        }
    }
    out
}

fn pointer(path: &[String]) -> String {
    path.iter().map(|part| format!("/{part}")).collect()
}

fn with(document: &Value, path: &[String], value: Value) -> Value {
    let mut changed = document.clone();
    *changed.pointer_mut(&pointer(path)).unwrap() = value;
    changed
}

/// Another value of the same kind.
fn another(value: &Value, key: &str) -> Value {
    match value {
        Value::Null if key == "tool_calls" => json!([{"id": "call_x", "function": {"name": "x"}}]),
        Value::Null => "x".into(),
        Value::Bool(value) => (!value).into(),
        Value::Number(number) => (number.as_f64().unwrap() as i64 + 3).into(),
        Value::String(text) => format!("{text} x").into(),
        Value::Array(items) => items.iter().chain(items.first()).cloned().collect(),
        Value::Object(entries) => {
            let mut entries = entries.clone();
            let added = if key == "visible" { json!(false) } else { json!({"by": "hand"}) };
            entries.insert("x_added".to_owned(), added);
            Value::Object(entries)
        }
    }
}

/// What the model makes of the document.
fn written(document: &Value) -> Value {
    let parsed = parse::parse(&document.to_string(), &Limits::default());
    write::transcript(&read::transcript(&upgrade::upgrade(&parsed.root.unwrap()), read::Fill::Nothing))
}

/// Whether the changed value is in its old place.
fn is_written(out: &Value, path: &[String], value: &Value) -> bool {
    let (key, parent) = path.split_last().unwrap();
    let found = match out.pointer(&pointer(path)) {
        // `visible_messages` are written as ids, whatever was there.
        None if key == "ref" => out.pointer(&pointer(parent)),
        found => found,
    };
    match (found, value) {
        (Some(Value::Object(found)), Value::Object(value)) => {
            // A key without a value may be left out.
            value.iter().all(|(key, value)| value.is_null() || found.contains_key(key))
        }
        (Some(Value::Array(found)), Value::Array(value)) => found.len() == value.len(),
        (found, value) => found == Some(value),
    }
}

fn problems(document: &Value) -> Vec<(&'static str, String)> {
    let code_and_message = |found: &Diagnostic| (found.code, found.message.clone());
    Document::open(&document.to_string(), &Limits::default())
        .diagnostics()
        .iter()
        .map(code_and_message)
        .collect()
}

/// The problem with values of other kinds: the kind that is wanted, or the code of the rule.
fn validated(document: &Value, path: &[String], before: &[(&'static str, String)]) -> Option<String> {
    let others = [json!(true), json!(7), json!(1.5), json!("a text"), json!(["x"]), json!({"x": 1})];
    let mut codes = Vec::new();
    for other in others {
        let now = problems(&with(document, path, other));
        for (code, message) in now.iter().filter(|found| !before.contains(found)) {
            let expected =
                message.split_once(": expected ").and_then(|(_, rest)| rest.split_once(", found "));
            if let ("T104", Some((expected, _))) = (*code, expected) {
                return Some(expected.to_owned());
            }
            codes.push(*code);
        }
    }
    codes.sort_unstable();
    codes.dedup();
    (!codes.is_empty()).then(|| codes.join(", "))
}

/// The table of one document; every hole in it is a failure.
fn table(document: &Value, holes: &mut Vec<String>) -> String {
    let mut keys = Vec::new();
    paths(document, &mut Vec::new(), &mut keys);
    let (whole, before) = (written(document), problems(document));
    let mut out = String::from("| key | read | written | validated |\n| --- | --- | --- | --- |\n");
    for (name, path) in keys {
        let value = document.pointer(&pointer(&path)).unwrap();
        let (read, is_written) = if name == "version" {
            let number = written(&with(document, &path, json!(1.0)));
            (true, number["version"] == "1.0")
        } else {
            let changed = another(value, path.last().unwrap());
            let now = written(&with(document, &path, changed.clone()));
            (now != whole, self::is_written(&now, &path, &changed))
        };
        let validated = validated(document, &path, &before)
            .or_else(|| is_free(&TRANSCRIPT, &path).then(|| "any value".to_owned()));
        if !(read && is_written && validated.is_some()) {
            holes.push(format!("{name}: read {read}, written {is_written}, validated {validated:?}"));
        }
        let word = |is: bool| if is { "yes" } else { "no" };
        let (read, is_written) = (word(read), word(is_written));
        out.push_str(&format!(
            "| `{name}` | {read} | {is_written} | {} |\n",
            validated.unwrap_or("no".to_owned())
        ));
    }
    out
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

#[test]
fn every_key_is_read_written_and_validated() {
    let example = fs::read_to_string(root().join("public/examples/weather_query_with_tools.yaml")).unwrap();
    let example = parse::parse(&example, &Limits::default()).root.unwrap().to_value();
    let mut holes = Vec::new();
    let page = format!(
        "# Every key of the format\n\nA test writes this page and fails when a key is not read, written or validated.\n\n\
         | Column | Meaning |\n| --- | --- |\n| read | Another value changes the data. |\n| written | The value is written in the \
         same place. |\n| validated | The kind that the value must have, or the codes of the rules that check it. \"any value\": \
         you choose the value. |\n\n\
         ## The full example\n\n`public/examples/weather_query_with_tools.yaml`\n\n{}\n\
         ## All keys\n\n`of_the_author` stands for a key that you name.\n\n{}",
        table(&example, &mut holes),
        table(&everything(), &mut holes),
    );
    assert!(holes.is_empty(), "{}", holes.join("\n"));
    let path = root().join("public/docs/keys.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &page).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "public/docs/keys.md is not what the test finds; UPDATE=1 writes it");
}

/// Unknown keys come back in their places' maps, after the known ones.
#[test]
fn keys_of_the_author_survive_everywhere() {
    let document = everything();
    let mut keys = Vec::new();
    paths(&document, &mut Vec::new(), &mut keys);
    let mut maps = 0;
    for (name, path) in keys {
        // In these every key is a name with a value of one kind.
        let is_of_names = ["execution[].state_changes.visible", "agents", "nested"].contains(&name.as_str());
        if is_of_names || !document.pointer(&pointer(&path)).unwrap().is_object() {
            continue;
        }
        maps += 1;
        let mut changed = document.clone();
        changed.pointer_mut(&pointer(&path)).unwrap()["x_note"] = json!([1, {"deep": null}]);
        let out = written(&changed);
        assert_eq!(out.pointer(&pointer(&path)).unwrap()["x_note"], json!([1, {"deep": null}]), "{name}");
    }
    assert!(maps > 40, "{maps}");
}

/// What is written from the model reads as the same model: a second time gives the same data.
#[test]
fn what_is_written_reads_as_the_same() {
    let once = written(&everything());
    assert_eq!(written(&once).to_string(), once.to_string());
}
