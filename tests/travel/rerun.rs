//! Changed runs that are played on, by handlers and from outside.

use serde_json::{Value, json};
use transcript_core::mock::{MockContext, MockModel, Queue, Repeat, Response, function};
use transcript_core::model::Transcript;
use transcript_core::replay::{ReplayAnswer, Session, Timeline};
use transcript_core::travel::{EndReason, Rerun, RerunNeeds, RerunOptions, TravelResult};

use crate::{ASKING, changes, mark_lines, read, weather};

fn begin(run: &Transcript, value: &Value) -> Rerun {
    Rerun::new(run, &changes(value), RerunOptions::default()).unwrap()
}

fn requested_calls(rerun: &mut Rerun) -> Vec<String> {
    match rerun.needs() {
        RerunNeeds::Response(ask) => ask.messages.iter().map(|message| message.content.clone()).collect(),
        other => panic!("expected a question, got {other:?}"),
    }
}

/// Ends a rerun; the run must replay itself.
fn end(mut rerun: Rerun) -> TravelResult {
    assert_eq!(rerun.needs(), RerunNeeds::Nothing(EndReason::Done));
    let new = rerun.finish();
    replays(&new.transcript);
    new
}

fn replays(run: &Transcript) {
    let mut session = Session::new(Timeline::new(run.clone())).unwrap();
    while let Some(answer) = session.rehearse() {
        assert!(!matches!(answer, ReplayAnswer::Divergence { .. }), "{answer:?}");
    }
    session.finish().unwrap();
}

#[test]
fn a_new_question_gets_a_new_answer_and_the_recorded_result() {
    let edit = json!({"edit_message": {"step": 0, "message": "msg_002", "content": "Weather? NYC!"}});
    let mut rerun = begin(&weather(), &edit);
    assert_eq!(requested_calls(&mut rerun), ["You are a helpful assistant", "Weather? NYC!"]);
    rerun.respond(&Response::text("Sure").call("weather", json!({"location": "NYC"}))).unwrap();
    // The tool's result is recorded, so that the next thing requested is the answer to it.
    let RerunNeeds::Response(ask) = rerun.needs() else { panic!() };
    assert_eq!(ask.messages.last().unwrap().result.as_ref().unwrap()["temperature"], 72);
    assert_eq!((ask.step.as_str(), ask.origin.as_deref(), ask.iteration), ("3", Some("3"), 1));
    assert_eq!(
        (ask.model.as_deref(), ask.tools),
        (Some("gpt-4"), vec!["weather".to_owned(), "search".to_owned()])
    );
    assert_eq!(ask.context["last_action"], "weather_requested");
    rerun.respond(&Response::text("72 and sunny")).unwrap();
    let new = end(rerun);
    assert_eq!(mark_lines(&new), ["0<0 changed", "1<1 recomputed", "2<2 recomputed", "3<3 recomputed"]);
    let last = new.transcript.turns[2].created.as_ref().unwrap();
    assert_eq!(
        (&*last.id.value, last.content.as_ref().unwrap().to_text().as_str()),
        ("msg_005", "72 and sunny")
    );
    assert!(new.holds() && new.dropped.is_empty());
}

#[test]
fn another_call_asks_for_its_result() {
    let response = json!({"tool_calls": [["weather", {"location": "Paris"}]]});
    let mut rerun = begin(&weather(), &json!({"replace_response": {"step": "1", "response": response}}));
    let RerunNeeds::Tool(need) = rerun.needs() else { panic!() };
    assert_eq!(
        (need.name.as_str(), need.arguments, need.step.as_str()),
        ("weather", json!({"location": "Paris"}), "2")
    );
    assert_eq!(rerun.needs(), rerun.needs());
    assert!(rerun.respond(&Response::text("x")).is_err());
    rerun.tool_result(&Ok(json!({"temperature": 20}))).unwrap();
    assert!(rerun.tool_result(&Ok(json!(1))).is_err());
    assert_eq!(requested_calls(&mut rerun).len(), 4);
    rerun.respond(&Response::text("20 degrees")).unwrap();
    let new = end(rerun);
    assert_eq!(mark_lines(&new), ["1<1 changed", "2<new recomputed", "3<3 recomputed"]);
    assert_eq!(new.dropped.len(), 1);
    assert_eq!(new.dropped[0].step, "2");
}

#[test]
fn a_skipped_result_is_not_taken_from_the_recording() {
    let mut rerun = begin(&weather(), &json!({"skip": {"step": "2"}}));
    let RerunNeeds::Tool(_) = rerun.needs() else { panic!("{:?}", rerun.needs()) };
    rerun.tool_result(&Err(json!("down"))).unwrap();
    rerun.respond(&Response::text("No idea")).unwrap_err();
    let mut model = MockModel::new(Queue::new(["No idea"]));
    assert_eq!(rerun.answer_with(&mut model).unwrap(), RerunNeeds::Nothing(EndReason::Done));
    let new = end(rerun);
    assert_eq!(mark_lines(&new), ["1<1 kept", "2<new recomputed", "3<3 recomputed"]);
    assert!(!new.transcript.turns[1].tool.as_ref().unwrap().success);
}

const TALK: &str = r#"
messages:
  - "user: Hi"
  - "assistant: Hello! Weather?"
  - "user: Yes"
  - "assistant:call weather(city='Rome')"
  - "tool:weather: {temp: 20}"
  - {context: {told: true}}
  - "assistant: 20"
  - "user: Thanks"
  - "assistant: Bye"
"#;

#[test]
fn messages_and_context_come_in_their_places() {
    let run = read(TALK);
    // The model answers at once, so that the rest of its recorded round is left out.
    let mut rerun = begin(&run, &json!({"replace_response": {"step": "1", "response": "Hello!"}}));
    assert_eq!(requested_calls(&mut rerun), ["Hi", "Hello!", "Yes"]);
    rerun.respond(&Response::text("Yes what?")).unwrap();
    assert_eq!(requested_calls(&mut rerun), ["Hi", "Hello!", "Yes", "Yes what?", "Thanks"]);
    rerun.respond(&Response::text("Bye then")).unwrap();
    let new = end(rerun);
    assert_eq!(mark_lines(&new), ["1<1 changed", "2<2 kept", "3<3 recomputed", "4<6 kept", "5<7 recomputed"]);
    let dropped: Vec<&str> = new.dropped.iter().map(|dropped| dropped.step.as_str()).collect();
    assert_eq!(dropped, ["5", "4"]);
    assert!(new.transcript.context.is_empty());
    // It calls once more than was recorded.
    let mut rerun = begin(&run, &json!({"replace_response": {"step": "1", "response": "Hello!"}}));
    let mut answers = vec![
        Response::default().call("weather", json!({"city": "Rome"})),
        Response::default().call("weather", json!({"city": "Rome"})),
        Response::text("20 and 20"),
        Response::text("Bye"),
    ];
    answers.reverse();
    loop {
        match rerun.needs() {
            RerunNeeds::Response(_) => rerun.respond(&answers.pop().unwrap()).unwrap(),
            RerunNeeds::Tool(_) => rerun.tool_result(&Ok(json!(21))).unwrap(),
            RerunNeeds::Nothing(_) => break,
        }
    }
    let new = end(rerun);
    assert_eq!(
        mark_lines(&new),
        [
            "1<1 changed",
            "2<2 kept",
            "3<3 recomputed",
            "4<4 recomputed",
            "5<5 recomputed",
            "6<new recomputed",
            "7<new recomputed",
            "8<6 kept",
            "9<7 recomputed"
        ]
    );
    let position = new.transcript.turns.iter().position(|turn| turn.changes.context.contains_key("told"));
    assert_eq!(position, Some(3));
}

#[test]
fn a_fork_goes_on_where_an_option_says_so() {
    let fork = changes(&json!({"fork": {"at": "2"}}));
    let mut rerun = Rerun::new(&weather(), &fork, RerunOptions::default()).unwrap();
    assert_eq!(rerun.needs(), RerunNeeds::Nothing(EndReason::Done));
    replays(&rerun.finish().transcript);
    let options = RerunOptions { continue_past_end: true, ..RerunOptions::default() };
    let mut rerun = Rerun::new(&weather(), &fork, options).unwrap();
    let mut model =
        MockModel::new(function(|context: &MockContext<'_>| format!("{} messages", context.messages.len())));
    rerun.answer_with(&mut model).unwrap();
    let new = end(rerun);
    assert_eq!(mark_lines(&new), ["1<1 kept", "2<2 kept", "3<new recomputed"]);
    let last = new.transcript.turns[2].created.as_ref().unwrap();
    assert_eq!(
        (&*last.id.value, last.content.as_ref().unwrap().to_text().as_str()),
        ("msg_006", "4 messages")
    );
}

#[test]
fn a_nested_run_is_played_on_before_the_run_around_it() {
    let mut rerun = begin(&read(ASKING), &json!({"edit_message": {"step": "2.1", "content": "And now?"}}));
    let RerunNeeds::Response(ask) = rerun.needs() else { panic!() };
    assert_eq!((ask.step.as_str(), ask.messages[0].content.as_str()), ("2.2", "And now?"));
    rerun.respond(&Response::text("It rains")).unwrap();
    let RerunNeeds::Response(ask) = rerun.needs() else { panic!() };
    assert_eq!(ask.messages.last().unwrap().result, Some(json!("It rains")));
    rerun.respond(&Response::text("Rain, they say")).unwrap();
    let new = end(rerun);
    assert_eq!(
        mark_lines(&new),
        ["1<1 kept", "2<2 recomputed", "2.1<2.1 changed", "2.2<2.2 recomputed", "3<3 recomputed"]
    );
    let tool = new.transcript.turns[1].tool.as_ref().unwrap();
    assert_eq!(tool.result["response"], "It rains");
    replays(tool.nested.as_ref().unwrap());
}

#[test]
fn agents_with_stores_of_their_own_get_what_they_got() {
    let run = read(
        r#"
version: "1.0"
agents:
  ann: {config: {model: a}, message_store: [{id: sa, role: system, content: You are Ann}]}
  bob: {config: {model: b}, tools: [dig], message_store: [{id: sb, role: system, content: You are Bob}]}
execution:
  - {turn: 1, type: message, message_created: {id: u, role: user, content: Talk}}
  - turn: 2
    type: llm_call
    agent: ann
    messages_sent_to_llm: [{ref: sa}, {ref: u}]
    llm_response: {content: Hi Bob}
    message_created: {id: a1, role: assistant, agent: ann, content: Hi Bob}
  - turn: 3
    type: llm_call
    agent: bob
    messages_sent_to_llm: [{ref: sb}, {ref: u}]
    llm_response: {content: Hi Ann}
    message_created: {id: b1, role: assistant, agent: bob, content: Hi Ann}
"#,
    );
    let new =
        crate::go(&run, &json!({"edit_message": {"step": "0", "message": "sb", "content": "You are Bill"}}));
    assert_eq!(
        mark_lines(&new),
        ["0<0 changed", "1<1 kept", "2<2 kept", "3<3 diverged at messages[0].content"]
    );
    let turn = json!({"type": "message", "message_created": {"id": "n", "role": "user", "agent": "bob", "content": "Psst"}});
    let mut rerun = begin(&run, &json!({"insert": {"after": "1", "turn": turn}}));
    let RerunNeeds::Response(ask) = rerun.needs() else { panic!() };
    assert_eq!(
        (ask.agent.as_deref(), ask.model.as_deref(), ask.tools),
        (Some("bob"), Some("b"), vec!["dig".to_owned()])
    );
    let received: Vec<&str> = ask.messages.iter().map(|message| message.content.as_str()).collect();
    assert_eq!(received, ["You are Bob", "Talk", "Psst"]);
    rerun.respond(&Response::text("What?")).unwrap();
    let new = end(rerun);
    assert_eq!(mark_lines(&new), ["1<1 kept", "2<new changed", "3<2 kept", "4<3 recomputed"]);
}

#[test]
fn a_handler_without_an_end_is_stopped_at_the_limit() {
    let looping =
        Repeat::new(Response::default().call("weather", json!({"location": "NYC"})).result(json!(1)));
    let mut model = MockModel::new(looping);
    let edit = changes(&json!({"edit_message": {"step": 0, "message": "msg_002", "content": "?"}}));
    let options = RerunOptions { max_steps: 100, continue_past_end: false };
    let mut rerun = Rerun::new(&weather(), &edit, options).unwrap();
    assert_eq!(rerun.answer_with(&mut model).unwrap(), RerunNeeds::Nothing(EndReason::Limit));
    let new = rerun.finish();
    assert_eq!(new.transcript.turns.len(), 100, "{:?}", &mark_lines(&new)[..6]);
    replays(&new.transcript);
}

#[test]
fn what_the_limit_cuts_off_is_reported() {
    let text = "messages: ['user: One', 'assistant: 1', 'user: Two', 'assistant: 2']";
    let run = read(text);
    let steps = run.turns.len();
    let edit = changes(&json!({"edit_message": {"step": 0, "content": "Uno"}}));
    let mut rerun =
        Rerun::new(&run, &edit, RerunOptions { max_steps: 10, continue_past_end: false }).unwrap();
    let looping = Repeat::new(Response::default().call("f", json!({})).result(json!(1)));
    assert_eq!(
        rerun.answer_with(&mut MockModel::new(looping)).unwrap(),
        RerunNeeds::Nothing(EndReason::Limit)
    );
    let new = rerun.finish();
    let lost: Vec<&str> = new.dropped.iter().map(|dropped| &*dropped.step).collect();
    let kept = |step: &str| new.marks.iter().any(|kept| kept.origin.as_deref() == Some(step));
    let missing: Vec<String> = (1..=steps).map(|step| step.to_string()).filter(|step| !kept(step)).collect();
    assert_eq!(lost, missing);
    assert_eq!(missing.len(), 2, "the question and its answer");
    assert!(
        new.dropped.iter().all(|dropped| dropped.reason == "the limit was reached before this step"),
        "{:?}",
        new.dropped
    );
}

#[test]
fn a_handler_that_is_exhausted_leaves_the_question_open() {
    let edit = json!({"edit_message": {"step": 0, "message": "msg_002", "content": "?"}});
    let mut rerun = begin(&weather(), &edit);
    let mut model = MockModel::new(Queue::new(Vec::<&str>::new()));
    assert_eq!(rerun.answer_with(&mut model).unwrap_err().kind.name(), "MockExhaustedError");
    rerun.fail(json!({"type": "timeout", "message": "too late"})).unwrap();
    let new = end(rerun);
    assert_eq!(new.transcript.turns[0].error.as_ref().unwrap()["type"], "timeout");
    assert_eq!(new.dropped.len(), 2, "{:?}", new.dropped);
}
