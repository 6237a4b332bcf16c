//! The published table of assertions is the one that the core reads.

use std::fs;
use std::path::Path;

use transcript_core::model::{
    ASSERTION_FIELDS, ASSERTION_TYPES, Field, RUN_VARIABLES, SEQUENCE_MODES, Shape,
};

const HEAD: &str = "# Assertions

An assertion says what a run has to be. It stands in `final_state.assertions` of a full transcript; in a
compact one in `assertions`, or in an item `{expect: ...}`, where an assertion about what a message says
speaks of the one before it.

In the compact form, the type may be the key: `{contains: \"72\"}` is `{type: contains, pattern: \"72\"}`.
The field that the value then stands for is marked below. `tool_called.parameters` is a part of the
arguments: a call may have others; `arguments` is read as the same. A field that a type does not have is an error,
whatever its name. Texts are compared as they are; `ignore_case: true` changes that,
letter by letter, so that a final sigma is a sigma.
`transcript validate` checks assertions against the run they stand in (T503), save for the types with
patterns and JMESPath expressions, of which it tells whether they can be read (T505).

`tool_sequence` compares in one of four modes, each tool as often as it is listed. `strict`, which is meant
when none is named: these calls in this order and no others. `unordered`: these and no others, in any order.
`subset`: no other calls than these, of which some may be left out. `superset`: all of these, and perhaps
others.

## Outcomes

Assertions are held against the recording itself or against an actual run, those of the run of another agent against
that run. Each has an outcome: `passed`; `failed`; or `error`, when it cannot be told, since the assertion is unusable
(a field is missing or of the wrong kind, a pattern or expression cannot be read, the run has no such message) or since
the run does not say what is asked (turns, or the tokens of all answers). What could only pass asks nothing, and is an
error too: an empty text to be contained, a role or a variable that nobody knows, a count of calls of a tool that is
never called and not among those which the document declares. A document or a run that cannot be read whole has one
outcome, an error. An error never counts as passed. With the outcome comes its
evidence: pieces that name a step, a message and a path, what was expected there and what stands there. Long texts and
large data are cut there, and twenty pieces are given at most. What the evidence of each type shows is said below.

`no_errors` and `tool_not_called` see the runs of other agents inside the run too; all others see the run itself.
With `agent` an assertion sees what that agent did, in all its runs inside this one, or in its part of a run that several
have together.

An actual run is refused when it has a key that is not known, save for one that holds nothing. The keys of messages may
be in camel case, and contents may have the parts of the AI SDK or of Anthropic that are calls and results. A call that
`failed` and a tool message with `is_error` are errors of the run, also where its own list of errors is empty.

What patterns and expressions may hold is said in [Expressions](expressions.md). They have a budget; one that would
use it up is an error.

## Variables

The expression of `expr` sees the run as it was when it ended:

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
            "the message, with what is around the text; if it is not there, what is around its nearest likeness: the \
             text in other case, else its longest word, else the beginning."
        }
        "not_contains" => "the message, with what is around the text if it is there.",
        "matches" => "the message, with what is around the match, or its beginning.",
        "equals" => {
            "the message; where texts part, the character and what is around it; of data, the first path that differs."
        }
        "tool_called" => {
            "the call that fits; if none does, each call of the tool with the path of the first argument that differs, \
             or the tools that are called."
        }
        "tool_not_called" => "each call that there is to be none of.",
        "tool_call_count" => "the count, and the place of each call that counts.",
        "tool_sequence" => {
            "both lists around the first difference; under `strict` the call where they part, under the others each \
             name that is missing and each call that is too many."
        }
        "context_value" => "the key with both values, and the path of the first difference in them.",
        "message_count" => "the count, and the place of each message that counts.",
        "visible" => "the message, and whether it is visible.",
        "max_tokens" | "max_turns" => "both numbers.",
        "no_errors" => "each failure with its step and what it says.",
        "json_path" => "the message with both values, or the beginning of a text that is no JSON.",
        "expr" => {
            "the value; where a comparison made it false, both of its sides; and the variables that the expression \
             reads."
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
            out.push_str(&format!("One of {} at least has to be there.\n", names.join(", ")));
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
