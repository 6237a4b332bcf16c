//! The published table of assertions is the one that the core reads.

use std::fs;
use std::path::Path;

use transcript_core::model::{
    ASSERTION_FIELDS, ASSERTION_TYPES, Field, RUN_VARIABLES, SEQUENCE_MODES, Shape,
};

const HEAD: &str = "# Assertions

An assertion states what a run must do:

```yaml
name: weather
messages:
  - \"user: What's the weather in Rome?\"
  - \"assistant:call weather(city='Rome')\"
  - \"tool:weather: {temp: 21}\"
  - \"assistant: It's 21°C.\"
assertions:
  - {tool_called: weather, parameters: {city: Rome}}
  - {contains: \"21\", ignore_case: true}
  - {type: max_turns, value: 5}
```

`transcript check run.yaml` checks them against the recording, and `transcript check run.yaml --run actual.json` against a run of your
agent. `transcript validate` checks them too (T503). For patterns and JMESPath expressions, it only reports syntax errors (T505).
In the workbench, right-click a message or an argument in the inspector to add an assertion about it.

## Where to write assertions

| Document | Place |
| --- | --- |
| full transcript | `final_state.assertions` |
| compact transcript | `assertions`, or an item `{expect: ...}` in `messages`, which applies to the message before it |

In the compact form, the type can be the key: `{contains: \"72\"}` is `{type: contains, pattern: \"72\"}`. The tables below mark the
field that the value is for as *short form*. Unknown fields are errors.

- Text is compared exactly, unless you set `ignore_case: true`.
- `tool_called.parameters` lists some of the arguments: a call may have others.
- Assertions apply to the run that they are in. `no_errors` and `tool_not_called` also check nested runs.
- With `agent`, an assertion applies to that agent only: to its nested runs, or to its part of a shared run.
- [Expressions](expressions.md) describes patterns, JMESPath and their limits.

## Modes of `tool_sequence`

| Mode | The calls |
| --- | --- |
| `strict` (default) | are these, in this order |
| `unordered` | are these, in any order |
| `subset` | are some or all of these, and no others |
| `superset` | are all of these, and possibly others |

Each tool counts as often as it is listed.

## Outcomes

| Outcome | When |
| --- | --- |
| `passed` | the run matches |
| `failed` | the run does not match |
| `error` | the assertion cannot be evaluated; this never counts as passed |

These are errors:

- A field is missing or invalid, or a pattern or expression is invalid or exceeds its limits.
- The run has no such message, or lacks the data, such as turns or token counts.
- The assertion could never fail: an empty `pattern`, an unknown role or variable, or a count of calls of a tool that is neither
  called nor declared.
- The document or the run cannot be read completely. Then there is a single error.

Each outcome has evidence: up to 20 items with the step, the message, the path, the expected and the actual value. Long values are shortened.

An actual run with unknown keys is refused, unless they are empty. Message keys can be in camelCase, and content can have the call and result
parts of the AI SDK or Anthropic. A call that `failed` and a tool message with `is_error` count as errors of the run.

## Variables

The expression of `expr` sees the run at its end:

| Variable | Value | What it is |
| --- | --- | --- |
";

fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::Text | Shape::Name(_) | Shape::Known(_) => "string",
        Shape::Bool => "boolean",
        Shape::Integer => "integer",
        Shape::Open => "map",
        Shape::List(_) => "list of strings",
        Shape::Any => "anything",
        other => panic!("no word for {other:?}"),
    }
}

fn row(field: &Field, mark: &str) -> String {
    let need = if field.required { "needed" } else { "" };
    format!("| `{}`{mark} | {} | {need} | {} |\n", field.name, kind(field.shape), field.doc)
}

/// What the evidence of a type shows.
fn evidence(name: &str) -> &'static str {
    match name {
        "contains" | "final_response_contains" => {
            "the message, with the text around the match. Without a match, the text around the closest one: in another \
             case, or the longest word, or the beginning."
        }
        "not_contains" => "the message, with the text around the match.",
        "matches" => "the message, with the text around the match, or its beginning.",
        "equals" => {
            "the message, with the first difference: the character and the text around it, or the path in data."
        }
        "tool_called" => {
            "the matching call. Without one, each call of the tool with the path of its first different argument, or the \
             tools that are called."
        }
        "tool_not_called" => "each matching call.",
        "tool_call_count" => "the count, and the place of each counted call.",
        "tool_sequence" => {
            "both lists around the first difference. With `strict`, the first different call; with other modes, each missing \
             name and each extra call."
        }
        "context_value" => "the key with both values, and the path of their first difference.",
        "message_count" => "the count, and the place of each counted message.",
        "visible" => "the message, and whether it is visible.",
        "max_tokens" | "max_turns" => "both numbers.",
        "no_errors" => "each failure, with its step and message.",
        "json_path" => "the message with both values, or the beginning of a text that is not JSON.",
        "expr" => {
            "the value, both sides of the comparison that is false, and the variables that the expression reads."
        }
        other => panic!("no word for the evidence of {other}"),
    }
}

fn page() -> String {
    let mut out = HEAD.to_owned();
    for variable in &RUN_VARIABLES {
        out.push_str(&format!("| `{}` | {} | {} |\n", variable.name, variable.kind, variable.doc));
    }
    out.push('\n');
    let table = "| field | kind | | |\n|---|---|---|---|\n";
    out.push_str(&format!("## All types\n\n{table}"));
    ASSERTION_FIELDS.iter().for_each(|field| out.push_str(&row(field, "")));
    for assertion in ASSERTION_TYPES {
        out.push_str(&format!("\n## {}\n\n{}\n", assertion.name, assertion.doc));
        if !assertion.one_of.is_empty() {
            let names: Vec<String> = assertion.one_of.iter().map(|name| format!("`{name}`")).collect();
            out.push_str(&format!("Set at least one of {}.\n", names.join(", ")));
        }
        out.push_str(&format!("\nEvidence: {}\n", evidence(assertion.name)));
        if !assertion.fields.is_empty() {
            out.push_str(&format!("\n{table}"));
        }
        for field in assertion.fields {
            out.push_str(&row(field, if assertion.short == Some(field.name) { " (short form)" } else { "" }));
        }
    }
    out
}

#[test]
fn the_page_is_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/docs/assertions.md");
    let page = page();
    assert!(SEQUENCE_MODES.iter().all(|mode| page.contains(&format!("`{mode}`"))));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), page, "UPDATE=1 writes the page");
}
