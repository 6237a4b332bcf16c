//! The prompts for a transcript to a language model, and the assessment of its responses.
//!
//! The cases are fixtures in the format of `tests/suite`: the input is a response; `==== options` is what was wanted, as
//! JSON; `==== finish` is how the response ended; `==== assessment` is its assessment; `==== next` is the next prompt.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use transcript_core::diagnostic::InvalidInput;
use transcript_core::document::{Document, Limits, Options};
use transcript_core::generate::{EXAMPLE_JSON, EXAMPLE_YAML, PromptOptions, schema};
use transcript_core::view::{
    self, AssessedResponse, AssessmentStatus, GenerationView, assess_response, generation_prompt,
};
use transcript_tests::fixture::{self, Fixture};

/// The next state as data.
fn generation_repair(
    state: &Value,
    response: &str,
    finish: &str,
    options: &Options,
) -> Result<Value, InvalidInput> {
    view::generation_repair(state, response, finish, options).map(|next| json!(next))
}

fn options() -> Options {
    Options::default()
}

fn assess(state: &Value, response: &str, finish: &str) -> GenerationView {
    assess_response(state, response, finish, &options()).unwrap()
}

/// The status of a response, for a person to read.
fn summary(view: &GenerationView) -> String {
    let word = serde_json::to_value(view.status).unwrap();
    let mut out = format!("{}, candidates: {}", word.as_str().unwrap(), view.candidates);
    if let Some(replay) = &view.replay {
        let ending = replay.message.as_deref().unwrap_or("complete");
        out.push_str(&format!(", steps: {}, replayed calls: {}, {ending}", view.steps, replay.calls));
    }
    out.push('\n');
    for outcome in &view.assertions {
        out.push_str(&format!("{:?} {}\n", outcome.status, outcome.kind).to_lowercase());
    }
    out.push_str(&view.rendered);
    out
}

#[test]
fn responses() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("generate/cases");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let update = std::env::var_os("UPDATE").is_some();
    let mut failures = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let mut fixture = Fixture::read(&text);
        let wanted = fixture.get("options").map_or(json!({}), |text| serde_json::from_str(text).unwrap());
        let finish = fixture.get("finish").unwrap_or_default().trim().to_owned();
        let state = generation_prompt("A user asks something.", &wanted).unwrap();
        let view = assess(&state, &fixture.input, &finish);
        fixture.set("assessment", summary(&view));
        if fixture.has("text") {
            fixture.set("text", view.text.clone().unwrap_or_default());
        }
        if fixture.has("next") {
            let next = generation_repair(&state, &fixture.input, &finish, &options()).unwrap();
            let request = next["messages"].as_array().and_then(|messages| messages.last());
            fixture.set(
                "next",
                request
                    .map_or("none\n".to_owned(), |request| request["content"].as_str().unwrap().to_owned()),
            );
        }
        let now = fixture.write();
        if now != text {
            if update {
                fs::write(&path, &now).unwrap();
            }
            failures.push(format!("{}:\n{}", path.display(), fixture::difference(&text, &now)));
        }
    }
    assert!(failures.is_empty() || update, "{}\nUPDATE=1 writes what came out", failures.join("\n"));
}

#[test]
fn the_example_is_what_it_teaches() {
    for example in [EXAMPLE_YAML, EXAMPLE_JSON] {
        let document = Document::open(example, &Limits::default());
        assert_eq!(document.diagnostics(), [], "{example}");
        assert!(
            document.check().iter().all(|outcome| outcome.status == transcript_core::check::Status::Passed)
        );
        let view = assess(&Value::Null, &format!("```\n{example}```"), "stop");
        assert_eq!((view.status, view.replay.unwrap().calls), (AssessmentStatus::Ok, 3));
    }
    let data = |text| Document::open(text, &Limits::default()).expanded_yaml().unwrap();
    assert_eq!(data(EXAMPLE_YAML), data(EXAMPLE_JSON));
}

#[test]
fn the_schema_of_a_reply_is_part_of_that_of_the_compact_form() {
    let own = schema(&PromptOptions::default());
    let responses = jsonschema::validator_for(&own).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let compact = fs::read_to_string(root.join("public/schema/compact.schema.json")).unwrap();
    let compact = jsonschema::validator_for(&serde_json::from_str(&compact).unwrap()).unwrap();
    let example: Value = serde_json::from_str(EXAMPLE_JSON).unwrap();
    // Every kind of item and assertion that the schema has.
    let mut all = example.clone();
    all["assertions"] = json!([
        {"final_response_contains": "a"}, {"contains": "a"}, {"not_contains": "a"}, {"tool_called": "f", "parameters": {"a": 1}},
        {"tool_not_called": "f"}, {"tool_call_count": 2, "tool": "f"}, {"tool_sequence": ["f", "g"]},
        {"context_value": "key", "value": [1]}, {"no_errors": true},
    ]);
    let kinds = own["properties"]["assertions"]["items"]["anyOf"].as_array().unwrap();
    assert_eq!(kinds.len(), all["assertions"].as_array().unwrap().len());
    for document in [&example, &all] {
        for (name, schema) in [("own", &responses), ("compact", &compact)] {
            let errors: Vec<String> = schema.iter_errors(document).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{name}: {errors:?}");
        }
    }
    for wrong in [
        json!({"messages": ["user: a", "b"]}),
        json!({"name": "a", "messages": ["user: a"]}),
        json!({"name": "a", "messages": ["user: a", "robot: b"]}),
    ] {
        assert!(!responses.is_valid(&wrong), "{wrong}");
    }
    let tools =
        PromptOptions { tools: vec![json!({"name": "f"})], no_assertions: true, ..PromptOptions::default() };
    let own = jsonschema::validator_for(&schema(&tools)).unwrap();
    assert!(own.is_valid(&json!({"name": "a", "tools": ["f"], "messages": ["user: a", "assistant: b"]})));
    assert!(!own.is_valid(&json!({"name": "a", "tools": ["g"], "messages": ["user: a", "assistant: b"]})));
}

#[test]
fn the_question_says_what_is_wanted() {
    let wanted = json!({
        "name": "multi_city", "turns": 6, "tone": "terse", "edge_cases": ["one call fails"], "tools": [
            {"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "required": ["city"]}}},
            {"name": "time", "input_schema": {"type": "object"}},
        ],
    });
    let state = generation_prompt("Weather in several cities", &wanted).unwrap();
    let user = state["user"].as_str().unwrap();
    for part in [
        "<scenario>\nWeather in several cities\n</scenario>\n",
        "`name` is \"multi_city\".",
        "about 6 turns",
        "speak: \"terse\".",
        "edge cases: \"one call fails\".",
        "{\"name\": \"weather\", \"parameters\": {\"type\": \"object\", \"required\": [\"city\"]}}\n",
        "{\"name\": \"time\", \"parameters\": {\"type\": \"object\"}}\n",
    ] {
        assert!(user.contains(part), "{part}\n---\n{user}");
    }
    assert_eq!(state["messages"][0], json!({"role": "system", "content": state["system"]}));
    assert_eq!(state["messages"][1], json!({"role": "user", "content": state["user"]}));
    assert_eq!(state["schema"]["properties"]["name"], json!({"const": "multi_city"}));
    assert_eq!(
        state,
        generation_prompt("Weather in several cities", &wanted).unwrap(),
        "the same bytes every time"
    );
    let json = generation_prompt("x", &json!({"format": "json", "assertions": false})).unwrap();
    assert!(json["user"].as_str().unwrap().ends_with("what they are in the form above.\n"));
    assert!(json["user"].as_str().unwrap().contains("no `assertions`"));
    assert!(!json["system"].as_str().unwrap().contains("```"));
}

#[test]
fn slips_in_options_are_reported() {
    for (options, words) in [
        (json!({"tool": []}), "unknown option `tool`; did you mean `tools`?"),
        (json!({"turns": 0}), "`turns` must be at least 1"),
        (json!({"turns": "many"}), "`turns`: expected an integer up to 1000"),
        (json!({"tone": " "}), "`tone` is empty"),
        (json!({"tools": [{"nme": "f"}]}), "a tool is a name, or a map with a `name`"),
        (json!({"tools": ["f", {"name": "f"}]}), "duplicate tool `f`"),
        (
            json!({"tools": ["get weather"]}),
            "the tool `get weather` has a name with white space or one of `( ) : # ! ,` in it",
        ),
        (json!({"format": "xml"}), "`format` must be `yaml` or `json`"),
        (json!({"rounds": 99}), "`rounds`: expected an integer up to 20"),
        (json!([]), "options: expected a map"),
    ] {
        assert_eq!(generation_prompt("x", &options).unwrap_err().to_string(), words);
    }
    assert!(
        assess_response(&Value::Null, "x", "done", &options()).unwrap_err().to_string().contains("`done`")
    );
    assert!(
        generation_repair(&Value::Null, "x", "", &options()).unwrap_err().to_string().contains("no messages")
    );
}

const BROKEN: &str = "```yaml\nmessages:\n  - \"user: Hi\"\n  - \"asistant: Hello!\"\n```\n";

#[test]
fn a_reply_is_mended_at_most_so_often() {
    let mut state = generation_prompt("Say hello.", &json!({"rounds": 2})).unwrap();
    let first = state["messages"].clone();
    for round in 1..=2 {
        state = generation_repair(&state, BROKEN, "stop", &options()).unwrap();
        assert_eq!(state["round"], round);
        let messages = state["messages"].as_array().unwrap();
        assert_eq!(messages.len(), 4, "the question does not grow");
        assert_eq!(messages[..2], first.as_array().unwrap()[..]);
        assert_eq!(messages[2], json!({"role": "assistant", "content": BROKEN}));
        assert!(messages[3]["content"].as_str().unwrap().contains("transcript.yaml:3:"));
    }
    assert_eq!(generation_repair(&state, BROKEN, "stop", &options()).unwrap(), Value::Null);
    let none = generation_prompt("Say hello.", &json!({"rounds": 0})).unwrap();
    assert_eq!(generation_repair(&none, BROKEN, "stop", &options()).unwrap(), Value::Null);
}

#[test]
fn the_lines_that_are_reported_are_those_of_the_transcript_that_is_sent_back() {
    let tools = json!([{"name": "f", "parameters": {"type": "object", "required": ["a"]}}]);
    let state = generation_prompt("Call f.", &json!({"tools": tools})).unwrap();
    let response = "```yaml\ntools: [f]\nmessages:\n  - \"user: Hi\"\n  - \"assistant:call f()\"\n  - \"tool:f: 1\"\n  - \"assistant: One\"\n```";
    let next = generation_repair(&state, response, "stop", &options()).unwrap();
    let line: usize = {
        let request = next["messages"][3]["content"].as_str().unwrap();
        let place = request.split("transcript.yaml:").nth(1).unwrap();
        place.split(':').next().unwrap().parse().unwrap()
    };
    let sent = next["messages"][2]["content"].as_str().unwrap();
    assert_eq!(sent.lines().nth(line).unwrap().trim(), "- \"assistant:call f()\"", "{sent}");
}

#[test]
fn a_reply_that_was_cut_off_goes_on() {
    let prompt = generation_prompt("Say hello.", &json!({})).unwrap();
    let begin = "```yaml\nname: a\nmessages:\n  - \"user: Hi\"\n  - \"assistant: Hel";
    assert_eq!(assess(&prompt, begin, "length").status, AssessmentStatus::Truncated);
    let next = generation_repair(&prompt, begin, "length", &options()).unwrap();
    let request = next["messages"][3]["content"].as_str().unwrap();
    assert!(request.contains("Its last whole line is \"  - \\\"user: Hi\\\"\"."), "{request}");
    let rest = "```yaml\n  - \"assistant: Hello!\"\n```";
    let whole = assess(&next, rest, "stop");
    assert_eq!(whole.status, AssessmentStatus::Ok);
    assert_eq!(whole.text.unwrap(), "name: a\nmessages:\n  - \"user: Hi\"\n  - \"assistant: Hello!\"\n");
    // A model that begins anew is fine, too.
    let anew = "```yaml\nmessages: [\"user: Hi\", \"assistant: Hello!\"]\n```";
    assert_eq!(assess(&next, anew, "stop").status, AssessmentStatus::Ok);
    // The second prompt wants less.
    let again = generation_repair(&next, "  - \"assistant: Hello, and", "length", &options()).unwrap();
    assert!(again["messages"][3]["content"].as_str().unwrap().contains("half the words"));
    assert_eq!(again["partialResponse"], Value::Null);
}

/// A model that goes on does so with a fence, with the end of the one it had opened, or without, anew or within the line.
#[test]
fn what_goes_on_without_a_fence_is_joined() {
    let prompt = generation_prompt("Say hello.", &json!({})).unwrap();
    let begin = "```yaml\nname: a\nmessages:\n  - \"user: Hi\"\n  - \"assi";
    let next = generation_repair(&prompt, begin, "length", &options()).unwrap();
    let wanted = "name: a\nmessages:\n  - \"user: Hi\"\n  - \"assistant: Hello!\"\n";
    for rest in [
        "  - \"assistant: Hello!\"\n```",
        "  - \"assistant: Hello!\"",
        "- \"assistant: Hello!\"\n```\n",
        "stant: Hello!\"\n```",
        "stant: Hello!\"",
        "```yaml\nstant: Hello!\"\n```",
        "```\n  - \"assistant: Hello!\"",
        "Sure, here is the rest:\n\n  - \"assistant: Hello!\"\n",
    ] {
        let whole = assess(&next, rest, "stop");
        assert_eq!((whole.status, whole.text.as_deref()), (AssessmentStatus::Ok, Some(wanted)), "{rest}");
    }
}

#[test]
fn what_is_kept_is_not_lost_to_the_next_question() {
    let prompt = generation_prompt("Say hello.", &json!({})).unwrap();
    let begin = "```yaml\nname: a\nmessages:\n  - \"user: Hi\"\n  - \"assi";
    let next = generation_repair(&prompt, begin, "length", &options()).unwrap();
    for silent in ["", "All done, have fun with it!"] {
        let view = assess(&next, silent, "stop");
        assert_eq!(view.status, AssessmentStatus::Truncated, "{silent}");
        assert!(view.text.unwrap().starts_with("name: a\nmessages:\n  - \"user: Hi\"\n"));
        let again = generation_repair(&next, silent, "stop", &options()).unwrap();
        assert_eq!(again["partialResponse"], next["partialResponse"], "{silent}");
        assert!(again["messages"][2]["content"].as_str().unwrap().contains("- \"user: Hi\"\n"));
        assert_eq!(assess(&again, "  - \"assistant: Hello!\"", "stop").status, AssessmentStatus::Ok);
    }
    // What was cut off a second time, further on, goes on from there.
    let more = "  - \"assistant: Hello!\"\n  - \"user: Bye\"\n  - \"assist";
    let again = generation_repair(&next, more, "length", &options()).unwrap();
    let whole = assess(&again, "  - \"assistant: Bye!\"\n```", "stop");
    let messages =
        "  - \"user: Hi\"\n  - \"assistant: Hello!\"\n  - \"user: Bye\"\n  - \"assistant: Bye!\"\n";
    assert_eq!(whole.text.unwrap(), format!("name: a\nmessages:\n{messages}"));
    // The whole needs a repair, not its end.
    let mend = generation_repair(&next, "  - \"asistant: Hello!\"\n```", "stop", &options()).unwrap();
    assert!(mend["messages"][2]["content"].as_str().unwrap().contains("- \"user: Hi\"\n"));
}

#[test]
fn a_prompt_comes_again_after_a_reply_that_says_nothing() {
    let prompt = generation_prompt("Say hello.", &json!({})).unwrap();
    let next = generation_repair(&prompt, " \n", "stop", &options()).unwrap();
    let roles: Vec<&str> =
        next["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "user"]);
    assert_eq!(generation_repair(&prompt, "I can't do that.", "stop", &options()).unwrap(), Value::Null);
}

#[test]
fn any_text_is_a_reply() {
    let prompt = generation_prompt("Say hello.", &json!({"tools": ["f"]})).unwrap();
    for (_, text) in transcript_tests::inputs().into_iter().filter(|(_, text)| text.len() < 1000) {
        let fenced = format!("Here:\n```yaml\n{text}\n```\nDone.");
        for (response, finish) in [(text, "length"), (fenced, "")] {
            let view = assess(&prompt, &response, finish);
            assert_eq!(view.ok, view.status == AssessmentStatus::Ok);
            assert!(!view.ok || view.diagnostics.iter().all(|found| found.severity.word() != "error"));
        }
    }
}

#[test]
fn the_page_reads_a_reply_as_it_is_written() {
    let response = "```yaml\nname: hello\nmessages: ['user: Hi', 'asistant: Hello!']\n```";
    let view = assess(&Value::Null, response, "stop");
    let AssessedResponse { ok, status, text, name, diagnostics } =
        serde_json::from_value(json!(view)).unwrap();
    assert_eq!((ok, status, text, name), (view.ok, view.status, view.text.clone(), view.name.clone()));
    assert!(view.text.is_some() && view.name.is_some() && !view.diagnostics.is_empty());
    let read: Vec<_> = diagnostics.iter().map(|found| (found.severity, &found.message, found.line)).collect();
    let written = view.diagnostics.iter();
    let written: Vec<_> = written.map(|found| (found.severity, &found.message, found.place.line)).collect();
    assert_eq!(read, written);
}

#[test]
fn a_state_is_read_as_it_is_written() {
    let state = generation_prompt("Say hello.", &json!({})).unwrap();
    let mut bare = state.clone();
    let entries = bare.as_object_mut().unwrap();
    for key in ["round", "rounds", "partialResponse", "options"] {
        entries.shift_remove(key);
    }
    let next = |state: &Value| generation_repair(state, BROKEN, "stop", &options()).unwrap();
    // What is missing has the defaults, and no state has more rounds than the most.
    assert_eq!((&next(&bare)["round"], &next(&bare)["rounds"]), (&json!(1), &json!(3)));
    bare["rounds"] = json!(1000);
    assert_eq!(next(&bare)["rounds"], 20);
    bare["rounds"] = json!("many");
    let error = generation_repair(&bare, BROKEN, "stop", &options()).unwrap_err().to_string();
    assert_eq!(error, "`state.rounds`: expected a whole number");
}
