//! The requests of OpenAI and Anthropic.

use serde_json::json;
use transcript_core::export::Settings;

use super::{NESTED, WEATHER, data, export, export_with, lost};

#[test]
fn openai_has_each_result_after_its_calls() {
    let view = export(WEATHER, "openai");
    let call = |id: &str, city: &str| json!({"id": id, "type": "function", "function": {"name": "weather", "arguments": format!("{{\"location\": \"{city}\"}}")}});
    assert_eq!(
        data(&view),
        json!({
            "model": "gpt-4",
            "messages": [
                {"role": "system", "content": "You are helpful"},
                {"role": "user", "content": "What's the weather in NYC and Oslo?"},
                {"role": "assistant", "content": "I'll check.", "tool_calls": [call("call_001", "NYC"), call("call_002", "Oslo")]},
                {"role": "tool", "tool_call_id": "call_001", "content": "{\"temp\": 72}"},
                {"role": "tool", "tool_call_id": "call_002", "content": "the station is down"},
                {"role": "assistant", "content": "It's 72°F in NYC."}
            ],
            "tools": [{"type": "function", "function": {"name": "weather"}}]
        })
    );
    // A chat completion has no word for a tool that failed.
    assert_eq!(lost(&view), ["lost metadata.name", "lost execution[2].tool_call.success"]);
    assert_eq!(view.losses[1].line, 9);
}

#[test]
fn anthropic_has_the_results_first_in_the_message_of_the_user() {
    let text = format!("max_tokens: 100\n{WEATHER}  - \"user: Thanks\"\n");
    let view = export(&text, "anthropic");
    assert_eq!(
        data(&view),
        json!({
            "model": "gpt-4",
            "max_tokens": 100,
            "system": "You are helpful",
            "tools": [{"name": "weather", "input_schema": {"type": "object"}}],
            "messages": [
                {"role": "user", "content": "What's the weather in NYC and Oslo?"},
                {"role": "assistant", "content": [
                    {"type": "text", "text": "I'll check."},
                    {"type": "tool_use", "id": "call_001", "name": "weather", "input": {"location": "NYC"}},
                    {"type": "tool_use", "id": "call_002", "name": "weather", "input": {"location": "Oslo"}}
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "call_001", "content": "{\"temp\": 72}"},
                    {"type": "tool_result", "tool_use_id": "call_002", "content": "the station is down", "is_error": true}
                ]},
                {"role": "assistant", "content": "It's 72°F in NYC."},
                {"role": "user", "content": "Thanks"}
            ]
        })
    );
    assert_eq!(lost(&view), ["lost metadata.name", "added agent_config.tools[0].parameters"]);
}

#[test]
fn what_the_user_says_after_a_result_stands_in_one_message_with_it() {
    let text = "messages: ['user: a', 'assistant:call t()', 'tool:t: 1', 'user: b', 'assistant: c']";
    let view = export(text, "anthropic");
    let request = data(&view);
    assert_eq!(
        request["messages"][2],
        json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "call_001", "content": "1"}, {"type": "text", "text": "b"}
        ]})
    );
    // A request with calls must declare their tools, and say how long the answer may be.
    assert_eq!(request["tools"], json!([{"name": "t", "input_schema": {"type": "object"}}]));
    assert_eq!(request["max_tokens"], 4096);
    assert_eq!(lost(&view), ["added agent_config.max_tokens", "added agent_config.tools.t"]);
}

#[test]
fn hidden_messages_are_left_out_unless_all_are_wanted() {
    let text =
        "messages: ['user: a', 'assistant(hidden): secret', 'assistant: b', 'user: c', {hide: msg_001}]";
    for form in ["openai", "anthropic"] {
        let view = export(text, form);
        let messages = data(&view)["messages"].to_string();
        assert!(!messages.contains("secret") && !messages.contains("\"a\""), "{messages}");
        let whole: Vec<String> = lost(&view).into_iter().filter(|loss| loss.starts_with("whole")).collect();
        assert_eq!(
            whole,
            ["whole initial_state.message_store[0]", "whole execution[0].message_created"],
            "{form}"
        );
        let all = export_with(text, form, &Settings { all: true, ..Settings::default() });
        let messages = data(&all)["messages"].to_string();
        assert!(messages.contains("secret") && messages.contains("\"a\""), "{messages}");
        assert!(
            lost(&all).contains(&"lost execution[0].message_created.visible".to_owned()),
            "{:?}",
            lost(&all)
        );
    }
}

#[test]
fn a_call_whose_result_is_hidden_is_answered_all_the_same() {
    let text = "messages: ['user: a', 'assistant:call t()', 'tool(hidden):t: 1', 'assistant: c']";
    let text = text.replace("'tool(hidden):t: 1'", "'tool:t: 1', {hide: msg_003}");
    let openai = export(&text, "openai");
    let messages = data(&openai)["messages"].clone();
    assert_eq!(messages[2], json!({"role": "tool", "tool_call_id": "call_001", "content": ""}));
    assert!(lost(&openai).contains(&"added execution[0].message_created.tool_calls[0].result".to_owned()));
    let anthropic = data(&export(&text, "anthropic"));
    assert_eq!(
        anthropic["messages"][2],
        json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_001"}]})
    );
    // Calls at the end wait for their results.
    let open = data(&export("messages: ['user: a', 'assistant:call t()']", "openai"));
    assert_eq!(open["messages"].as_array().unwrap().len(), 2);
}

#[test]
fn a_result_whose_call_is_hidden_cannot_be_sent() {
    let text = "messages: ['user: a', 'assistant:call t()', 'tool:t: 1', {hide: msg_002}, 'assistant: c']";
    for form in ["openai", "anthropic"] {
        let view = export(text, form);
        let messages = data(&view)["messages"].to_string();
        assert!(!messages.contains("tool"), "{messages}");
        assert!(lost(&view).contains(&"whole execution[1].message_created".to_owned()), "{:?}", lost(&view));
    }
}

#[test]
fn images_and_files_are_those_of_the_vendor() {
    let text = r#"
messages:
  - role: user
    content:
      - {type: text, text: "Look: "}
      - {$binary: {media_type: image/png, base64: aGk=}}
      - {type: text, text: " and "}
      - {type: input_file, file_data: "data:application/pdf;base64,aGk=", filename: a.pdf}
      - {$binary: {media_type: video/mp4, base64: aGk=}}
"#;
    let text = text.replace("messages:\n  - role: user\n    content:", "version: '1.0'\nexecution: []\ninitial_state:\n  message_store:\n   - id: msg_001\n     role: user\n     content:");
    let view = export(&text, "openai");
    assert_eq!(
        data(&view)["messages"][0]["content"],
        json!([
            {"type": "text", "text": "Look: "},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
            {"type": "text", "text": " and "},
            {"type": "file", "file": {"file_data": "data:application/pdf;base64,aGk=", "filename": "a.pdf"}},
            {"type": "text", "text": "[video: video/mp4]"}
        ])
    );
    assert_eq!(lost(&view), ["changed initial_state.message_store[0].content"]);
    assert_eq!(
        data(&export(&text, "anthropic"))["messages"][0]["content"],
        json!([
            {"type": "text", "text": "Look: "},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
            {"type": "text", "text": " and "},
            {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "aGk="}, "title": "a.pdf"},
            {"type": "text", "text": "[video: video/mp4]"}
        ])
    );
}

#[test]
fn a_run_inside_is_reported_as_lost_and_its_answer_is_sent() {
    for form in ["openai", "anthropic"] {
        let view = export(NESTED, form);
        assert!(data(&view)["messages"].to_string().contains("21 degrees"));
        let lost = lost(&view);
        for path in [
            "execution[0].timestamp",
            "execution[0].llm_response.usage",
            "execution[1].tool_call.result.nested_transcript",
        ] {
            assert!(lost.contains(&format!("lost {path}")), "{form}: {path} of {lost:?}");
        }
    }
}

#[test]
fn structured_output_goes_by_the_schema_of_the_last_call() {
    let text = r#"
version: "1.0"
agent_config: {model: m, max_tokens: 9}
initial_state: {message_store: [{id: msg_001, role: user, content: Name a city}]}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}]
    llm_config: {response_schema: {type: object}}
    llm_response: {content: '{"city": "Rome"}', parsed: {city: Rome}}
    message_created: {id: msg_002, role: assistant, content: '{"city": "Rome"}'}
"#;
    let openai = data(&export(text, "openai"));
    let schema =
        json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": {"type": "object"}}});
    assert_eq!(openai["response_format"], schema);
    let anthropic = export(text, "anthropic");
    assert_eq!(
        data(&anthropic)["output_config"]["format"],
        json!({"type": "json_schema", "schema": {"type": "object"}})
    );
    assert_eq!(lost(&anthropic), Vec::<String>::new());
}

#[test]
fn ids_that_a_vendor_refuses_or_that_come_twice_are_others() {
    let text = r#"
messages:
  - "user: a"
  - {assistant: "", call: t(), id: m1}
  - "tool:t: 1"
"#;
    let full = transcript_core::document::Document::open(text, &transcript_core::document::Limits::default())
        .expanded_json()
        .unwrap()
        .replace("call_001", "call 1");
    let view = export(&full, "anthropic");
    let messages = &data(&view)["messages"];
    assert_eq!(messages[1]["content"][0]["id"], "call_1_1_1");
    assert_eq!(messages[2]["content"][0]["tool_use_id"], "call_1_1_1");
    assert!(lost(&view).iter().any(|loss| loss.ends_with("tool_calls[0].id")), "{:?}", lost(&view));
}

#[test]
fn messages_without_words_are_no_blocks() {
    let view =
        export("messages: ['system: ', 'user: a', 'assistant: ', 'user: ', 'assistant: b']", "anthropic");
    assert_eq!(
        data(&view)["messages"],
        json!([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}])
    );
    assert_eq!(lost(&view).iter().filter(|loss| loss.starts_with("whole")).count(), 3);
}

#[test]
fn names_of_tools_that_a_vendor_refuses_are_reported_where_they_stand() {
    let long = "x".repeat(100);
    let mut turns = Vec::new();
    for (at, name) in ["files.read", "ok_tool-2", "files.read", &long].into_iter().enumerate() {
        let id = format!("c{at}");
        let calls = json!([{"id": id, "type": "function", "function": {"name": name, "arguments": {}}}]);
        turns.push(json!({"turn": 2 * at + 1, "type": "llm_call",
            "message_created": {"id": format!("a{at}"), "role": "assistant", "content": "", "tool_calls": calls}}));
        turns.push(json!({"turn": 2 * at + 2, "type": "tool_call",
            "tool_call": {"id": id, "tool_name": name, "parameters": {}, "result": "1", "success": true},
            "message_created": {"id": format!("r{at}"), "role": "tool", "tool_call_id": id, "content": "1"}}));
    }
    let run = json!({
        "version": "1.0",
        "agent_config": {"model": "m", "max_tokens": 9, "tools": ["files.read", "ok_tool-2", long]},
        "initial_state": {"message_store": [{"id": "u", "role": "user", "content": "Go"}]},
        "execution": turns,
    });
    let text = serde_json::to_string_pretty(&run).unwrap();
    let line = text.lines().position(|line| line.contains("\"message_created\": {")).unwrap() + 1;
    for (form, vendor, is_short) in [("openai", "OpenAI", true), ("anthropic", "Anthropic", false)] {
        let view = export(&text, form);
        let refused: Vec<_> = view.losses.iter().filter(|loss| loss.kind == "refused").collect();
        let path = |step: usize| format!("execution[{step}].message_created.tool_calls[0].name");
        let mut paths = vec!["agent_config.tools[0].name".to_owned()];
        paths.extend(is_short.then(|| "agent_config.tools[2].name".to_owned()));
        paths.extend([path(0), path(4)]);
        paths.extend(is_short.then(|| path(6)));
        assert_eq!(refused.iter().map(|loss| loss.path.clone()).collect::<Vec<_>>(), paths, "{form}");
        let words = format!("the tool name `files.read`, which {vendor} rejects");
        assert_eq!(refused[0].message, words);
        let in_call = refused.iter().find(|loss| loss.path == path(0)).unwrap();
        assert_eq!(in_call.message, format!("{words}, in message `a0`"));
        assert_eq!(in_call.line as usize, line);
        assert!(view.summary.contains(&format!("{words}, in 2 messages")), "{:?}", view.summary);
        // The names are unchanged.
        let request = data(&view);
        assert!(request.to_string().contains("\"name\":\"files.read\""), "{request}");
    }
}

#[test]
fn the_longest_names_are_taken() {
    for (form, longest) in [("openai", 64), ("anthropic", 128)] {
        let refused = |length: usize| {
            let name = "x".repeat(length);
            let view = export(&format!("messages: ['user: a', 'assistant:call {name}()']"), form);
            lost(&view).iter().filter(|loss| loss.starts_with("refused")).count()
        };
        assert_eq!((refused(longest), refused(longest + 1)), (0, 1), "{form}");
    }
}

/// A run that sends its last call a summary in place of the first messages, and a shorter result.
const SUMMARY: &str = r#"
version: "1.0"
initial_state:
  message_store:
    - {id: msg_001, role: user, content: A long question}
    - {id: msg_002, role: assistant, content: A long answer}
    - {id: msg_003, role: user, content: Look it up}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}, {ref: msg_002}, {ref: msg_003}]
    llm_response:
      content: ""
      tool_calls: [{id: call_001, type: function, function: {name: look, arguments: "{}"}}]
    message_created:
      id: msg_004
      role: assistant
      content: ""
      tool_calls: [{id: call_001, type: function, function: {name: look, arguments: {}}}]
  - turn: 2
    type: tool_call
    tool_call: {id: call_001, tool_name: look, parameters: {}, result: all of it, success: true, error: null}
    message_created: {id: msg_005, role: tool, content: all of it, tool_call_id: call_001, tool_name: look}
  - turn: 3
    type: llm_call
    messages_sent_to_llm:
      - {role: system, content: Be brief}
      - {role: user, content: "Summary: a question, an answer", metadata: {by: compaction}}
      - {ref: msg_003}
      - {ref: msg_004}
      - {ref: msg_005, content: some of it}
    llm_response: {content: Found}
    message_created: {id: msg_006, role: assistant, content: Found}
  - turn: 4
    type: message
    message_created: {id: msg_007, role: user, content: Thanks}
"#;

#[test]
fn words_that_the_last_call_was_sent_instead_of_the_store_are_sent_again() {
    let call = json!({"id": "call_001", "type": "function", "function": {"name": "look", "arguments": "{}"}});
    let view = export(SUMMARY, "openai");
    assert_eq!(
        data(&view)["messages"],
        json!([
            {"role": "system", "content": "Be brief"},
            {"role": "user", "content": "Summary: a question, an answer"},
            {"role": "user", "content": "Look it up"},
            {"role": "assistant", "content": null, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_001", "content": "some of it"},
            {"role": "assistant", "content": "Found"},
            {"role": "user", "content": "Thanks"},
        ])
    );
    assert_eq!(
        lost(&view),
        [
            "whole initial_state.message_store[0]",
            "whole initial_state.message_store[1]",
            "lost execution[2].messages_sent_to_llm[1].metadata",
        ]
    );
    let request = data(&export(SUMMARY, "anthropic"));
    assert_eq!(request["system"], "Be brief");
    assert_eq!(
        request["messages"][0]["content"],
        json!([
            {"type": "text", "text": "Summary: a question, an answer"}, {"type": "text", "text": "Look it up"},
        ])
    );
    let messages = request["messages"].to_string();
    assert!(
        messages.contains("some of it") && !messages.contains("all of it") && !messages.contains("A long"),
        "{messages}"
    );
}

#[test]
fn all_messages_are_those_of_the_store_whatever_was_sent() {
    let view = export_with(SUMMARY, "openai", &Settings { all: true, ..Settings::default() });
    let messages = data(&view)["messages"].to_string();
    assert!(messages.contains("A long question") && messages.contains("all of it"), "{messages}");
    assert!(!messages.contains("Summary"), "{messages}");
    assert_eq!(lost(&view), ["lost execution[2].messages_sent_to_llm"]);
}

/// A call that was sent a part of the store says nothing of what the next one would be sent.
#[test]
fn messages_that_the_last_call_was_not_sent_are_written_if_the_model_can_see_them() {
    let text = SUMMARY.replace("      - {role: system, content: Be brief}\n", "");
    let text = text.replace(
        "      - {role: user, content: \"Summary: a question, an answer\", metadata: {by: compaction}}\n",
        "",
    );
    let view = export(&text.replace("{ref: msg_005, content: some of it}", "{ref: msg_005}"), "openai");
    assert_eq!(data(&view)["messages"][0]["content"], "A long question");
    assert_eq!(lost(&view), ["lost execution[2].messages_sent_to_llm"]);
}

/// https://platform.openai.com/docs/api-reference/chat/create: `detail` of an image, and results in any order.
#[test]
fn the_options_of_an_image_are_kept_where_the_vendor_has_them_and_else_reported() {
    let text = r#"
max_tokens: 9
messages:
  - user:
      - {type: text, text: What is it?}
      - {type: image_url, image_url: {url: "https://example.com/a.png", detail: low}}
      - {type: image, source: {type: url, url: "https://example.com/b.png"}, cache_control: {type: ephemeral}}
  - "assistant: A cat."
"#;
    let openai = export(text, "openai");
    assert_eq!(
        data(&openai)["messages"][0]["content"],
        json!([
            {"type": "text", "text": "What is it?"},
            {"type": "image_url", "image_url": {"url": "https://example.com/a.png", "detail": "low"}},
            {"type": "image_url", "image_url": {"url": "https://example.com/b.png"}}
        ])
    );
    assert_eq!(lost(&openai), ["lost initial_state.message_store[0].content[2].cache_control"]);
    let content = "lost initial_state.message_store[0].content";
    assert_eq!(
        lost(&export(text, "anthropic")),
        [format!("{content}[1].detail"), format!("{content}[2].cache_control")]
    );
}

#[test]
fn results_keep_their_order_and_a_late_one_is_reported() {
    let text = "max_tokens: 9\ntools: [{name: f, parameters: {type: object}}, {name: g, parameters: {type: object}}]\nmessages: ['user: a', 'assistant:call f(), g()', 'tool:g: 2', 'tool:f: 1', 'assistant: c']";
    let openai = export(text, "openai");
    let results = |at: usize| data(&openai)["messages"][at]["content"].clone();
    assert_eq!((results(2), results(3)), (json!("2"), json!("1")));
    assert_eq!(lost(&openai), Vec::<String>::new());
    let anthropic = export(text, "anthropic");
    let content = data(&anthropic)["messages"][2]["content"].clone();
    assert_eq!((&content[0]["content"], &content[1]["content"]), (&json!("2"), &json!("1")));
    assert_eq!(lost(&anthropic), Vec::<String>::new());
    // The vendors require a result before anything else that follows its call.
    let late = text.replace("'tool:f: 1'", "'user: b', 'tool:f: 1'");
    for form in ["openai", "anthropic"] {
        assert_eq!(lost(&export(&late, form)), ["changed execution[3].message_created.position"], "{form}");
    }
}

/// Data holds a number beyond 64 bits as a text; the answer of the model has it as it was written.
#[test]
fn a_number_beyond_64_bits_is_written_as_the_number_it_is() {
    let text = r#"version: "1.0"
agent_config: {max_tokens: 9, tools: [{name: f, parameters: {type: object}}]}
execution:
  - turn: 1
    type: llm_call
    llm_response:
      content: ""
      tool_calls: [{id: c, type: function, function: {name: f, arguments: '{"x": 1e400, "y": 12345678901234567890123}'}}]
    message_created:
      id: msg_001
      role: assistant
      content: ""
      tool_calls: [{id: c, type: function, function: {name: f, arguments: {x: "1e400", "y": "12345678901234567890123"}}}]
"#;
    let openai = export(text, "openai");
    assert_eq!(
        data(&openai)["messages"][0]["tool_calls"][0]["function"]["arguments"],
        r#"{"x": 1e400, "y": 12345678901234567890123}"#
    );
    let anthropic = lost(&export(text, "anthropic"));
    let changed = "changed execution[0].message_created.tool_calls[0].arguments";
    assert!(anthropic.iter().any(|loss| loss == changed), "{anthropic:?}");
}

/// Both vendors take a content as a list of parts, and a model reads each part by itself.
#[test]
fn two_texts_of_a_content_stay_two_parts() {
    let text = r#"
max_tokens: 9
messages:
  - system: [{type: text, text: Be kind.}, {type: text, text: Be brief.}]
  - user: [{type: text, text: About entanglement}, {type: text, text: Be patient}]
  - "assistant: Yes."
"#;
    let part = |text: &str| json!({"type": "text", "text": text});
    let user = json!([part("About entanglement"), part("Be patient")]);
    let openai = export(text, "openai");
    assert_eq!(data(&openai)["messages"][0]["content"], json!([part("Be kind."), part("Be brief.")]));
    assert_eq!(data(&openai)["messages"][1]["content"], user);
    assert_eq!(lost(&openai), Vec::<String>::new());
    let anthropic = export(text, "anthropic");
    assert_eq!(data(&anthropic)["system"], json!([part("Be kind."), part("Be brief.")]));
    assert_eq!(data(&anthropic)["messages"][0]["content"], user);
    assert_eq!(lost(&anthropic), Vec::<String>::new());
    // The text of an answer is one.
    let answer =
        text.replace("\"assistant: Yes.\"", "assistant: [{type: text, text: Yes}, {type: text, text: No}]");
    for form in ["openai", "anthropic"] {
        assert_eq!(lost(&export(&answer, form)), ["changed execution[0].message_created.content"], "{form}");
    }
}
