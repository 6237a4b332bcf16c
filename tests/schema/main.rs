//! The published JSON Schemas: made from the tables of the core, and of one mind with the rules.
//!
//! `UPDATE=1 cargo test -p transcript-tests --test schema` writes them anew.

mod generate;

use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::{Value, json};
use transcript_core::diagnostic::Severity;
use transcript_core::document::Document;
use transcript_core::parse::{Kind, Limits, detect, parse};
use transcript_tests::case_step;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn schema(file: &str) -> Value {
    generate::all().into_iter().find(|(name, _)| *name == file).map(|(_, schema)| schema).unwrap()
}

fn validator(file: &str) -> Validator {
    jsonschema::draft202012::new(&schema(file)).unwrap()
}

/// The schemas that documents are checked with, by the kind of document.
struct Schemas {
    transcript: Validator,
    compact: Validator,
    handlers: Validator,
}

impl Schemas {
    fn new() -> Self {
        Self {
            transcript: validator("transcript.schema.json"),
            compact: validator("compact.schema.json"),
            handlers: validator("handlers.schema.json"),
        }
    }

    fn validator(&self, kind: Kind) -> Option<&Validator> {
        match kind {
            Kind::Full | Kind::Partial => Some(&self.transcript),
            Kind::Compact => Some(&self.compact),
            Kind::Handlers => Some(&self.handlers),
            _ => None,
        }
    }
}

fn texts(folder: &str, extension: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|other| other == extension) {
                found.push((path.clone(), fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn input(fixture: &str) -> &str {
    fixture.split_once('\n').unwrap().1.split("==== ").next().unwrap()
}

/// The examples and the seed's documents.
fn sound() -> Vec<(PathBuf, String)> {
    let mut found = texts("public/examples", "yaml");
    found.extend(
        texts("tests/suite/seeds", "txt").into_iter().map(|(path, text)| (path, input(&text).to_owned())),
    );
    assert!(found.len() > 10);
    found
}

fn data(text: &str) -> Option<(Kind, Value)> {
    let parsed = parse(text, &Limits::default());
    // The value of an unknown alias is unknown to the rules, and null to the schema.
    let is_read = parsed.diagnostics.iter().all(|found| found.severity != Severity::Error);
    let root = parsed.root.filter(|_| parsed.well_formed && is_read)?;
    Some((detect(&root), root.to_value()))
}

/// The codes of errors about structure.
fn errors(text: &str) -> Vec<&'static str> {
    let document = Document::open(text, &Limits::default());
    let errors = document.diagnostics().iter().filter(|found| found.severity == Severity::Error);
    let is_about_structure = |code: &&str| ["T1", "T5", "T6"].iter().any(|start| code.starts_with(start));
    errors.map(|found| found.code).filter(is_about_structure).collect()
}

#[test]
fn the_published_schemas_are_those_of_the_tables() {
    let update = std::env::var_os("UPDATE").is_some();
    for (file, schema) in generate::all() {
        let path = root().join("public/schema").join(file);
        let made = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if update {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &made).unwrap();
        }
        let published = fs::read_to_string(&path).unwrap_or_default();
        assert!(published == made, "{file} is not what the tables say; `UPDATE=1` writes it anew");
    }
}

#[test]
fn every_schema_is_a_schema_and_accepts_its_examples() {
    for (file, schema) in generate::all() {
        if let Err(error) = jsonschema::draft202012::meta::validate(&schema) {
            panic!("{file}: {error}");
        }
        let validator = validator(file);
        let examples = schema["examples"].as_array().unwrap();
        assert!(!examples.is_empty());
        for example in examples {
            assert!(validator.is_valid(example), "{file}: {example}");
        }
        assert!(
            !validator.is_valid(&json!([]))
                && !validator.is_valid(&json!({"rules": 1, "messages": 1, "handlers": 1}))
        );
    }
}

/// Collects keys without a description.
fn undescribed(schema: &Value, at: &str, found: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get("properties") {
                for (key, property) in properties {
                    let is_described = property.is_boolean()
                        || property["description"]
                            .as_str()
                            .is_some_and(|doc| doc.ends_with('.') || doc.contains('\n'));
                    // Conditions repeat a key that is described elsewhere.
                    if !is_described
                        && !at.contains("/if")
                        && !at.contains("/then")
                        && !at.contains("/anyOf")
                        && !at.ends_with("/result")
                    {
                        found.push(format!("{at}/{key}"));
                    }
                }
            }
            for (key, inner) in map {
                undescribed(inner, &format!("{at}/{key}"), found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| undescribed(item, at, found)),
        _ => {}
    }
}

#[test]
fn every_key_says_what_it_is_for() {
    let mut found = Vec::new();
    for (file, mut schema) in generate::all() {
        schema.as_object_mut().unwrap().remove("examples");
        undescribed(&schema, file, &mut found);
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn sound_documents_are_accepted() {
    let schemas = Schemas::new();
    for (path, text) in sound() {
        let (kind, value) = data(&text).unwrap();
        let Some(validator) = schemas.validator(kind) else { panic!("{}", path.display()) };
        if let Err(error) = validator.validate(&value) {
            panic!("{}: {error} at {}", path.display(), error.instance_path());
        }
    }
}

/// Rules and schemas disagree about a document of this kind.
fn disagreement(schemas: &Schemas, kind: Kind, text: &str, value: &Value) -> Option<String> {
    let is_accepted = schemas.validator(kind)?.is_valid(value);
    let errors = errors(text);
    let reported = |codes: &[&str]| errors.iter().any(|code| codes.contains(code));
    if errors.is_empty() && !is_accepted {
        let error = schemas.validator(kind)?.validate(value).err()?;
        return Some(format!(
            "the rules accept what the schema refuses: {error} at {}",
            error.instance_path()
        ));
    }
    (is_accepted && reported(&["T104", "T105", "T107", "T108"]))
        .then(|| format!("the schema accepts what the rules refuse with {errors:?}"))
}

#[test]
fn rules_and_schemas_agree_about_every_fixture() {
    let schemas = Schemas::new();
    let (mut refused, mut failures) = (0, Vec::new());
    for (path, fixture) in texts("tests/suite", "txt") {
        let text = input(&fixture);
        let Some((kind, value)) = data(text) else { continue };
        if errors(text).iter().any(|code| matches!(*code, "T104" | "T108")) {
            refused += 1;
        }
        failures.extend(
            disagreement(&schemas, kind, text, &value).map(|what| format!("{}: {what}", path.display())),
        );
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(refused >= 4, "{refused} fixtures of wrong kinds and missing keys");
}

/// Every place of a document, as a JSON pointer; those that have rules of their own are left out.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    let own =
        ["/assertions", "/expect", "/handlers", "/call", "/result", "/parameters", "/arguments", "/context"];
    if own.iter().any(|end| at.ends_with(end)) {
        return;
    }
    let children: Vec<(String, &Value)> = match value {
        Value::Object(map) => {
            map.iter().map(|(key, inner)| (key.replace('~', "~0").replace('/', "~1"), inner)).collect()
        }
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, inner)| (index.to_string(), inner)).collect()
        }
        _ => return,
    };
    for (step, inner) in children {
        let place = format!("{at}/{step}");
        places(inner, &place, found);
        found.push(place);
    }
}

fn without(value: &Value, place: &str) -> Option<Value> {
    let mut changed = value.clone();
    let (parent, key) = place.rsplit_once('/')?;
    changed.pointer_mut(parent)?.as_object_mut()?.shift_remove(&key.replace("~1", "/").replace("~0", "~"))?;
    Some(changed)
}

#[test]
fn rules_and_schemas_agree_about_single_changes() {
    let schemas = Schemas::new();
    let others = [
        json!("x"),
        json!(7),
        json!(1.5),
        json!(true),
        json!(null),
        json!([]),
        json!({}),
        json!(["x"]),
        json!([7]),
    ];
    let every = case_step(8);
    let (mut cases, mut refused, mut failures) = (0, 0, Vec::new());
    for (path, text) in sound() {
        let (kind, value) = data(&text).unwrap();
        let mut all = Vec::new();
        places(&value, "", &mut all);
        for place in all.into_iter().step_by(every) {
            let replaced = others.iter().filter_map(|other| {
                let mut changed = value.clone();
                *changed.pointer_mut(&place)? = other.clone();
                Some((format!("{place} = {other}"), changed))
            });
            for (what, changed) in
                replaced.chain(without(&value, &place).map(|changed| (format!("{place} removed"), changed)))
            {
                let text = changed.to_string();
                cases += 1;
                refused += usize::from(!schemas.validator(kind).unwrap().is_valid(&changed));
                let found = disagreement(&schemas, kind, &text, &changed);
                failures.extend(
                    found.map(|fault| format!("{} {what}: {fault}", path.file_name().unwrap().display())),
                );
            }
        }
    }
    failures.truncate(40);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(cases > 3000 / every && refused > cases / 4, "{refused} of {cases}");
}

#[test]
fn handlers_are_held_to_what_the_rules_refuse() {
    let validator = validator("handlers.schema.json");
    let rule = |when: Value| json!({"type": "conditional", "rules": [{"when": when, "respond": "Hi"}], "default": "?"});
    let composite = |strategy: Value| json!({"type": "composite", "strategy": strategy, "handlers": [{"type": "queue", "responses": ["Hi"]}]});
    let repeat = |times: Value| json!({"type": "repeat", "respond": "Hi", "times": times});
    let fail = |times: Value| json!({"type": "fail", "times": times});
    let count = |count: Value| rule(json!({"call_count": count}));
    for (handler, is_sound) in [
        (rule(json!({"last_user_contains": "x", "ignore_case": true})), true),
        (rule(json!({"last_user_contain": "x"})), false),
        (rule(json!({"all": [{"not": {"last_role": "user"}}]})), true),
        (rule(json!({"all": [{"not": {"last_rol": "user"}}]})), false),
        (rule(json!("call_count == `1`")), true),
        (count(json!({"at_least": 2})), true),
        (count(json!({"at_leest": 2})), false),
        (count(json!({"min": 2, "lte": 3})), true),
        (composite(json!("round_robin")), true),
        (composite(json!(null)), true),
        (composite(json!("random")), false),
        (repeat(json!(0)), true),
        (repeat(json!(-1)), false),
        (fail(json!(0)), true),
        (fail(json!(-1)), false),
    ] {
        let document = json!({"handlers": {"bot": handler}});
        assert_eq!(validator.is_valid(&document), is_sound, "{document}");
        let errors = errors(&document.to_string());
        assert_eq!(errors.is_empty(), is_sound, "{document}: {errors:?}");
    }
}
