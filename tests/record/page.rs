//! The page about the recorder. `UPDATE=1` writes its table of facts.

use std::fs;

use super::samples;
use serde_json::json;
use transcript_core::parse::{Limits, parse};
use transcript_core::record::{FACTS, Fact, Options, Recorder, journal_header, journal_line, recover};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../public/docs/record.md");

fn block(page: &str, language: &str) -> String {
    let (_, rest) = page.split_once(&format!("```{language}\n")).expect("the page has such a block");
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_journal_of_the_page_gives_its_transcript() {
    let page = fs::read_to_string(PAGE).unwrap();
    let journal = block(&page, "jsonl");
    let recovered = recover(&journal);
    assert!(recovered.problems.is_empty() && recovered.truncated_at.is_none());
    let mut recorder = Recorder::new(Options { name: Some("weather".into()), ..Options::default() });
    for fact in recovered.facts {
        recorder.observe(fact).unwrap();
    }
    assert_eq!(recorder.facts().map(journal_line).collect::<String>(), journal);
    let expected = parse(&block(&page, "yaml"), &Limits::default()).root.unwrap().to_value();
    assert_eq!(recorder.finish().transcript, expected);
}

#[test]
fn the_table_of_facts_is_complete() {
    let page = fs::read_to_string(PAGE).unwrap();
    let rows: String = FACTS
        .iter()
        .map(|row| {
            let keys: Vec<String> = row
                .keys
                .iter()
                .map(|key| format!("`{}`{}", key.name, if key.required { "" } else { "?" }))
                .collect();
            let keys = if keys.is_empty() { "none of its own".to_owned() } else { keys.join(" ") };
            format!("| `{}` | {keys} |\n", row.name)
        })
        .collect();
    let head = "| fact | keys |\n| --- | --- |\n";
    let (before, rest) = page.split_once(head).unwrap();
    let (_, after) = rest.split_once("\nKeys with").unwrap();
    let wanted = format!("{before}{head}{rows}\nKeys with{after}");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(PAGE, &wanted).unwrap();
    }
    assert!(fs::read_to_string(PAGE).unwrap() == wanted, "`UPDATE=1` writes the table anew");
}

#[test]
fn every_recorded_fact_is_one_that_the_schema_accepts() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../public/schema/journal.schema.json");
    let schema = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    for facts in [samples::weather(), samples::parallel(), samples::nested(), samples::conversation()] {
        for fact in super::taken(&facts, Options::default()).facts() {
            let fact = fact.to_value();
            assert!(validator.is_valid(&fact), "{fact}");
        }
    }
    let header = journal_header(&Options { name: Some("weather".into()), ..Options::default() });
    assert!(validator.is_valid(&serde_json::from_str(&header).unwrap()));
    for wrong in [
        json!({"v": 1, "fact": "tool_call", "id": "a", "name": "x"}),
        json!({"v": 1, "fact": "tool_called", "id": "a"}),
        json!({"v": 1, "fact": "agent_left"}),
        json!({"v": 2, "fact": "agent_left", "run": "r"}),
        json!({"v": 1, "fact": "tool_called", "id": "a", "name": "x", "argument": 1}),
    ] {
        assert!(
            !validator.is_valid(&wrong) && (wrong["v"] == 2 || Fact::from_value(&wrong).is_err()),
            "{wrong}"
        );
    }
}
