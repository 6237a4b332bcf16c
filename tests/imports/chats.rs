//! Chats in the words of the vendors: lists of messages, requests and their answers, examples for training.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{diagnostic_lines, errors, fixture, outline};

fn import(text: &str, session: Option<&str>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path: "chat.json", text }], &options).unwrap()
}

fn kind(text: &str) -> (&'static str, &'static str) {
    let found = detection(text.as_bytes(), &Limits::default());
    (found.kind, found.confidence)
}

/// A transcript without errors; each entry is reported once.
fn checked(view: &ImportView) {
    assert_eq!(view.problem, None);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let report = &view.files[0].report;
    assert_eq!(report.used.len() + report.kept.len() + report.streamed.len(), report.entries, "{report:?}");
}

const RUN: [&str; 5] = [
    "system: You are a coding agent.",
    "user: Fix the bug",
    "calls read_file({\"path\":\"main.rs\"})",
    "read_file -> fn main(){}",
    "says: Done.",
];

#[test]
fn the_samples_are_the_same_run() {
    for (path, word) in [
        ("chats/openai-chat-messages.json", "chat-log"),
        ("chats/openai-finetune.jsonl", "fine-tuning"),
        ("chats/anthropic-request.json", "anthropic-messages"),
    ] {
        let text = fixture(path);
        assert_eq!(kind(&text), (word, "certain"), "{path}");
        assert_eq!(Document::open(&text, &Limits::default()).other_format(), Some(word));
        let view = import(&text, None);
        assert!(view.ok, "{}", view.rendered);
        checked(&view);
        // Arguments are kept as written, and data as the core writes it.
        let run: Vec<String> =
            outline(&view.transcript).iter().map(|line| line.replace("\": \"", "\":\"")).collect();
        assert_eq!(run, RUN, "{path}");
        assert_eq!((&*view.kind, diagnostic_lines(&view)), (word, Vec::new()));
    }
    let list = import(&fixture("chats/openai-chat-messages.json"), None);
    assert_eq!(list.transcript["execution"][0]["llm_response"]["metadata"]["line"], 10);
    let request = import(&fixture("chats/anthropic-request.json"), None).transcript;
    assert_eq!(request["agent_config"]["model"], "claude-sonnet-4-5");
    assert_eq!(request["agent_config"]["tools"][0]["parameters"]["required"][0], "path");
    let answer = &request["execution"][0]["llm_response"];
    assert_eq!((&answer["reasoning"], &answer["content"]), (&json!("I should look"), &json!("Reading")));
    assert_eq!(answer["metadata"]["content"][0]["signature"], "sig");
    // The line of the message within the request.
    assert_eq!(answer["metadata"]["line"], 27);
    let example = import(&fixture("chats/openai-finetune.jsonl"), None).transcript;
    assert_eq!(example["agent_config"]["tools"][0]["name"], "read_file");
    assert_eq!(example["execution"][2]["llm_response"]["metadata"]["weight"], 1);
    assert_eq!(example["execution"][0]["llm_config"]["parallel_tool_calls"], false);
}

#[test]
fn messages_of_all_ages_are_read() {
    let text = json!([
        {"role": "developer", "content": [{"type": "text", "text": "Be "}, {"type": "text", "text": "brief."}]},
        {"role": "user", "content": [{"type": "text", "text": "What is it?"}, {"type": "image_url", "image_url": {"url": "https://x.test/a.png"}}], "name": "ann"},
        {"role": "assistant", "content": null, "function_call": {"name": "look", "arguments": "{\"n\": 1"}},
        {"role": "function", "name": "look", "content": "a cat"},
        {"role": "assistant", "content": "A cat.", "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": "pet", "arguments": "{}"}},
            {"id": "d", "type": "custom", "custom": {"name": "say", "input": "meow"}}]},
        {"role": "tool", "tool_call_id": "d", "content": "said"},
        {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "purrs"}]},
        {"role": "assistant", "content": null, "refusal": "No more."},
        {"role": "user", "content": "Go on"},
        {"role": "user", "content": "Go on"}
    ])
    .to_string();
    let view = import(&text, None);
    assert!(view.ok, "{}", view.rendered);
    // The model wrote this itself.
    let found = errors(&view.transcript);
    assert!(found.iter().all(|one| one.starts_with("T206") && one.contains("`look`")), "{found:?}");
    assert_eq!(
        outline(&view.transcript),
        [
            "system: Be brief.",
            "user: [{\"type\":\"text\",\"text\":\"What is it?\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://x.test/a.png\"}}]",
            // What is no JSON stays as it was.
            "calls look({\"n\": 1)",
            "look -> a cat",
            "calls pet({}), say({\"input\": \"meow\"})",
            "say -> said",
            "pet -> purrs",
            "says: ",
            "user: Go on",
            "user: Go on"
        ]
    );
    assert_eq!(view.transcript["execution"][5]["llm_response"]["refusal"], "No more.");
}

#[test]
fn messages_of_agentdojo_name_tools_and_errors() {
    let call =
        json!({"id": "c", "function": "get_balance", "args": {"account": 7}, "placeholder_args": null});
    let text = json!({"suite_name": "banking", "messages": [
        {"role": "system", "content": [{"type": "text", "content": "Be careful."}]},
        {"role": "user", "content": [{"type": "text", "content": "What do I have?"}]},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "content": [{"type": "text", "content": ""}], "tool_call_id": "c", "tool_call": call, "error": "no account"},
        {"role": "assistant", "content": [{"type": "thinking", "content": "No way.", "id": null}, {"type": "text", "content": "I cannot see it."}], "tool_calls": null}
    ]})
    .to_string();
    let view = import(&text, None);
    assert!(view.ok, "{}", view.rendered);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: Be careful.",
            "user: What do I have?",
            "calls get_balance({\"account\": 7})",
            "get_balance fails: no account",
            "says: I cannot see it."
        ]
    );
    let steps = &view.transcript["execution"];
    assert_eq!(
        (&steps[1]["tool_call"]["success"], &steps[2]["llm_response"]["reasoning"]),
        (&json!(false), &json!("No way."))
    );
}

#[test]
fn calls_without_results_and_results_without_calls_are_reported() {
    let text = json!([
        {"role": "user", "content": "Go"},
        {"role": "tool", "tool_call_id": "x", "content": "of nothing"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "assistant", "content": "Going on."},
        {"note": "what is this"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "second"}
    ])
    .to_string();
    let options = ImportOptions { from: Some("openai-chat".to_owned()), ..ImportOptions::default() };
    let view = import_log(&[LogFile { path: "chat.json", text: &text }], &options).unwrap();
    let open = "T204: the call to `f` has no result in the imported log";
    let orphan = "T203: a tool result has no call id";
    assert_eq!(errors(&view.transcript), [orphan, open]);
    assert_eq!(
        outline(&view.transcript),
        ["user: Go", "tool: of nothing", "calls f({})", "says: Going on.", "calls f({})", "f -> second"]
    );
    let mut all = diagnostic_lines(&view);
    all.sort();
    assert_eq!(
        all,
        [
            "T903 1: this is neither a message nor a request; it is kept in `metadata`",
            "T905 1: no message has the result of a call before this one",
            "T905 1: the call `x` is missing before its result",
        ]
    );
    assert_eq!(view.transcript["metadata"]["recording"]["kept"][0]["entry"]["note"], "what is this");
    // The id that came twice is that of two calls.
    assert_eq!(view.transcript["execution"][3]["tool_call"]["id"], "c_2");
}

#[test]
fn items_of_responses_are_one_conversation() {
    let text = json!([
        {"role": "user", "content": "Go"},
        {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "Hm."}]},
        {"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "arguments": "{\"n\":1}", "status": "completed"},
        {"type": "function_call_output", "call_id": "c", "output": "one"},
        {"type": "web_search_call", "id": "ws", "status": "completed", "action": {"type": "search", "query": "x"}},
        {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": "Done.", "annotations": []}]},
        {"type": "item_reference", "id": "elsewhere"}
    ]);
    let expected = ["user: Go", "calls f({\"n\":1})", "f -> one", "says: Done."];
    let list = text.to_string();
    assert_eq!(kind(&list).0, "openai-responses");
    let request = json!({"model": "gpt-5", "instructions": "Be brief.", "input": text, "tools": [{"type": "function", "name": "f"}]});
    assert_eq!(kind(&request.to_string()).0, "openai-responses");
    let view = import(&request.to_string(), None);
    checked(&view);
    assert_eq!(outline(&view.transcript)[0], "system: Be brief.");
    assert_eq!(outline(&view.transcript)[1..], expected);
    assert_eq!(view.transcript["execution"][0]["llm_response"]["reasoning"], "Hm.");
    assert_eq!(
        view.transcript["execution"][2]["llm_response"]["metadata"]["output"][0]["action"]["query"],
        "x"
    );
    assert!(view.transcript["metadata"].to_string().contains("elsewhere"));
    let whole = json!({"object": "response", "id": "resp_1", "status": "completed", "model": "gpt-5", "output": [
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello!"}]}], "usage": {"input_tokens": 1, "output_tokens": 2}});
    let view = import(&whole.to_string(), None);
    checked(&view);
    assert_eq!(
        (&*view.kind, outline(&view.transcript)),
        ("openai-responses", vec!["says: Hello!".to_owned()])
    );
}

#[test]
fn a_request_with_its_answer_is_a_call_of_the_model() {
    let request =
        json!({"model": "gpt-5", "messages": [{"role": "user", "content": "Hi"}], "temperature": 0.5});
    let answered = json!({"id": "x", "object": "chat.completion", "model": "gpt-5", "choices": [{"index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": "Hello!"}}], "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}});
    let go_on = json!({"model": "gpt-5", "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": "Bye"}], "temperature": 0.5});
    let bye =
        json!({"choices": [{"message": {"role": "assistant", "content": "Bye!"}, "finish_reason": "stop"}]});
    let text = [
        json!({"timestamp": "2026-05-01T10:00:00Z", "request": request, "response": answered, "latency_ms": 12}),
        json!({"timestamp": "2026-05-01T10:00:01Z", "request": go_on, "response": bye}),
    ];
    let text: String = text.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(kind(&text), ("chat-log", "certain"));
    let view = import(&text, None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!", "user: Bye", "says: Bye!"]);
    let first = &view.transcript["execution"][0];
    assert_eq!(
        (&first["timestamp"], &first["llm_response"]["metadata"]["latency_ms"]),
        (&json!("2026-05-01T10:00:00Z"), &json!(12))
    );
    assert_eq!(
        (&view.transcript["agent_config"]["temperature"], &first["llm_response"]["usage"]["total_tokens"]),
        (&json!(0.5), &json!(3))
    );
    let failed =
        json!({"request": request, "error": {"type": "rate_limit", "message": "slow down"}}).to_string();
    let view = import(&failed, None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Hi", "fails: slow down"]);
    // A model that broke off has failed, and what it wrote stays in the body.
    let cut = json!({"choices": [{"message": {"content": "Hel"}, "finish_reason": "error"}],
        "usage": {"total_tokens": 31337}, "error": {"message": "upstream died", "code": 502}});
    let view = import(&json!({"request": request, "response": cut}).to_string(), None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Hi", "fails: upstream died"]);
    assert_eq!(view.transcript["execution"][0]["llm_error"]["body"], cut);
    let anthropic = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": "Hello!"}], "usage": {"input_tokens": 1, "output_tokens": 2}});
    assert_eq!(kind(&anthropic.to_string()).0, "anthropic-messages");
    let view = import(&anthropic.to_string(), None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["says: Hello!"]);
    assert_eq!(view.transcript["execution"][0]["llm_response"]["finish_reason"], "end_turn");
}

#[test]
fn of_several_conversations_one_is_chosen() {
    let example = |question: &str| json!({"messages": [{"role": "user", "content": question}, {"role": "assistant", "content": "Yes.", "weight": 0}]});
    let text = format!("{}\n{}\n", example("One?"), example("Two?"));
    assert_eq!(kind(&text), ("fine-tuning", "certain"));
    let view = import(&text, None);
    assert_eq!(
        view.problem.as_ref().unwrap().message,
        "the file has 2 conversations: `conversation-1` (\"One?\"), `conversation-2` (\"Two?\")"
    );
    let view = import(&text, Some("conversation-2"));
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Two?", "says: Yes."]);
    assert_eq!(view.transcript["metadata"]["name"], "chat conversation-2");
    assert_eq!(
        diagnostic_lines(&view),
        ["T903 2: a response has the `weight` 0, which only matters for training"]
    );
    // Requests of an agent repeat the messages before: they are one conversation.
    let request = |count: usize| {
        let all: Vec<Value> = (0..count)
            .map(|at| json!({"role": if at % 2 == 0 { "user" } else { "assistant" }, "content": format!("{at}")}))
            .collect();
        json!({"model": "m", "messages": all}).to_string()
    };
    let view = import(&[request(1), request(3), request(5)].join("\n"), None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: 0", "says: 1", "user: 2", "says: 3", "user: 4"]);
    assert_eq!(view.files[0].report.streamed, [1, 2]);
}

/// A log of what was sent repeats the history in each request: each message is read once.
#[test]
fn of_a_log_of_requests_each_message_is_read_once() {
    let message = |at: usize| json!({"role": if at.is_multiple_of(2) { "user" } else { "assistant" }, "content": format!("{at}")});
    let history = |count: usize| (0..count).map(message).collect::<Vec<Value>>();
    let request = |count: usize| json!({"model": "m", "messages": history(count)}).to_string();
    let whole = ["user: 0", "says: 1", "user: 2", "says: 3", "user: 4"];
    let check = |lines: &[String], run: &[&str], again: &[u32]| {
        let view = import(&lines.join("\n"), None);
        checked(&view);
        assert_eq!(outline(&view.transcript), run, "{lines:?}");
        assert_eq!(view.files[0].report.streamed, again, "{lines:?}");
        view
    };
    // The same request twice, as one that was tried again.
    check(&[request(1), request(1), request(3), request(5), request(5)], &whole, &[1, 2, 3, 4]);
    // With its answer: the answers of a log are those that the next request repeats.
    let called = |count: usize| {
        let response = json!({"id": format!("chatcmpl-{count}"), "object": "chat.completion", "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message(count)}]});
        json!({"request": {"model": "m", "messages": history(count)}, "response": response}).to_string()
    };
    let calls = [called(1), called(3), called(5)];
    let run = ["user: 0", "says: 1", "user: 2", "says: 3", "user: 4", "says: 5"];
    check(&calls, &run, &[]);
    let view = check(&[calls.clone(), calls].concat(), &run, &[4, 5, 6]);
    assert_eq!(diagnostic_lines(&view), ["T903 4: this call and 2 more are duplicates"]);
    // A list of messages a line, each with the whole history so far.
    let list = |count: usize| Value::from(history(count)).to_string();
    assert_eq!(kind(&[list(1), list(3)].join("\n")).0, "chat-log");
    let view = import(&[list(1), list(3), list(3), list(5)].join("\n"), None);
    assert_eq!(
        (outline(&view.transcript), errors(&view.transcript)),
        (whole.map(str::to_owned).to_vec(), vec![])
    );
    assert_eq!((view.files[0].report.used.len(), view.files[0].report.streamed.len()), (5, 7));
    // Two conversations with interleaved requests are two.
    let other = |count: usize| request(count).replace("\"0\"", "\"Other\"");
    for lines in [
        [request(1), other(1), request(3), other(3)],
        [list(1), list(1).replace('0', "Other"), list(3), list(3).replace('0', "Other")],
    ] {
        let view = import(&lines.join("\n"), None);
        let two = "the file has 2 conversations: `conversation-1` (\"0\"), `conversation-2` (\"Other\")";
        assert_eq!(view.problem.unwrap().message, two, "{lines:?}");
        let view = import(&lines.join("\n"), Some("conversation-2"));
        assert_eq!(outline(&view.transcript), ["user: Other", "says: 1", "user: 2"], "{lines:?}");
    }
}

#[test]
fn lists_of_messages_in_a_list_or_on_lines_are_conversations() {
    let list = |prompt: &str| {
        json!([{"role": "system", "content": "Be brief."}, {"role": "user", "content": prompt},
        {"role": "assistant", "content": format!("{prompt} Yes.")}])
    };
    let (one, two) = (list("One?"), list("Two?"));
    let whole = json!([one, two]);
    let pretty = serde_json::to_string_pretty(&whole).unwrap();
    let lines = format!("{one}\n{two}\n");
    let texts = [
        whole.to_string(),
        pretty.clone(),
        format!("\u{feff}{}", pretty.replace('\n', "\r\n")),
        format!("[\n{one},\n{two}\n]\n"),
        lines.clone(),
        format!("[]\n{lines}"),
        json!([one, [], two]).to_string(),
        format!(
            "- {one}\n-\n  - {{role: system, content: Be brief.}}\n  - {{role: user, content: Two?}}\n  - {{role: assistant, content: Two? Yes.}}\n"
        ),
    ];
    for text in texts {
        assert_eq!(kind(&text), ("chat-log", "certain"), "{text}");
        assert_eq!(Document::open(&text, &Limits::default()).other_format(), Some("chat-log"), "{text}");
        let view = import(&text, None);
        let found = "the file has 2 conversations: `conversation-1` (\"One?\"), `conversation-2` (\"Two?\")";
        assert_eq!(view.problem.unwrap().message, found, "{text}");
        let view = import(&text, Some("conversation-2"));
        assert_eq!(errors(&view.transcript), Vec::<String>::new());
        assert_eq!(
            outline(&view.transcript),
            ["system: Be brief.", "user: Two?", "says: Two? Yes."],
            "{text}"
        );
        assert_eq!(view.files[0].report.used.len(), 3);
    }
    // Each message has its line: an entry of the list is 14 lines.
    let view = import(&pretty, Some("conversation-2"));
    assert_eq!(view.files[0].report.used, [17, 21, 25]);
    // One conversation is the run.
    let view = import(&json!([one]).to_string(), None);
    checked(&view);
    assert_eq!(outline(&view.transcript)[1..], ["user: One?", "says: One? Yes."]);
    // One that is cut or damaged has the part before that, and is kept as text.
    let cut = &pretty[..pretty.rfind("Two? Yes").unwrap()];
    let damaged = whole.to_string().replace("\"Two? Yes.\"", "oops");
    for text in [cut, &damaged] {
        assert_eq!(kind(text).0, "chat-log", "{text}");
        let view = import(text, Some("conversation-2"));
        assert_eq!(outline(&view.transcript), ["system: Be brief.", "user: Two?"], "{text}");
        let lost = view.transcript["metadata"]["recording"]["lost"][0]["text"].as_str().unwrap();
        assert!(lost.contains("Two?") && view.files[0].report.lost.len() == 1, "{lost}");
        let view = import(text, Some("conversation-1"));
        assert_eq!(outline(&view.transcript).len(), 3);
    }
    // Blocks of Anthropic, and lists that are no conversations.
    let blocks = json!([[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}]]);
    assert_eq!(kind(&blocks.to_string()).0, "anthropic-messages");
    for text in [
        "[[1, 2], [3]]",
        "[[{\"role\": \"user\", \"content\": \"Hi\"}], {\"a\": 1}]",
        "[[]]",
        "[[{\"a\": 1}]]",
    ] {
        assert_eq!(kind(text).0, "unknown", "{text}");
    }
}

#[test]
fn of_a_pair_the_better_answer_is_the_run() {
    let pair = json!({"input": {"messages": [{"role": "user", "content": "Hi"}], "tools": [], "parallel_tool_calls": true},
        "preferred_output": [{"role": "assistant", "content": "Hello!"}],
        "non_preferred_output": [{"role": "assistant", "content": "What?"}]});
    assert_eq!(kind(&pair.to_string()).0, "fine-tuning");
    let view = import(&pair.to_string(), None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!"]);
    assert_eq!(diagnostic_lines(&view), ["T903 1: the run has the preferred response"]);
    let kept = &view.transcript["metadata"]["recording"]["example"]["non_preferred_output"];
    assert_eq!(kept[0]["content"], "What?");
}

#[test]
fn results_stand_inside_of_messages_with_anthropic() {
    let text = json!({"model": "claude-x", "max_tokens": 10, "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Go", "cache_control": {"type": "ephemeral"}}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}, {"type": "tool_use", "id": "b", "name": "g", "input": {"n": 1}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "b", "content": "no", "is_error": true},
            {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "yes"}]},
            {"type": "text", "text": "And now?"}]}
    ]});
    let view = import(&text.to_string(), None);
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        ["user: Go", "calls f({}), g({\"n\": 1})", "g fails: no", "f -> yes", "user: And now?"]
    );
    // What a part says besides its text stays with the message.
    let first = &view.transcript["initial_state"]["message_store"][0];
    assert_eq!(first["metadata"]["parts"][0]["cache_control"]["type"], "ephemeral");
}

#[test]
fn odd_files_are_read_as_far_as_they_go() {
    let text = fixture("chats/anthropic-request.json");
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(outline(&import(&windows, None).transcript), outline(&import(&text, None).transcript));
    // A request that is cut.
    let cut = &text[..text.find("\"tool_result\"").unwrap()];
    let options = ImportOptions { from: Some("anthropic".to_owned()), ..ImportOptions::default() };
    let view = import_log(&[LogFile { path: "", text: cut }], &options).unwrap();
    assert_eq!(outline(&view.transcript)[..3], outline(&import(&text, None).transcript)[..3]);
    assert_eq!(view.files[0].report.lost.len(), 1);
    // A list that is cut.
    let list = fixture("chats/openai-chat-messages.json");
    let view = import(&list[..list.len() - 30], None);
    assert_eq!(outline(&view.transcript), RUN[..4]);
    assert!(!view.ok || view.files[0].report.truncated_line.is_some());
    // YAML.
    let yaml = "messages:\n  - role: user\n    content: Hi\n  - {role: assistant, content: Hello!}\n";
    assert_eq!(kind(yaml), ("chat-log", "certain"));
    let view = import(yaml, None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!"]);
    assert_eq!(view.transcript["execution"][0]["llm_response"]["metadata"]["line"], 4);
    // A request without an answer keeps what it was set up with.
    let view = import(
        "{\"model\": \"m\", \"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}], \"seed\": 5}",
        None,
    );
    checked(&view);
    assert_eq!(view.transcript["metadata"]["recording"]["request"], json!({"model": "m", "seed": 5}));
}

/// Our own formats are no chats of another program.
#[test]
fn transcripts_are_no_chats() {
    for (text, word) in [
        ("{\"name\": \"x\", \"messages\": [\"user: Hi\"]}", "compact"),
        ("{\"version\": \"1.0\", \"execution\": [], \"messages\": []}", "full"),
        ("{\"messages\": []}", "compact"),
        ("[]", "unknown"),
        ("{\"role\": \"user\", \"content\": \"Hi\"}", "unknown"),
        ("{\"input\": \"x\", \"output\": \"y\"}", "unknown"),
        ("{\"input\": [1], \"model\": \"x\"}", "unknown"),
        ("[{\"type\": \"message\"}]", "unknown"),
    ] {
        assert_eq!(kind(text).0, word, "{text}");
    }
}
