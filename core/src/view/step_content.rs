//! The content of a step that a person can change.

use serde_json::Value;

use super::StepDetail;
use crate::text::json;

impl StepDetail {
    /// The content: the answer of a model, the result of a tool, or the text of a message. Data is JSON on several lines; an answer
    /// with calls is data, in the form that [`Change::ReplaceAnswer`](crate::travel::Change::ReplaceAnswer) takes.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let text = "messages: ['user: Hi', 'assistant: Hello!']";
    /// let document = Document::open(text, &Limits::default());
    /// assert_eq!(document.step("1").unwrap().content(), "Hello!");
    /// ```
    #[must_use]
    pub fn content(&self) -> String {
        match (&self.llm, &self.tool) {
            (Some(llm), _) if llm.tool_calls.is_empty() => llm.content.clone().unwrap_or_default(),
            (Some(llm), _) => {
                let calls = llm.tool_calls.iter();
                let calls: Vec<Value> =
                    calls.map(|call| json!({ "name": call.name, "arguments": call.arguments })).collect();
                indented(&json!({ "content": llm.content, "tool_calls": calls }))
            }
            (None, Some(tool)) => match &tool.result {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                data => indented(data),
            },
            (None, None) => {
                let created = self.flow.store.iter().rev().find(|message| message.created_here);
                created.and_then(|message| message.content.as_deref()).unwrap_or_default().to_owned()
            }
        }
    }
}

fn indented(data: &Value) -> String {
    serde_json::to_string_pretty(data).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::document::{Document, Limits};

    fn contents(text: &str) -> Vec<String> {
        let document = Document::open(text, &Limits::default());
        let steps = document.steps().into_iter().skip(1);
        steps.map(|row| document.step(&row.path).unwrap().content()).collect()
    }

    #[test]
    fn each_kind_of_step_has_its_content() {
        let text = r#"
execution:
  - turn: 1
    type: llm_call
    llm_response:
      content: ''
      tool_calls: [{id: c, type: function, function: {name: weather, arguments: '{"city": "Rome"}'}}]
  - {turn: 2, type: tool_call, tool_call: {id: c, tool_name: weather, parameters: {city: Rome}, result: 21, success: true}}
  - {turn: 3, type: tool_call, tool_call: {tool_name: weather, parameters: {}, result: sunny, success: true}}
  - {turn: 4, type: llm_call, llm_response: {content: Sunny}}
  - {turn: 5, type: message, message_created: {id: m, role: user, content: Go on}}
"#;
        let contents = contents(text);
        let answer: Value = serde_json::from_str(&contents[0]).unwrap();
        let calls = json!([{"name": "weather", "arguments": {"city": "Rome"}}]);
        assert_eq!((&answer["tool_calls"], answer["content"].as_str()), (&calls, Some("")));
        assert_eq!(contents[1..], ["21", "sunny", "Sunny", "Go on"]);
    }

    #[test]
    fn a_compact_document_has_the_same_contents() {
        let text = "messages: ['user: Hi', 'assistant:call f(x=1)', 'tool:f: {a: [1]}', 'assistant: Done', 'user: Bye']";
        let contents = contents(text);
        let answer: Value = serde_json::from_str(&contents[0]).unwrap();
        assert_eq!(answer["tool_calls"], json!([{"name": "f", "arguments": {"x": 1}}]));
        assert_eq!(contents[1], "{\n  \"a\": [\n    1\n  ]\n}");
        assert_eq!(contents[2..], ["Done", "Bye"]);
    }
}
