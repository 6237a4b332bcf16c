//! Requests of the chats of Mistral, Ollama and Cohere are read as those of chat completions.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{ReplayAnswer, Request, Session, Settings};

use super::diverges;

const RUN: &str = r#"
messages:
  - "user: Where is it warmer?"
  - "assistant:call weather(location='Oslo'), weather(location='Rome')"
  - "tool:weather#call_001: {temp: 5}"
  - "tool:weather#call_002: {temp: 25}"
  - "assistant: In Rome."
"#;

/// The answer to a request after that of the user.
fn ask(format: &str, list: &Value, settings: &Value) -> ReplayAnswer {
    let document = Document::open(RUN, &Limits::default());
    let settings = Settings::from_value(settings).unwrap();
    let mut session = Session::with(document.timeline().unwrap().clone(), settings).unwrap();
    let request = |messages: Value| {
        Request::from_value(&json!({"format": format, "model": "m", "messages": messages})).unwrap()
    };
    let answer = session.request(&request(json!([list[0]])));
    assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:?}");
    session.request(&request(list.clone()))
}

fn is_answered(format: &str, list: &Value, settings: &Value) -> bool {
    matches!(ask(format, list, settings), ReplayAnswer::Response { .. })
}

/// Messages with arguments as data; `results` has the messages of the tools.
fn messages(ids: [Option<&str>; 2], results: [Value; 2]) -> Value {
    let call = |id: Option<&str>, location: &str| {
        let mut call = json!({"function": {"name": "weather", "arguments": {"location": location}}});
        if let Some(id) = id {
            call["id"] = json!(id);
        }
        call
    };
    let [first, second] = results;
    json!([
        {"role": "user", "content": "Where is it warmer?"},
        {"role": "assistant", "content": "", "thinking": "Hm", "tool_calls": [call(ids[0], "Oslo"), call(ids[1], "Rome")]},
        first,
        second,
    ])
}

const IDS: [Option<&str>; 2] = [Some("call_001"), Some("call_002")];

#[test]
fn results_of_ollama_answer_their_calls_by_name_and_order() {
    let named = |temp: u64| json!({"role": "tool", "tool_name": "weather", "content": json!({"temp": temp}).to_string()});
    let bare = |temp: u64| json!({"role": "tool", "content": json!({"temp": temp}).to_string()});
    for results in [[named(5), named(25)], [bare(5), bare(25)], [named(5), bare(25)]] {
        assert!(is_answered("ollama", &messages(IDS, results.clone()), &json!({})));
        // Ids that the agent leaves out of its calls can be ignored.
        let without = messages([None, None], results);
        assert!(!is_answered("ollama", &without, &json!({})));
        assert!(is_answered("ollama", &without, &json!({"ignore": ["ids"]})));
    }
    let found = diverges(ask("ollama", &messages(IDS, [bare(25), bare(5)]), &json!({})));
    assert_eq!((found.path.as_str(), found.actual), ("messages[2].result.temp", Some(json!(25))));
}

#[test]
fn results_of_mistral_may_have_only_a_name() {
    let result =
        |temp: u64| json!({"role": "tool", "name": "weather", "content": json!({"temp": temp}).to_string()});
    let list = messages(IDS, [result(5), result(25)]);
    assert!(is_answered("mistral", &list, &json!({})));
    assert!(!is_answered("openai-chat", &list, &json!({})));
}

#[test]
fn results_of_cohere_may_be_documents() {
    let result = |id: &str, temp: u64| {
        json!({"role": "tool", "tool_call_id": id, "content": [
            {"type": "document", "document": {"id": "1", "data": {"temp": temp}}},
        ]})
    };
    // Parallel results are matched by their calls.
    let list = messages(IDS, [result("call_002", 25), result("call_001", 5)]);
    assert!(is_answered("cohere", &list, &json!({})));
    let mut planned = list;
    planned[1]["tool_plan"] = json!("I look.");
    let found = diverges(ask("cohere", &planned, &json!({})));
    assert_eq!((found.path.as_str(), found.actual), ("messages[1].content", Some(json!("I look."))));
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    let problem = |body: Value| Request::from_value(&body).unwrap_err().to_string();
    for format in ["mistral", "ollama", "cohere"] {
        assert_eq!(problem(json!({ "format": format })), "a request has no list of `messages`");
        let list = json!(["Hi"]);
        assert_eq!(
            problem(json!({"format": format, "messages": list})),
            "messages[0]: expected a map, found a string"
        );
        let nameless = json!([{"role": "assistant", "tool_calls": [{"function": {"arguments": {}}}]}]);
        assert_eq!(
            problem(json!({"format": format, "messages": nameless})),
            "messages[0].tool_calls[0].function has no `name`"
        );
    }
}

#[test]
fn a_prompt_of_ollama_is_a_message_of_the_user() {
    let sent = json!({
        "model": "codellama:code", "prompt": "def compute_gcd(a, b):", "suffix": "    return result",
        "system": "Write Python", "images": ["AAAA"], "format": "ollama",
    });
    let messages = Request::from_value(&sent).unwrap().messages();
    assert_eq!(messages[0].content, "Write Python");
    assert_eq!(messages[1].content, "def compute_gcd(a, b):");
    assert_eq!(messages[1].parts[0]["suffix"], "    return result");
    assert_eq!(messages[1].parts[1]["type"], "image");
}
