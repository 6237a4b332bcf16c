//! Steps of agents of smolagents.

use serde_json::{Value, json};
use transcript_core::document::{Limits, detection};

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn steps_of_an_agent_with_tools_are_a_run() {
    let view = import_session("smolagents-steps", &fixture("platforms/smolagents.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: You are an expert assistant who solves tasks with tools.",
            "user: How warm is it in Bern and in Thun?",
            "says: 1. Ask for both cities.",
            r#"calls weather({"city": "Bern"}), weather({"city": "Thun"})"#,
            "weather -> 12 degrees in Bern",
            "weather -> 11 degrees in Thun",
            // After a failed tool, the calls are only in the message of the model.
            r#"calls note({"text": "12 and 11"})"#,
            "note fails: Error executing tool 'note' with arguments {'text': '12 and 11'}: OSError: disk full\nPlease try again or use another tool",
            r#"calls final_answer({"answer": "12 and 11 degrees"})"#,
            "final_answer -> 12 and 11 degrees",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
}

#[test]
fn a_response_has_what_the_provider_wrote() {
    let view = import_session("smolagents-steps", &fixture("platforms/smolagents.json"));
    let turns = &view.transcript["execution"];
    let planned = &turns[0]["llm_response"];
    assert_eq!(planned["usage"], json!({"input_tokens": 120, "output_tokens": 15}));
    assert_eq!(planned["metadata"]["plan"], "Here is my plan:\n1. Ask for both cities.");
    let response = &turns[1]["llm_response"];
    assert_eq!(
        (&response["content"], &response["model"]),
        (&json!("I ask for both."), &json!("gpt-5.6-luna"))
    );
    assert_eq!(response["reasoning"], "Two cities, two calls.");
    assert_eq!((&response["id"], &response["finish_reason"]), (&json!("chatcmpl-1"), &json!("tool_calls")));
    assert_eq!(response["usage"]["prompt_tokens_details"]["cached_tokens"], 100);
    assert_eq!(response["metadata"]["step_number"], 1);
    assert_eq!(response["metadata"]["observations"], "12 degrees in Bern\n11 degrees in Thun");
    // The input of a step repeats that of the step before.
    let texts = |turn: usize| {
        let sent = turns[turn]["llm_response"]["metadata"]["model_input_messages"].as_array().unwrap();
        sent.iter().map(|message| message["role"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(texts(1), ["user", "assistant", "user"]);
    assert_eq!(texts(4), ["assistant", "tool-call", "tool-response"]);
    assert_eq!(texts(6), ["tool-response"]);
    let failed = &turns[5]["message_created"]["metadata"];
    assert_eq!(failed["type"], "AgentToolExecutionError");
    assert!(turns[1]["timestamp"].as_str().unwrap().starts_with("2026-04-14T07:30:01.5"));
    assert!(turns[2]["timestamp"].as_str().unwrap().starts_with("2026-04-14T07:30:03"));
}

#[test]
fn code_is_a_call_of_the_interpreter() {
    let view = import_session("smolagents-steps", &fixture("platforms/smolagents-result.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: You solve tasks with code.",
            "user: What is 6 times 7?",
            r#"calls python_interpreter({"code": "print(6 * 7)\nopen('a')"})"#,
            "python_interpreter fails: Execution logs:\n42\nCode execution failed at line 'open('a')' due to: InterpreterError: Forbidden function",
            "says: Thought: I do not know.</code>",
            "user: Error in code parsing:\nThe pattern <code>(.*?)</code> was not found.",
            // After the last step the model is asked for an answer.
            "says: It is 42.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let turns = &view.transcript["execution"];
    assert_eq!(turns[4]["llm_response"]["metadata"]["error"]["type"], "AgentMaxStepsError");
    let session = &view.transcript["metadata"]["recording"]["session"];
    assert_eq!((&session["state"], &session["output"]), (&json!("max_steps_error"), &json!("It is 42.")));
}

fn action(more: &Value) -> Value {
    let mut step = json!({"step_number": 1, "model_output_message": null, "tool_calls": [], "observations": null,
        "model_output": null, "error": null});
    step.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    step
}

fn outline_of(steps: &[Value]) -> Vec<String> {
    outline(&import_session("smolagents-steps", &Value::from(steps).to_string()).transcript)
}

#[test]
fn observations_that_cannot_be_told_apart_belong_to_the_first_call() {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": id, "arguments": {}}});
    let step = |observations: &str| {
        let more =
            json!({"model_output": "Go", "tool_calls": [call("a"), call("b")], "observations": observations});
        outline_of(&[action(&more)])
    };
    assert_eq!(step("1\n2"), ["calls a({}), b({})", "a -> 1", "b -> 2"]);
    assert_eq!(step("1\n2\n3"), ["calls a({}), b({})", "a -> 1\n2\n3"]);
    let failed = json!({"model_output": "Go", "tool_calls": [call("a"), call("b")],
        "error": {"type": "AgentExecutionError", "message": "No."}});
    assert_eq!(outline_of(&[action(&failed)]), ["calls a({}), b({})", "a fails: No.", "b fails: No."]);
}

#[test]
fn a_model_that_failed_is_an_error() {
    let task = json!({"task": "Go", "task_images": null});
    let failed = json!({"error": {"type": "AgentGenerationError", "message": "Overloaded"}});
    assert_eq!(outline_of(&[task.clone(), action(&failed)]), ["user: Go", "fails: Overloaded"]);
    // The last step of a stream repeats the answer.
    let said = json!({"model_output": "Done."});
    let steps = [task, action(&said), json!({"output": "Done."})];
    let text = serde_json::to_string_pretty(&steps).unwrap();
    let view = import_session("smolagents-steps", &text);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Go", "says: Done."]);
    assert_eq!(view.files[0].report.kept.len(), 1);
}

#[test]
fn steps_of_others_are_not_taken() {
    let found = |steps: &Value| detection(steps.to_string().as_bytes(), &Limits::default()).kind;
    assert_ne!(found(&json!([{"task": "Go", "agent": "task_images"}])), "smolagents-steps");
    assert_ne!(found(&json!({"steps": [{"tool_calls": [], "observations": "1"}]})), "smolagents-steps");
}
