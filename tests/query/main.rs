//! The expression language, case by case: what it gives of given data, or that it is an error.

use serde_json::Value;
use transcript_core::model::{RUN_VARIABLES, VARIABLES};
use transcript_core::query::{Budget, Expression, Template};

fn check(file: &str) {
    let groups: Value = serde_json::from_str(file).unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for group in groups.as_array().unwrap() {
        for case in group["cases"].as_array().unwrap() {
            let text = case["expression"].as_str().unwrap();
            let result = Expression::compile(text)
                .and_then(|expression| expression.evaluate(&group["given"], &mut Budget::default()));
            let actual = match (&result, case.get("result")) {
                (Ok(value), Some(wanted)) => value == wanted,
                (Err(error), None) => {
                    assert_eq!(case["error"], true, "{text}");
                    text.get(error.at.clone()).is_some() && !error.message.is_empty()
                }
                _ => false,
            };
            if !actual {
                wrong.push(format!("{}: `{text}` gave {result:?}, not {case}", group["about"]));
            }
            count += 1;
        }
    }
    assert!(count > 100, "{count} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_language() {
    check(include_str!("language.json"));
}

#[test]
fn the_functions() {
    check(include_str!("functions.json"));
}

fn filled(text: &str) -> String {
    let data = serde_json::json!({
        "last_user": "Hi", "n": 1.5, "list": [1, {"a": "é"}], "none": null, "o": {"a": {"b": 2}}
    });
    match Template::compile(text).and_then(|template| template.fill(&data, &mut Budget::default())) {
        Ok(filled) => filled,
        Err(error) => format!("{}: {}", text.get(error.at).unwrap_or("no place"), error.message),
    }
}

#[test]
fn templates() {
    for (text, wanted) in [
        ("", ""),
        ("plain } { text }}", "plain } { text }}"),
        ("{{last_user}}, {{ n }}{{ none }}!", "Hi, 1.5!"),
        ("{{ list }}", r#"[1, {"a": "é"}]"#),
        ("{{ '{{' }} and {{ '}}' }}", "{{ and }}"),
        ("{{ {a: {b: o.a.b}} }}", r#"{"a": {"b": 2}}"#),
        ("{{{a: n}}}", r#"{"a": 1.5}"#),
        ("{{ `{\"a\": {\"b\": 1}}` }}", r#"{"a": {"b": 1}}"#),
        ("é {{ }}", "{{: expected an expression between `{{` and `}}`"),
        ("é {{ last_user", "{{: `{{` is not closed"),
        ("é {{ 'a }} x", "{{: a quote in the expression after `{{` is not closed"),
        ("é {{ a {{ b }}", "{{: `{{` is not closed"),
        ("é {{ {a: n }} x", "{: `{` is not closed"),
        ("é {{ n }} {{ n ==}}", "==: expected an expression after `==`"),
        ("é {{ sort(n) }}", "n: `sort`: expected an array, found a number"),
    ] {
        assert_eq!(filled(text), wanted, "{text}");
    }
}

#[test]
fn a_template_knows_what_it_reads() {
    let text = "é {{ a.b }} and {{ c | d }}";
    let template = Template::compile(text).unwrap();
    let names: Vec<String> = template.variables().map(|variable| text[variable.at].to_owned()).collect();
    assert_eq!(names, ["a", "c"]);
    assert!(template.reads("c") && !template.reads("d") && !template.is_plain());
    assert!(Template::compile("a").unwrap().is_plain());
}

/// The expressions of the page read variables that there are, in a handler or in an assertion.
#[test]
fn the_examples_of_the_page() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/docs/expressions.md");
    let page = std::fs::read_to_string(path).unwrap().replace("\\|", "|");
    let mut count = 0;
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cell = line[2..].rsplit_once(" | ").unwrap().0;
        let ticks = cell.len() - cell.trim_start_matches('`').len();
        let fence = "`".repeat(ticks);
        for text in cell.split(&format!("{fence}, {fence}")) {
            let text = text.trim_start_matches(&fence).trim_end_matches(&fence).trim();
            let expression = Expression::compile(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            for variable in expression.variables() {
                let known = VARIABLES.iter().chain(&RUN_VARIABLES).any(|known| known.name == variable.name);
                assert!(known, "{text}: {}", variable.name);
            }
            count += 1;
        }
    }
    assert!(count >= 12, "{count} examples");
}
