//! Trajectories of harbor.

use serde_json::{Value, json};
use transcript_core::diagnostic::Severity;
use transcript_core::document::{Document, Limits, detection};
use transcript_core::export::Settings;
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, fixture, outline};

fn import(text: &str, session: Option<&str>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path: "trajectory.json", text }], &options).unwrap()
}

fn trajectory(steps: &Value) -> String {
    json!({"schema_version": "ATIF-v1.5", "session_id": "s", "agent": {"name": "coder", "version": "2"}, "steps": steps})
        .to_string()
}

fn diagnostic_lines(view: &ImportView) -> Vec<String> {
    let all = view.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{} {}", found.code, found.message)).collect()
}

/// The steps of a run as a trajectory.
fn exported(transcript: &Value) -> Value {
    let document = Document::open(&transcript_core::write::yaml(transcript), &Limits::default());
    let made = document.exported("atif", &Settings::default()).unwrap();
    serde_json::from_str(&made.text.unwrap()).unwrap()
}

#[test]
fn the_sample_is_a_run_with_a_run_inside() {
    let text = fixture("atif-v1.8.trajectory.json");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("atif-trajectory", "certain"));
    assert_eq!(found.reason, "its `schema_version` is `ATIF-v1.8`");
    let view = import(&text, None);
    assert!(view.ok && diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
    let run = &view.transcript;
    assert_eq!(errors(run), ["T210: the tool `delegate` is not declared"]);
    assert_eq!(
        outline(run),
        [
            "system: You are a coding agent.",
            "user: Fix the bug",
            r#"calls read_file({"path": "main.rs"}), delegate({"task": "review"})"#,
            "read_file -> fn main(){}",
            "delegate -> ok",
            "says: Done.",
        ]
    );
    assert_eq!(run["agent_config"]["model"], "claude-sonnet-4");
    assert_eq!(run["agent_config"]["tools"][0]["name"], "read_file");
    let answer = &run["execution"][0]["llm_response"];
    assert_eq!(answer["reasoning"], "I should look");
    assert_eq!(answer["usage"]["prompt_tokens"], 100);
    assert_eq!(answer["usage"]["cost_usd"], 0.001);
    assert_eq!(answer["metadata"]["line"], 42);
    let nested = &run["execution"][2]["tool_call"]["result"];
    assert_eq!((&nested["type"], &nested["agent_id"]), (&json!("nested_agent_result"), &json!("reviewer")));
    assert_eq!(outline(&nested["nested_transcript"]), ["user: review", "says: ok"]);
    // The four steps of the run and the two of the run inside.
    assert_eq!(view.files[0].report.used.len(), 6);
}

#[test]
fn a_run_that_was_written_as_a_trajectory_comes_back() {
    let text = r#"
version: "1.0"
metadata: {name: weather, tags: [a]}
agent_config: {name: weather, version: "3", model: gpt-5, temperature: 0.5, tools: [{name: lookup, parameters: {type: object}}]}
initial_state:
  context: {city: Oslo}
  message_store: [{id: hello, role: user, content: Hi, metadata: {from: web}}]
execution:
  - {turn: 1, type: llm_call, timestamp: "2026-05-01T10:00:00Z", llm_error: {type: overloaded, message: later}}
  - turn: 2
    type: llm_call
    llm_config: {seed: 7}
    llm_response: {content: "", reasoning: look it up, finish_reason: tool_calls, id: r1, model: gpt-5-mini, usage: {prompt_tokens: 9, completion_tokens: 4}, tool_calls: [{id: c1, type: function, function: {name: lookup, arguments: '{"city": "Oslo"}'}}, {id: c2, type: function, function: {name: lookup, arguments: '{}'}}]}
    message_created: {id: msg_001, role: assistant, content: "", tool_calls: [{id: c1, type: function, function: {name: lookup, arguments: {city: Oslo}}}, {id: c2, type: function, function: {name: lookup, arguments: {}}}]}
    state_changes: {context: {asked: true}, visible: {hello: false}}
  - {turn: 3, type: tool_call, tool_call: {id: c1, tool_name: lookup, parameters: {city: Oslo}, result: {temp: 4}, success: true}, message_created: {id: msg_002, role: tool, tool_call_id: c1, tool_name: lookup, content: cold}}
  - {turn: 4, type: tool_call, tool_call: {id: c2, tool_name: lookup, parameters: {}, result: null, success: false, error: no city}, message_created: {id: msg_003, role: tool, tool_call_id: c2, tool_name: lookup, content: no city}}
  - {turn: 5, type: llm_call, llm_response: {content: It is cold.}, message_created: {id: msg_004, role: assistant, content: It is cold.}}
  - {turn: 6, type: message, message_created: {id: thanks, role: user, content: Thanks}}
"#;
    let document = Document::open(text, &Limits::default());
    assert!(document.diagnostics().iter().all(|found| found.severity != Severity::Error));
    let made = document.exported("atif", &Settings::default()).unwrap();
    let view = import(&made.text.unwrap(), None);
    assert!(view.ok && diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
    let run = &view.transcript;
    assert_eq!(errors(run), Vec::<String>::new());
    assert_eq!(
        outline(run),
        [
            "user: Hi",
            "fails: later",
            r#"calls lookup({"city": "Oslo"}), lookup({})"#,
            "lookup -> cold",
            "lookup fails: no city",
            "says: It is cold.",
            "user: Thanks",
        ]
    );
    let hello = &run["initial_state"]["message_store"][0];
    assert_eq!((&hello["id"], &hello["metadata"]["from"]), (&json!("hello"), &json!("web")));
    assert_eq!(run["execution"][5]["message_created"]["id"], "thanks");
    assert_eq!(run["metadata"]["tags"], json!(["a"]));
    let config = &run["agent_config"];
    assert_eq!(
        (&config["temperature"], &config["version"], &config["model"]),
        (&json!(0.5), &json!("3"), &json!("gpt-5"))
    );
    assert_eq!(run["initial_state"]["context"]["city"], "Oslo");
    let call = &run["execution"][1];
    assert_eq!(call["state_changes"], json!({"context": {"asked": true}, "visible": {"hello": false}}));
    assert_eq!(call["llm_config"], json!({"seed": 7}));
    let answer = &call["llm_response"];
    assert_eq!(
        (&answer["finish_reason"], &answer["id"], &answer["model"]),
        (&json!("tool_calls"), &json!("r1"), &json!("gpt-5-mini"))
    );
    assert_eq!(answer["usage"], json!({"prompt_tokens": 9, "completion_tokens": 4}));
    assert_eq!(run["execution"][2]["tool_call"]["result"], json!({"temp": 4}));
    assert_eq!(run["final_state"]["context"], json!({"city": "Oslo", "asked": true}));
    assert!(!run["final_state"]["visible_messages"].as_array().unwrap().contains(&json!("hello")));
}

#[test]
fn a_trajectory_that_was_imported_is_written_as_it_was() {
    let text = fixture("atif-v1.8.trajectory.json");
    let original: Value = serde_json::from_str(&text).unwrap();
    let made = exported(&import(&text, None).transcript);
    // Ids of trajectories are those of the export, and it says what else a run has under `extra`.
    let plain = |step: &Value| {
        let mut step = step.clone();
        let map = step.as_object_mut().unwrap();
        map.shift_remove("extra");
        map.shift_remove("llm_call_count");
        if let Some(metrics) = map.get_mut("metrics") {
            metrics.as_object_mut().unwrap().retain(|key, _| key.ends_with("_tokens"));
        }
        for result in map
            .get_mut("observation")
            .map(|observation| observation["results"].as_array_mut().unwrap())
            .into_iter()
            .flatten()
        {
            let result = result.as_object_mut().unwrap();
            result.shift_remove("extra");
            if let Some(reference) = result.get_mut("subagent_trajectory_ref") {
                *reference = json!("a reference");
                result.shift_remove("content");
            }
        }
        step
    };
    let steps =
        |trajectory: &Value| trajectory["steps"].as_array().unwrap().iter().map(plain).collect::<Vec<_>>();
    assert_eq!(steps(&made), steps(&original));
    assert_eq!(steps(&made["subagent_trajectories"][0]), steps(&original["subagent_trajectories"][0]));
    for key in ["name", "version", "model_name", "tool_definitions"] {
        assert_eq!(made["agent"][key], original["agent"][key], "{key}");
    }
}

#[test]
fn a_second_result_of_a_call_is_reported_as_one() {
    let result = |content: &str| json!({"source_call_id": "k", "content": content});
    let text = trajectory(&json!([
        {"step_id": 1, "source": "agent", "message": "", "tool_calls": [{"tool_call_id": "k", "function_name": "bash", "arguments": {}}],
            "observation": {"results": [result("once"), result("twice")]}},
        {"step_id": 2, "source": "agent", "message": "End", "observation": {"results": [result("again")]}},
    ]));
    let view = import(&text, None);
    assert_eq!(
        outline(&view.transcript),
        ["calls bash({})", "bash -> once", "user: twice", "says: End", "user: again"]
    );
    let again = "T905 the call `k` already has a result";
    assert_eq!(diagnostic_lines(&view), [again, again]);
}

#[test]
fn a_result_that_stands_in_a_later_step_is_that_of_its_call() {
    let text = trajectory(&json!([
        {"step_id": 1, "source": "agent", "message": "", "tool_calls": [{"tool_call_id": "k", "function_name": "bash", "arguments": {}}]},
        {"step_id": 2, "source": "agent", "message": "Waiting", "observation": {"results": [{"source_call_id": "k", "content": "late"}]}},
    ]));
    let view = import(&text, None);
    assert_eq!(outline(&view.transcript), ["calls bash({})", "bash -> late", "says: Waiting"]);
    let late = "T905 the result of the call `k` comes after another model response";
    assert_eq!(diagnostic_lines(&view), [late]);
}

/// Each kind is reported once, at the first place, and not as often as it occurs.
#[test]
fn what_is_odd_in_many_steps_is_reported_once() {
    let step = |at: usize| {
        let source = if at.is_multiple_of(2) { json!("agent") } else { Value::Null };
        json!({"step_id": 7, "source": source, "message": "Hi", "observation": {"results": [
            {"source_call_id": format!("c{at}"), "content": "x"}]}})
    };
    let text = trajectory(&(0..10_000).map(step).collect());
    let view = import(&text, None);
    assert_eq!(
        diagnostic_lines(&view),
        [
            "T905 5000 results have no earlier call; the first: no step has the call `c0` of this \
             result",
            "T903 9999 steps have a duplicate `step_id`; the first: duplicate `step_id` 7",
            "T903 5000 steps have no source; the first: this step has no source; it is kept in `metadata`",
        ]
    );
    assert_eq!(view.transcript["execution"].as_array().unwrap().len(), 10_000);
}

#[test]
fn an_observation_without_a_call_is_what_the_agent_saw() {
    let text = trajectory(&json!([
        {"step_id": 1, "source": "user", "message": "Go"},
        {"step_id": 2, "source": "agent", "message": "ls", "observation": {"results": [{"content": "a.txt"}]}},
        {"step_id": 3, "source": "agent", "message": "", "tool_calls": [{"tool_call_id": "k", "function_name": "bash", "arguments": {}}],
            "observation": {"results": [{"content": "done"}]}},
        {"step_id": 4, "source": "agent", "message": "End", "observation": {"results": [{"source_call_id": "none", "content": "late"}]}},
    ]));
    let view = import(&text, None);
    assert_eq!(
        outline(&view.transcript),
        ["user: Go", "says: ls", "user: a.txt", "calls bash({})", "bash -> done", "says: End", "user: late"]
    );
    assert_eq!(view.transcript["execution"][1]["message_created"]["metadata"]["source"], "observation");
    assert_eq!(diagnostic_lines(&view), ["T905 no step has the call `none` of this result"]);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

#[test]
fn a_run_in_another_file_stays_a_reference() {
    let reference = json!([{"trajectory_path": "sub/trajectory.json", "session_id": "other"}]);
    let text = trajectory(&json!([
        {"step_id": 1, "source": "agent", "message": "", "tool_calls": [{"tool_call_id": "k", "function_name": "task", "arguments": {}}],
            "observation": {"results": [{"source_call_id": "k", "subagent_trajectory_ref": reference}]}},
    ]));
    let view = import(&text, None);
    let created = &view.transcript["execution"][1]["message_created"];
    assert_eq!(created["metadata"]["subagent_trajectory_ref"], reference);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

#[test]
fn what_is_broken_costs_no_more_than_itself() {
    let whole = fixture("atif-v1.8.trajectory.json");
    let cut = &whole[..whole.find("\"final_metrics\"").unwrap()];
    let cut = &cut[..cut.rfind("\"Done.\"").unwrap()];
    for text in [cut.to_owned(), cut.replace('\n', "\r\n"), format!("\u{feff}{cut}")] {
        assert_eq!(detection(text.as_bytes(), &Limits::default()).kind, "atif-trajectory");
        let view = import(&text, None);
        assert!(!view.ok || view.files[0].report.truncated_line.is_some());
        let turns = outline(&view.transcript);
        assert_eq!(turns[..2], ["system: You are a coding agent.", "user: Fix the bug"]);
        assert_eq!(turns[5], "says: ");
        let empty = "T218: the model response is empty";
        assert_eq!(errors(&view.transcript), ["T210: the tool `delegate` is not declared", empty]);
    }
    let unusual = trajectory(
        &json!([{"step_id": 1, "message": "who"}, 5, {"step_id": 2, "source": "user", "message": "Hi"}]),
    );
    let view = import(&unusual, None);
    assert_eq!(outline(&view.transcript), ["user: Hi"]);
    assert_eq!(view.files[0].report.kept.len(), 2);
    assert_eq!(view.transcript["metadata"]["recording"]["kept"][0]["entry"]["message"], "who");
    let empty = import(&trajectory(&json!([])), None);
    let remark = "T907: the imported log has no messages, so the run has no steps";
    assert_eq!(errors(&empty.transcript), [remark]);
}

#[test]
fn several_trajectories_are_chosen_from() {
    let one = trajectory(&json!([{"step_id": 1, "source": "user", "message": "One"}]));
    let two = one.replace("\"s\"", "\"t\"").replace("One", "Two");
    let text = format!("{one}\n{two}\n");
    let view = import(&text, None);
    assert_eq!(view.sessions, ["s", "t"]);
    assert_eq!(
        view.problem.as_ref().unwrap().message,
        "the file has 2 trajectories: `s` (\"One\"), `t` (\"Two\")"
    );
    assert_eq!(view.first_words, ["One", "Two"]);
    // Without a person it is the agent that says what a run is.
    let silent = trajectory(&json!([{"step_id": 1, "source": "agent", "message": "Hello!"}]));
    assert_eq!(import(&format!("{one}\n{silent}"), None).first_words, ["One", "coder"]);
    assert_eq!(outline(&import(&text, Some("t")).transcript), ["user: Two"]);
}

/// What is reported, each with its line.
fn placed(view: &ImportView) -> Vec<String> {
    let all = view.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{} {}: {}", found.code, found.place.line, found.message)).collect()
}

#[test]
fn steps_out_of_order_are_read_as_they_stand() {
    let text = r#"{"schema_version": "ATIF-v1.5", "session_id": "s", "agent": {"name": "coder", "version": "2"}, "steps": [
{"step_id": 1, "source": "user", "message": "Go"},
{"step_id": 3, "source": "agent", "message": "Third"},
{"step_id": 2, "source": "user", "message": "Second"},
{"step_id": 2, "source": "user", "message": "Second again"},
{"step_id": 4, "source": "agent", "message": "Last"}
]}"#;
    let view = import(text, None);
    assert_eq!(placed(&view), ["T903 4: step 2 comes after step 3", "T903 5: duplicate `step_id` 2",]);
    let run = &view.transcript;
    assert_eq!(outline(run), ["user: Go", "says: Third", "user: Second", "user: Second again", "says: Last"]);
    // The order of the file is not that of the numbers, so that the numbers are kept.
    assert_eq!(run["initial_state"]["message_store"][0]["metadata"]["step_id"], 1);
    let number = |at: usize, key: &str| run["execution"][at][key]["metadata"]["step_id"].clone();
    assert_eq!((number(0, "llm_response"), number(1, "message_created")), (json!(3), json!(2)));
    assert_eq!((number(2, "message_created"), number(3, "llm_response")), (json!(2), json!(4)));
    assert_eq!(errors(run), Vec::<String>::new());
    assert!(view.ok);
}

#[test]
fn a_version_that_is_not_known_is_read_and_reported() {
    let text = trajectory(&json!([
        {"step_id": 1, "source": "agent", "message": "", "mood": "good",
            "tool_calls": [{"tool_call_id": "k", "function_name": "ls", "arguments": {}, "cost": "small"}],
            "observation": {"seen": "all", "results": [{"source_call_id": "k", "content": "a.txt", "size": "tiny"}]}},
    ]));
    let text = text.replace("ATIF-v1.5", "ATIF-v9.0");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("atif-trajectory", "certain"));
    let view = import(&text, None);
    assert_eq!(placed(&view), ["T903 1: unknown version `ATIF-v9.0`"]);
    let span = view.files[0].diagnostics[0].place.column as usize;
    assert!(text[span - 1..].starts_with("\"ATIF-v9.0\""), "{span}");
    assert_eq!(outline(&view.transcript), ["calls ls({})", "ls -> a.txt"]);
    assert_eq!(view.transcript["metadata"]["recording"]["trajectory"]["schema_version"], "ATIF-v9.0");
    let all = serde_json::from_str::<Value>(&text).unwrap()["steps"].clone();
    let mut lost = crate::lost(all.as_array().unwrap(), &view.transcript);
    lost.retain(|leaf| !["1", "agent"].contains(&leaf.as_str()));
    assert_eq!(lost, Vec::<String>::new());
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    for version in ["ATIF-v1.0", "ATIF-v1.8"] {
        assert_eq!(placed(&import(&text.replace("ATIF-v9.0", version), None)), Vec::<String>::new());
    }
}

#[test]
fn trajectories_with_one_id_are_each_a_run() {
    let one = trajectory(&json!([{"step_id": 1, "source": "user", "message": "One"}]));
    let text = format!("{one}\n{}\n", one.replace("One", "Two"));
    assert_eq!(import(&text, None).sessions, ["s", "s-2"]);
    for (session, turn) in [("s", "user: One"), ("s-2", "user: Two")] {
        let view = import(&text, Some(session));
        assert_eq!(outline(&view.transcript), [turn]);
        assert_eq!(placed(&view), ["T903 2: duplicate trajectory id `s`"]);
    }
}

#[test]
fn trajectories_with_one_id_inside_are_each_the_run_of_a_result() {
    let inner = |message: &str| {
        json!({"schema_version": "ATIF-v1.8", "trajectory_id": "r", "agent": {"name": "reviewer", "version": "1"},
            "steps": [{"step_id": 1, "source": "agent", "message": message}]})
    };
    let call = |id: &str| json!({"tool_call_id": id, "function_name": "review", "arguments": {}});
    let result =
        |id: &str| json!({"source_call_id": id, "subagent_trajectory_ref": [{"trajectory_id": "r"}]});
    let mut log: Value = serde_json::from_str(&trajectory(&json!([
        {"step_id": 1, "source": "agent", "message": "", "tool_calls": [call("a"), call("b")],
            "observation": {"results": [result("a"), result("b")]}},
        {"step_id": 2, "source": "agent", "message": "Done."},
    ])))
    .unwrap();
    log["subagent_trajectories"] = json!([inner("Good."), inner("Bad."), inner("Nobody asked.")]);
    let view = import(&log.to_string(), None);
    let duplicate = "T903 1: duplicate trajectory id `r`";
    assert_eq!(placed(&view), [duplicate, duplicate]);
    let nested =
        |at: usize| outline(&view.transcript["execution"][at]["tool_call"]["result"]["nested_transcript"]);
    assert_eq!((nested(1), nested(2)), (vec!["says: Good.".to_owned()], vec!["says: Bad.".to_owned()]));
    // The third one is kept, as no result refers to it.
    let kept = &view.transcript["metadata"]["recording"]["kept"][0]["entry"];
    assert_eq!(kept["steps"][0]["message"], "Nobody asked.");
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

/// A message without an id has the first free number at or after its position.
#[test]
fn generated_ids_pass_over_those_of_the_file() {
    let own =
        [Some("msg_003"), Some("msg_004"), None, None, Some("msg_010"), None, Some("x"), None, None, None];
    let expected = [
        "msg_003", "msg_004", "msg_005", "msg_006", "msg_010", "msg_007", "x", "msg_008", "msg_009",
        "msg_011",
    ];
    check_ids(&own, &expected);
    // A number that is taken when a message has it as its own id.
    check_ids(&[None, Some("msg_001"), None], &["msg_001", "msg_002", "msg_003"]);
}

#[track_caller]
fn check_ids(own: &[Option<&str>], expected: &[&str]) {
    let extra = |id: Option<&str>| id.map_or_else(|| json!({}), |id| json!({"id": id}));
    let steps = own.iter().enumerate().map(|(at, id)| {
        json!({"step_id": at + 1, "source": "user", "message": format!("Hi {at}"), "extra": extra(*id)})
    });
    let run = import(&trajectory(&steps.collect()), None).transcript;
    let ids = |list: &Value, key: &str| -> Vec<Value> {
        list.as_array().unwrap().iter().map(|message| message[key].clone()).collect()
    };
    assert_eq!(ids(&run["initial_state"]["message_store"], "id"), expected);
    assert_eq!(ids(&run["final_state"]["message_store"], "ref"), expected);
}
