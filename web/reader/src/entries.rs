//! The steps as the read view shows them.

use serde_json::{Value, json};
use transcript_core::document::Document;
use transcript_core::model::{Content, Message, ToolRun, Turn};
use transcript_core::text::json_line;
use transcript_core::view::{ReadEntry, ReadMessage, ReadTool, StepRow, ToolChip};

/// The most characters of a text.
const TEXT: usize = 20_000;
/// The most characters of the arguments of a call, which are one line.
const ARGUMENTS: usize = 200;
/// The most messages of the initial state.
const INITIAL: usize = 50;

/// The step of a row.
pub(crate) fn read_entry(document: &Document, row: &StepRow) -> ReadEntry {
    let Some((timeline, step)) = document.timeline_at(&row.path) else { return ReadEntry::default() };
    let Some(turn) = timeline.turn_at(step) else {
        let store = timeline.store_at(0);
        let earlier = store.len().saturating_sub(INITIAL);
        let last = store.iter().skip(earlier).map(|stored| initial_message(&stored.message));
        return ReadEntry { messages: last.collect(), earlier, ..ReadEntry::default() };
    };
    let response = turn.response.as_ref();
    let reasoning = response.and_then(|response| response.reasoning.as_ref());
    let reasoning = reasoning.filter(|reasoning| !reasoning.to_text().is_empty());
    ReadEntry {
        messages: turn_message(turn).into_iter().collect(),
        earlier: 0,
        reasoning: reasoning.map(|reasoning| message_of("assistant", Some(reasoning))),
        tool: turn.tool.as_ref().map(read_tool),
    }
}

/// The response of a model, else its error, else the message of the turn. The message of a tool is its result.
fn turn_message(turn: &Turn) -> Option<ReadMessage> {
    if turn.tool.is_some() {
        return None;
    }
    let response = turn.response.as_ref();
    let content = response.and_then(|response| response.content.as_ref().or(response.refusal.as_ref()));
    let role = turn.created.as_ref().map_or("assistant", |created| created.role.value.name());
    if content.is_some() {
        return Some(message_of(role, content));
    }
    if let Some(error) = &turn.error {
        let text =
            error.get("message").and_then(Value::as_str).map_or_else(|| error.to_string(), str::to_owned);
        return Some(message_of("error", Some(&Content::Text(text.into()))));
    }
    turn.created.as_ref().map(read_message)
}

/// A message of the initial state, with its calls.
fn initial_message(message: &Message) -> ReadMessage {
    let calls = message.tool_calls.iter().map(|call| ToolChip {
        name: call.name.value.to_string(),
        arguments: json_line(&call.arguments).chars().take(ARGUMENTS).collect(),
        unanswered: false,
    });
    ReadMessage { calls: calls.collect(), ..read_message(message) }
}

fn read_message(message: &Message) -> ReadMessage {
    let read = message_of(message.role.value.name(), message.content.as_ref());
    ReadMessage { error: tool_error(message), ..read }
}

/// The error of the tool in the response of a message, or in what an import kept of it.
fn tool_error(message: &Message) -> Option<String> {
    let details = message.details.as_ref()?;
    let stated = details.tool_response.as_ref().and_then(|response| response.error.as_ref());
    let kept = || details.metadata.as_ref()?.get("error")?.as_str().map(str::to_owned);
    let error = stated.map(Content::to_text).or_else(kept)?;
    (!error.is_empty()).then(|| shorten(&error, &mut 0))
}

fn message_of(role: &str, content: Option<&Content>) -> ReadMessage {
    let mut cut = 0;
    let content = match content {
        Some(Content::Text(text)) => json!(shorten(text, &mut cut)),
        // The bytes of an image stay whole.
        Some(Content::Data(Value::Array(parts))) => {
            parts.iter().map(|part| shorten_part(part, &mut cut)).collect()
        }
        Some(Content::Data(data)) => data.clone(),
        None => Value::Null,
    };
    ReadMessage { role: role.to_owned(), content, cut, ..ReadMessage::default() }
}

fn shorten_part(part: &Value, cut: &mut usize) -> Value {
    let mut part = part.clone();
    if let Some(Value::String(text)) = part.get_mut("text") {
        *text = shorten(text, cut);
    }
    part
}

fn read_tool(tool: &ToolRun) -> ReadTool {
    let error = tool.error.as_ref().filter(|_| !tool.success);
    let output = error.map_or_else(|| Content::from_result(tool.answer()).to_text(), Content::to_text);
    let mut cut = 0;
    let mut arguments = tool.parameters.clone();
    if let Value::Object(entries) = &mut arguments {
        for value in entries.values_mut() {
            if let Value::String(text) = value {
                *text = shorten(text, &mut cut);
            }
        }
    }
    let output = shorten(&output, &mut cut);
    ReadTool { name: tool.name.value.clone(), arguments, output, cut }
}

/// The beginning of a text; `cut` grows by the number of characters that follow.
fn shorten(text: &str, cut: &mut usize) -> String {
    let (start, rest) = match text.char_indices().nth(TEXT) {
        Some((end, _)) => text.split_at(end),
        None => (text, ""),
    };
    *cut += rest.chars().count();
    start.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::document::Limits;

    fn entries(text: &str) -> Vec<ReadEntry> {
        let document = Document::open(text, &Limits::default());
        document.steps().iter().map(|row| read_entry(&document, row)).collect()
    }

    fn texts(entry: &ReadEntry) -> Vec<(&str, &Value)> {
        entry.messages.iter().map(|message| (message.role.as_str(), &message.content)).collect()
    }

    #[test]
    fn a_result_without_its_call_shows_the_error() {
        let store = "initial_state: {message_store: [
            {id: a, role: tool, content: '', metadata: {error: 'timeout: 30 s'}},
            {id: b, role: tool, content: x, tool_response: {success: false, error: no such file}},
            {id: c, role: tool, content: x, metadata: {line: 3}}]}";
        let read = entries(&format!("{store}\nexecution: []"));
        let errors: Vec<_> = read[0].messages.iter().map(|message| message.error.as_deref()).collect();
        assert_eq!(errors, [Some("timeout: 30 s"), Some("no such file"), None]);
    }

    #[test]
    fn each_kind_of_step_shows_its_own() {
        let text = r#"
messages:
  - 'system: You are kind.'
  - 'user: Hi'
  - 'assistant:call f(x=1)'
  - 'tool:f: {a: [1]}'
  - 'assistant: Done'
"#;
        let [start, call, tool, last] = entries(text).try_into().unwrap();
        assert_eq!(texts(&start), [("system", &json!("You are kind.")), ("user", &json!("Hi"))]);
        assert_eq!((call.tool, texts(&last)), (None, vec![("assistant", &json!("Done"))]));
        let ran = tool.tool.unwrap();
        assert_eq!((&*ran.name, ran.arguments, ran.output.as_str()), ("f", json!({"x": 1}), r#"{"a": [1]}"#));
        assert_eq!(tool.messages, []);
    }

    #[test]
    fn calls_of_the_initial_state_are_in_its_messages_and_those_of_steps_are_not() {
        let call = "{id: c, function: {name: f, arguments: '{\"x\": [1, 2]}'}}";
        let text = format!(
            "initial_state: {{message_store: [{{role: assistant, content: '', tool_calls: [{call}]}}, \
             {{role: tool, tool_call_id: c, content: ok}}]}}\n\
             execution: [{{type: message, message_created: {{role: assistant, tool_calls: [{call}]}}}}]\n"
        );
        let [start, step] = entries(&text).try_into().unwrap();
        let chip = ToolChip { name: "f".into(), arguments: r#"{"x": [1, 2]}"#.into(), unanswered: false };
        let calls: Vec<_> = start.messages.into_iter().map(|message| message.calls).collect();
        assert_eq!(calls, [vec![chip], vec![]]);
        assert_eq!(step.messages[0].calls, []);
    }

    #[test]
    fn reasoning_errors_and_parts_are_there() {
        let text = r#"
execution:
  - {turn: 1, type: llm_call, llm_response: {content: Sunny, reasoning: It is June.}}
  - {turn: 2, type: llm_call, llm_error: {type: rate_limit, message: Too many requests}}
  - {turn: 3, type: message, message_created: {id: m, role: user, content: [{type: text, text: See}, {type: image_url, image_url: {url: 'data:image/png;base64,AA=='}}]}}
  - {turn: 4, type: tool_call, tool_call: {tool_name: f, parameters: {}, success: false, error: No such file}}
"#;
        let [_, first, failed, parts, tool] = entries(text).try_into().unwrap();
        assert_eq!(first.reasoning.unwrap().content, "It is June.");
        assert_eq!(texts(&failed), [("error", &json!("Too many requests"))]);
        assert_eq!(parts.messages[0].content[1]["image_url"]["url"], "data:image/png;base64,AA==");
        assert_eq!(tool.tool.unwrap().output, "No such file");
    }

    #[test]
    fn a_long_text_and_a_long_store_are_cut_and_counted() {
        let long = "ä".repeat(TEXT + 7);
        let [_, entry] = entries(&format!("messages: ['user: Hi', 'assistant: {long}']")).try_into().unwrap();
        let [message] = entry.messages.as_slice() else { panic!("{entry:?}") };
        assert_eq!((message.content.as_str().unwrap().chars().count(), message.cut), (TEXT, 7));
        let write = json!({"execution": [
            {"turn": 1, "type": "tool_call", "tool_call": {"tool_name": "write", "parameters": {"path": "a", "content": long},
             "result": "", "success": true}},
            {"turn": 2, "type": "message", "message_created": {"id": "m", "role": "user", "content": [
                {"type": "text", "text": long}, {"type": "image", "data": "A".repeat(TEXT + 1)}]}},
        ]});
        let [_, call, parts] = entries(&write.to_string()).try_into().unwrap();
        let tool = call.tool.unwrap();
        assert_eq!((tool.arguments["content"].as_str().unwrap().chars().count(), tool.cut), (TEXT, 7));
        let [message] = parts.messages.as_slice() else { panic!("{parts:?}") };
        assert_eq!((message.cut, message.content[1]["data"].as_str().unwrap().len()), (7, TEXT + 1));
        let users: String = (0..60).map(|at| format!("'user: number {at}', ")).collect();
        let [start, _] = entries(&format!("messages: [{users} 'assistant: Hello']")).try_into().unwrap();
        assert_eq!((start.messages.len(), start.earlier), (INITIAL, 10));
        assert_eq!(start.messages[49].content, "number 59");
    }
}
