//! Runs of other agents: each answers its own agent, whatever is requested in between.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{Divergence, ReplayAnswer, Request, Session, Settings};

use crate::diverges;

/// A planner that asks a researcher twice at once, and the researcher, who asks a critic.
const RUN: &str = r#"
version: "1.0"
initial_state: {message_store: [{id: s, role: system, content: You plan}, {id: u, role: user, content: Plan}]}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: s}, {ref: u}]
    llm_response: &both
      content: ""
      tool_calls:
        - {id: call_a, function: {name: research, arguments: '{"q": "cats"}'}}
        - {id: call_b, function: {name: research, arguments: '{"q": "dogs"}'}}
    message_created: {id: m1, role: assistant, content: "", tool_calls: [
      {id: call_a, function: {name: research, arguments: {q: cats}}}, {id: call_b, function: {name: research, arguments: {q: dogs}}}]}
  - turn: 2
    type: tool_call
    tool_call:
      id: call_a
      tool_name: research
      parameters: {q: cats}
      result:
        type: nested_agent_result
        agent_id: researcher
        response: on cats
        nested_transcript:
          initial_state: {message_store: [{id: s, role: system, content: You research}, {id: u, role: user, content: cats}]}
          execution:
            - {turn: 1, type: llm_call, messages_sent_to_llm: [{ref: s}, {ref: u}], llm_response: {content: "", tool_calls: [{id: c1, function: {name: critic, arguments: "{}"}}]},
               message_created: {id: r1, role: assistant, content: "", tool_calls: [{id: c1, function: {name: critic, arguments: {}}}]}}
            - turn: 2
              type: tool_call
              tool_call:
                id: c1
                tool_name: critic
                parameters: {}
                result:
                  response: fine
                  nested_transcript:
                    initial_state: {message_store: [{id: s, role: system, content: You judge}]}
                    execution: [{turn: 1, type: llm_call, messages_sent_to_llm: [{ref: s}], llm_response: {content: fine}}]
              message_created: {id: r2, role: tool, tool_call_id: c1, tool_name: critic, content: fine}
            - {turn: 3, type: llm_call, messages_sent_to_llm: [{ref: s}, {ref: u}, {ref: r1}, {ref: r2}], llm_response: {content: on cats}}
    message_created: {id: m2, role: tool, tool_call_id: call_a, tool_name: research, content: on cats}
  - turn: 3
    type: tool_call
    tool_call:
      id: call_b
      tool_name: research
      parameters: {q: dogs}
      result:
        type: nested_agent_result
        agent_id: researcher
        response: on dogs
        nested_transcript:
          initial_state: {message_store: [{id: s, role: system, content: You research}, {id: u, role: user, content: dogs}]}
          execution:
            - {turn: 1, type: llm_call, messages_sent_to_llm: [{ref: s}, {ref: u}], llm_response: {content: on dogs}}
    message_created: {id: m3, role: tool, tool_call_id: call_b, tool_name: research, content: on dogs}
  - turn: 4
    type: llm_call
    messages_sent_to_llm: [{ref: s}, {ref: u}, {ref: m1}, {ref: m2}, {ref: m3}]
    llm_response: {content: Done}
"#;

fn begin(text: &str, settings: Value) -> Session {
    let document = Document::open(text, &Limits::default());
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    Session::with(document.timeline().unwrap().clone(), Settings::from_value(&settings).unwrap()).unwrap()
}

fn ask(session: &mut Session, messages: &Value) -> ReplayAnswer {
    session.request(&Request::from_value(&json!({ "messages": messages })).unwrap())
}

/// The step and the text of an answer.
#[track_caller]
fn step(session: &mut Session, messages: &Value) -> String {
    match ask(session, messages) {
        ReplayAnswer::Response { step, .. } => step,
        other => panic!("{other:#?}"),
    }
}

fn message(role: &str, content: &str) -> Value {
    json!({"role": role, "content": content})
}

fn called(calls: &[(&str, &str, Value)]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .map(|(id, name, arguments)| json!({"id": id, "name": name, "arguments": arguments}))
        .collect();
    json!({"role": "assistant", "content": "", "tool_calls": calls})
}

fn returned(id: &str, result: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "result": result})
}

fn planner() -> Value {
    json!([message("system", "You plan"), message("user", "Plan")])
}

fn planner_after() -> Value {
    let mut all = planner();
    let calls =
        called(&[("call_a", "research", json!({"q": "cats"})), ("call_b", "research", json!({"q": "dogs"}))]);
    all.as_array_mut().unwrap().extend([calls, returned("call_a", "on cats"), returned("call_b", "on dogs")]);
    all
}

fn researcher(about: &str) -> Value {
    json!([message("system", "You research"), message("user", about)])
}

fn researcher_after() -> Value {
    let mut all = researcher("cats");
    all.as_array_mut().unwrap().extend([called(&[("c1", "critic", json!({}))]), returned("c1", "fine")]);
    all
}

fn critic() -> Value {
    json!([message("system", "You judge")])
}

#[test]
fn agents_that_run_interleaved_and_two_deep_get_their_own_answers() {
    for settings in [json!({}), json!({"order": "any"})] {
        let mut session = begin(RUN, settings);
        assert_eq!((session.remaining(), session.has_agents()), (6, true));
        let requests = [
            planner(),
            researcher("dogs"),
            researcher("cats"),
            critic(),
            researcher_after(),
            planner_after(),
        ];
        let steps: Vec<String> = requests.iter().map(|messages| step(&mut session, messages)).collect();
        assert_eq!(steps, ["1", "3.1", "2.1", "2.2.1", "2.3", "4"]);
        assert_eq!((session.remaining(), session.finish()), (0, Ok(())));
    }
}

#[test]
fn a_rehearsal_makes_the_calls_of_all_agents_in_the_order_of_the_recording() {
    let mut session = begin(RUN, json!({}));
    let mut steps = Vec::new();
    while let Some(answer) = session.rehearse() {
        let ReplayAnswer::Response { step, .. } = answer else { panic!("{answer:#?}") };
        steps.push(step);
    }
    assert_eq!(steps, ["1", "2.1", "2.2.1", "2.3", "3.1", "4"]);
    assert_eq!(session.finish(), Ok(()));
}

#[test]
fn an_agent_that_the_host_mocks_as_a_tool_is_passed_over() {
    let mut session = begin(RUN, json!({}));
    step(&mut session, &planner());
    assert_eq!(session.leftover(), ["2.1", "2.2.1", "2.3", "3.1", "4"]);
    step(&mut session, &planner_after());
    assert_eq!((session.leftover(), session.finish()), (vec![], Ok(())));
    // One that is left to run by itself is played where any order is right, and then to its end.
    let mut session = begin(RUN, json!({"order": "any"}));
    step(&mut session, &planner());
    step(&mut session, &planner_after());
    assert_eq!(step(&mut session, &researcher("cats")), "2.1");
    assert_eq!(session.leftover(), ["2.2.1", "2.3"]);
    assert_eq!(
        session.finish().unwrap_err().to_string(),
        "2 recorded model calls were never made: turn 2 > researcher > turn 2 > critic > step 1, turn 2 > researcher > step 3"
    );
}

#[test]
fn an_agent_that_stops_early_leaves_its_own_calls_over() {
    let mut session = begin(RUN, json!({}));
    for messages in [planner(), researcher("cats"), planner_after()] {
        step(&mut session, &messages);
    }
    // The critic might still be mocked; the researcher did not end, and the other was mocked.
    assert_eq!(session.leftover(), ["2.2.1", "2.3"]);
}

#[test]
fn an_agent_runs_after_it_was_called_and_begins_before_its_caller_goes_on() {
    let mut session = begin(RUN, json!({}));
    for early in [critic(), researcher("dogs"), researcher("cats")] {
        let found = diverged(&mut session, &early);
        assert!(found.hint.contains("has not made the call of "), "{}", found.hint);
        assert!(found.hint.contains("`order: \"any\"`"), "{}", found.hint);
        assert_eq!(found.nearest[0].path, None);
    }
    assert_eq!(session.remaining(), 6);
    step(&mut session, &planner());
    let found = diverged(&mut session, &critic());
    assert_eq!((found.step.as_str(), found.path.as_str()), ("2.2.1", "messages"));
    assert!(found.hint.contains("the call of turn 2 > researcher > step 1 yet;"), "{}", found.hint);
    assert_eq!(step(&mut session, &researcher("cats")), "2.1");
    assert_eq!(step(&mut session, &critic()), "2.2.1");
    assert_eq!(step(&mut session, &planner_after()), "4");
    let late = diverged(&mut session, &researcher("dogs"));
    assert_eq!((late.step.as_str(), late.run.as_str()), ("3.1", "turn 3 > researcher"));
    assert!(late.hint.contains("has already made the call of step 4"), "{}", late.hint);
    // One that began goes on whatever its caller does.
    assert_eq!(step(&mut session, &researcher_after()), "2.3");
}

#[test]
fn the_nearest_recordings_are_named_wherever_the_first_difference_is() {
    let mut session = begin(RUN, json!({}));
    let mut wrong = planner();
    wrong[0]["content"] = "You plan well".into();
    let steps = |found: &Divergence| found.nearest.iter().map(|near| near.step.clone()).collect::<Vec<_>>();
    assert!(!steps(&diverged(&mut session, &wrong)).is_empty());
    for messages in [planner(), researcher("cats"), critic()] {
        step(&mut session, &messages);
    }
    // The other researcher has the same instructions, and got no request yet.
    let found = diverged(&mut session, &researcher("birds"));
    assert!(steps(&found).iter().any(|step| step == "3.1") || found.step == "3.1", "{found:#?}");
    for messages in [researcher_after(), researcher("dogs"), planner_after()] {
        step(&mut session, &messages);
    }
    let extra = diverged(&mut session, &planner_after());
    assert_eq!(steps(&extra), ["4", "3.1", "2.3"]);
    assert_eq!((extra.nearest[0].path.as_deref(), extra.nearest[1].path.is_some()), (None, true));
    let mut only = begin("messages: ['user: Hi', 'assistant: Hello!']", json!({}));
    let found = diverged(&mut only, &json!([message("user", "Ho")]));
    assert_eq!(
        (steps(&found), found.nearest[0].path.as_deref()),
        (vec!["1".to_owned()], Some("messages[0].content"))
    );
    assert!(!found.text.contains("near: step 1"), "{}", found.text);
}

#[test]
fn a_divergence_names_only_recordings_that_fit_better_than_the_expected_one() {
    let mut session = begin(RUN, json!({}));
    for messages in [planner(), researcher("cats")] {
        step(&mut session, &messages);
    }
    // The critic comes next. Its recording differs from this at the second message, and no other fits better.
    let found = diverged(&mut session, &json!([message("system", "You judge"), message("user", "twice")]));
    assert!(!found.nearest.is_empty() && !found.text.contains("near:"), "{}", found.text);
    // The first request of the planner was answered before.
    let found = diverged(&mut session, &planner());
    assert!(found.text.contains("near: step 1, which matches"), "{}", found.text);
}

#[test]
fn a_recording_that_differs_at_the_same_message_and_is_equal_after_it_is_nearer() {
    let run =
        "messages: ['system: You help', 'user: Hi', 'assistant: Hello!', 'user: Bye', 'assistant: Goodbye']";
    let mut session = begin(run, json!({}));
    // The request of the second call, with a changed word in the instructions.
    let messages = [("system", "You assist"), ("user", "Hi"), ("assistant", "Hello!"), ("user", "Bye")];
    let messages: Vec<Value> = messages.map(|(role, content)| message(role, content)).into();
    let found = diverged(&mut session, &json!(messages));
    let [second] = found.nearest.as_slice() else { panic!("{:#?}", found.nearest) };
    assert_ne!(second.step, found.step);
    let near = format!("near: step {}, messages[0].content differs", second.step);
    assert!(found.text.contains(&near), "{}", found.text);
}

#[test]
fn a_request_of_another_agent_than_the_named_one_is_reported() {
    let mut session = begin(RUN, json!({}));
    step(&mut session, &planner());
    let request = json!({"agent": "call_a", "messages": researcher("dogs")});
    let found = diverges(session.request(&Request::from_value(&request).unwrap()));
    assert!(found.hint.contains("the request matches step 3.1 of another agent"), "{}", found.hint);
}

#[test]
fn ignored_paths_leave_the_rest_to_find_a_call_by() {
    let settings = json!({"order": "any", "ignore": ["messages[*].result.at", "messages[*].parts"]});
    let mut session = begin(RUN, settings);
    let requests =
        [planner_after(), researcher("dogs"), critic(), researcher_after(), planner(), researcher("cats")];
    let steps: Vec<String> = requests.iter().map(|messages| step(&mut session, messages)).collect();
    assert_eq!(steps, ["4", "3.1", "2.2.1", "2.3", "1", "2.1"]);
    let mut session =
        begin(RUN, json!({"order": "any", "ignore": ["messages[1].content", "messages[3].result"]}));
    let mut other = planner_after();
    other[1]["content"] = "Else".into();
    other[3]["result"] = "on mice".into();
    assert_eq!(step(&mut session, &other), "4");
}

#[test]
fn a_tool_at_the_end_of_a_recording_may_run_its_agent() {
    let text = r#"
messages:
  - "user: Ask"
  - "assistant:call ask()"
  - "tool:ask: {response: ok, nested_transcript: {initial_state: {message_store: [{id: u, role: user, content: Well}]}, execution: [{turn: 1, type: llm_call, messages_sent_to_llm: [{ref: u}], llm_response: {content: ok}}]}}"
"#;
    let mut session = begin(text, json!({}));
    diverged(&mut session, &json!([message("user", "Well")]));
    assert_eq!(step(&mut session, &json!([message("user", "Ask")])), "1");
    assert_eq!(step(&mut session, &json!([message("user", "Well")])), "2.1");
}

#[track_caller]
fn diverged(session: &mut Session, messages: &Value) -> Divergence {
    diverges(ask(session, messages))
}

#[test]
fn a_divergence_inside_names_the_way_to_it() {
    let mut session = begin(RUN, json!({}));
    step(&mut session, &planner());
    step(&mut session, &researcher("cats"));
    let mut wrong = researcher_after();
    wrong[3]["result"] = "poor".into();
    let found = diverged(&mut session, &wrong);
    assert_eq!(
        (found.step.as_str(), found.run.as_str(), found.path.as_str()),
        ("2.3", "turn 2 > researcher", "messages[3].result")
    );
    assert!(found.text.starts_with("turn 2 > researcher > step 3: the request differs"), "{}", found.text);
    let mut other = critic();
    other[0]["content"] = "You judge mildly".into();
    let found = diverged(&mut session, &other);
    assert_eq!((found.step.as_str(), found.run.as_str()), ("2.2.1", "turn 2 > researcher > turn 2 > critic"));
    // It stays where it is, and so do the others.
    assert_eq!(step(&mut session, &researcher_after()), "2.3");
    assert_eq!(step(&mut session, &researcher("dogs")), "3.1");
    let again = diverged(&mut session, &researcher("dogs"));
    assert_eq!(again.nearest[0].path, None);
    assert!(
        again.hint.contains("the request matches step 3.1: the agent skips or repeats"),
        "{}",
        again.hint
    );
}

#[test]
fn a_host_may_say_which_agent_asks() {
    let mut session = begin(RUN, json!({}));
    let mut named = |agent: &str, messages: Value| {
        session.request(&Request::from_value(&json!({"agent": agent, "messages": messages})).unwrap())
    };
    let answered = |answer: ReplayAnswer| match answer {
        ReplayAnswer::Response { step, .. } => step,
        other => panic!("{other:#?}"),
    };
    assert_eq!(answered(named("main", planner())), "1");
    // By the call's id, by the step, by the agent, by the tool.
    assert_eq!(answered(named("call_b", researcher("dogs"))), "3.1");
    assert_eq!(answered(named("2", researcher("cats"))), "2.1");
    assert_eq!(answered(named("critic", critic())), "2.2.1");
    let found = diverges(named("researcher", planner_after()));
    assert_eq!((found.step.as_str(), found.path.as_str()), ("2.3", "messages[0].content"));
    assert_eq!(answered(named("research", researcher_after())), "2.3");
    let found = diverges(named("reseacher", planner_after()));
    assert_eq!(
        found.text,
        "the recording has no agent `reseacher`\n  hint: did you mean `researcher`? The agents are `c1`, `call_a`, `call_b`, `critic`, `main`, `research`, `researcher`"
    );
    let found = diverges(named("critic", critic()));
    assert!(found.text.contains("1 model call of turn 2 > researcher > turn 2 > critic"), "{}", found.text);
    assert_eq!(answered(named("main", planner_after())), "4");
}

#[test]
fn an_agent_called_twice_with_the_same_input_gets_one_answer_after_the_other() {
    let text = RUN.replace("dogs", "cats").replace("on cats}", "answer}");
    let mut session = begin(&text, json!({}));
    step(&mut session, &json!([message("system", "You plan"), message("user", "Plan")]));
    assert_eq!(step(&mut session, &researcher("cats")), "2.1");
    assert_eq!(step(&mut session, &researcher("cats")), "3.1");
}

#[test]
fn runs_that_results_name_are_played_too() {
    let text = r##"
messages:
  - "user: Ask twice"
  - {assistant: "", call: ["ask(n=1)", "ask(n=2)"]}
  - {tool: ask, result: {response: yes sir, nested_transcript_ref: "#one"}}
  - {tool: ask, result: {response: yes sir, nested_transcript_ref: "#one"}}
  - "assistant: Done"
nested:
  one: {initial_state: {message_store: [{id: u, role: user, content: Well}]}, execution: [
    {turn: 1, type: llm_call, messages_sent_to_llm: [{ref: u}], llm_response: {content: yes sir}}]}
"##;
    let mut session = begin(text, json!({}));
    assert_eq!(step(&mut session, &json!([message("user", "Ask twice")])), "1");
    let well = json!([message("user", "Well")]);
    assert_eq!([step(&mut session, &well), step(&mut session, &well)], ["2.1", "3.1"]);
    let calls = called(&[("call_001", "ask", json!({"n": 1})), ("call_002", "ask", json!({"n": 2}))]);
    let results = [returned("call_001", "yes sir"), returned("call_002", "yes sir")];
    let [first, second] = results;
    assert_eq!(step(&mut session, &json!([message("user", "Ask twice"), calls, first, second])), "4");
    assert_eq!(session.finish(), Ok(()));
}

#[test]
fn a_run_inside_a_compact_one_has_steps_and_is_played() {
    let text = r#"
messages:
  - "user: Ask"
  - "assistant:call ask()"
  - "tool:ask: {response: ok, nested_transcript: {initial_state: {message_store: [{id: u, role: user, content: Well}]}, execution: [{turn: 1, type: llm_call, messages_sent_to_llm: [{ref: u}], llm_response: {content: ok}}]}}"
  - "assistant: Done"
"#;
    let document = Document::open(text, &Limits::default());
    assert_eq!(document.step("2.1").unwrap().row.kind, "llm_call");
    let mut session = begin(text, json!({}));
    assert_eq!(step(&mut session, &json!([message("user", "Ask")])), "1");
    assert_eq!(step(&mut session, &json!([message("user", "Well")])), "2.1");
    let answered = json!([
        message("user", "Ask"),
        called(&[("call_001", "ask", json!({}))]),
        returned("call_001", "ok")
    ]);
    assert_eq!(step(&mut session, &answered), "3");
}

#[test]
fn a_run_that_does_not_say_what_its_model_was_sent_is_left_out_unless_it_may_be_anything() {
    let text = r#"
messages:
  - "user: Ask"
  - "assistant:call ask()"
  - {tool: ask, result: {response: ok, nested_transcript: {execution: [{turn: 1, type: llm_call, llm_response: {content: ok}}]}}}
  - "assistant: Done"
"#;
    let (outer_request, nested_request) =
        (json!([message("user", "Ask")]), json!([message("system", "You answer"), message("user", "Well")]));
    let after = json!([
        message("user", "Ask"),
        called(&[("call_001", "ask", json!({}))]),
        returned("call_001", "ok")
    ]);
    let mut session = begin(text, json!({}));
    step(&mut session, &outer_request);
    let found = diverged(&mut session, &nested_request);
    assert!(found.hint.contains("turn 2 > ask: step 1 has no recorded request"), "{}", found.hint);
    assert_eq!(step(&mut session, &after), "3");
    for mocked in [true, false] {
        let mut session = begin(text, json!({"unrecorded": "allow"}));
        step(&mut session, &outer_request);
        if !mocked {
            assert_eq!(step(&mut session, &nested_request), "2.1");
        }
        assert_eq!(step(&mut session, &after), "3");
        assert_eq!(session.finish(), Ok(()));
    }
}

/// Two agents in a conversation; each receives the other's messages.
const TALK: &str = r#"
version: "1.0"
agents:
  alice: {context: {mood: good}, message_store: [{id: a1, role: system, content: You are Alice, agent: alice}, {id: a2, role: user, content: Begin, agent: alice}]}
  bob: {context: {mood: bad, tired: true}, message_store: [{id: b1, role: system, content: You are Bob, agent: bob}]}
execution:
  - {turn: 1, type: llm_call, agent: alice, messages_sent_to_llm: [{ref: a1}, {ref: a2}], llm_response: {content: Hello}, message_created: {id: a3, role: assistant, content: Hello, agent: alice}, state_changes: {context: {mood: fine}}}
  - {turn: 2, type: message, agent: bob, message_created: {id: b2, role: user, content: Hello, agent: bob}}
  - {turn: 3, type: llm_call, agent: bob, messages_sent_to_llm: [{ref: b1}, {ref: b2}], llm_response: {content: Hi}, message_created: {id: b3, role: assistant, content: Hi, agent: bob}, state_changes: {context_removed: [tired]}}
  - {turn: 4, type: llm_call, agent: alice, messages_sent_to_llm: [{ref: a1}, {ref: a2}, {ref: a3}], llm_response: {content: Well?}}
"#;

#[test]
fn agents_of_one_run_have_a_cursor_each() {
    let mut session = begin(TALK, json!({}));
    let alice = json!([message("system", "You are Alice"), message("user", "Begin")]);
    let bob = json!([message("system", "You are Bob"), message("user", "Hello")]);
    let mut more = alice.clone();
    more.as_array_mut().unwrap().push(message("assistant", "Hello"));
    assert_eq!(step(&mut session, &alice), "1");
    assert_eq!(step(&mut session, &more), "4");
    let mut wrong = bob.clone();
    wrong[1]["content"] = "Hullo".into();
    let found = diverged(&mut session, &wrong);
    assert_eq!((found.step.as_str(), found.run.as_str()), ("3", "bob"));
    assert!(found.text.starts_with("bob > step 3: "), "{}", found.text);
    assert_eq!(step(&mut session, &bob), "3");
}

#[test]
fn agents_have_contexts_of_their_own_in_the_state() {
    let document = Document::open(TALK, &Limits::default());
    let timeline = document.timeline().unwrap();
    let at = |step: usize| -> Vec<Value> {
        timeline.agent_contexts_at(step).map(|(agent, context)| json!([agent, context])).collect()
    };
    let bob = json!(["bob", {"mood": "bad", "tired": true}]);
    assert_eq!(at(0), [json!(["alice", {"mood": "good"}]), bob.clone()]);
    assert_eq!(at(2), [json!(["alice", {"mood": "fine"}]), bob]);
    assert_eq!(at(4)[1], json!(["bob", {"mood": "bad"}]));
    assert_eq!(document.step("3").unwrap().state.agents["bob"], json!({"mood": "bad"}));
    assert!(document.is_ok(), "{:?}", document.diagnostics());
}

#[test]
fn lanes_keep_what_each_agent_sent() {
    let mut session = begin(TALK, json!({}));
    let mut ask = |request: Value| match session.request(&Request::from_value(&request).unwrap()) {
        ReplayAnswer::Response { step, .. } => step,
        other => panic!("{other:#?}"),
    };
    let alice = json!([message("system", "You are Alice"), message("user", "Begin")]);
    let bob = json!([message("system", "You are Bob"), message("user", "Hello")]);
    assert_eq!(ask(json!({"lane": 0, "messages": alice})), "1");
    assert_eq!(ask(json!({"lane": 1, "messages": bob})), "3");
    assert_eq!(ask(json!({"lane": 0, "keep": 2, "messages": [message("assistant", "Hello")]})), "4");
    let wrong = Request::from_value(&json!({"lane": 256, "messages": []})).unwrap_err();
    assert_eq!(wrong.to_string(), "`lane` must be a number below 256");
}

#[test]
fn many_runs_inside_cost_no_more_than_their_own_requests() {
    let mut text = "messages:\n  - 'user: x'\n".to_owned();
    let count = 1500;
    for at in 0..count {
        text.push_str(&format!(
            "  - 'assistant:call ask(n={at})'\n  - 'tool:ask: {{response: ok, nested_transcript: {{initial_state: {{message_store: [{{id: u, role: user, content: Well {at}}}]}}, execution: [{{turn: 1, type: llm_call, messages_sent_to_llm: [{{ref: u}}], llm_response: {{content: ok}}}}]}}}}'\n"
        ));
    }
    text.push_str("  - 'assistant: Done'\n");
    let mut session = begin(&text, json!({"order": "any"}));
    // All at once, the last first; then the parent goes on.
    for at in (0..count).rev() {
        assert_eq!(
            step(&mut session, &json!([message("user", &format!("Well {at}"))])),
            format!("{}.1", 2 * at + 2)
        );
    }
    let mut steps = 0;
    while let Some(answer) = session.rehearse() {
        assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:#?}");
        steps += 1;
    }
    assert_eq!((steps, session.remaining()), (count + 1, 0));
}
