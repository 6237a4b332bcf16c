//! Runs one golden and compares the run with what was observed.

use serde_json::{Value, json};
use transcript_core::simulate::{
    AgentReport, ModelAnswer, ModelCall, Progress, Report, Simulation, StepReport,
};

use crate::compare::{self, Same, same};
use crate::convert::{self, list, text};
use crate::difference::Difference;
use crate::function;
use crate::ids::Ids;

pub(crate) fn check(golden: &Value) -> Same {
    let observed = &golden["observed"];
    let input = convert::input(&golden["input"])?;
    let simulation = match (Simulation::new(&input), &observed["setup_error"]) {
        (Ok(simulation), Value::Null) => simulation,
        (Ok(_), error) => return Err(Box::new(Difference::NotRefused { observed: error.clone() })),
        (Err(error), observed) => {
            let ours = json!({"type": error.kind, "message": error.message});
            let wanted = json!({"type": observed["type"], "message": observed["message"]});
            same("setup_error", &wanted, &ours, &Ids::default())?;
            return not_begun(&golden["input"], &golden["observed"]);
        }
    };
    let simulation = run(simulation, &golden["input"])?;
    let report = simulation.report();
    let mut ids = Ids::default();
    // Histories come first, since texts of steps may name ids that are only there.
    for (key, wanted) in observed["agents"].as_object().into_iter().flatten() {
        let Some(agent) = report.agents.iter().find(|agent| agent.key == *key) else {
            return Err(Box::new(Difference::NoAgent { key: key.clone() }));
        };
        compare::messages(&format!("agents.{key}.messages"), &wanted["messages"], &agent.messages, &mut ids)?;
    }
    steps(golden, &report, &mut ids)?;
    for agent in &report.agents {
        self::agent(&simulation, &observed["agents"][&agent.key], agent, &mut ids)?;
    }
    let executions: Vec<Value> = report
        .tool_executions
        .iter()
        .map(|execution| json!({"tool": execution.tool, "args": execution.arguments}))
        .collect();
    same("tool_executions", &observed["tool_executions"], &executions.into(), &ids)?;
    transcript_tests::simulated::holds(&simulation).map_err(|flaw| Box::new(Difference::Flaw(flaw)))
}

/// When the mock itself cannot be made, nothing runs and histories hold their instructions alone.
fn not_begun(golden: &Value, observed: &Value) -> Same {
    for agent in list(golden, "agents") {
        let place = format!("agents.{}.messages", text(agent, "key"));
        let messages = list(&observed["agents"][text(agent, "key")], "messages");
        let summary = |message: &Value| json!([message["role"], message["content"], message["i"]]);
        let wanted: Vec<Value> = messages.iter().map(summary).collect();
        let system = agent.get("system").filter(|system| !system.is_null());
        let ours: Vec<Value> = system.map(|system| json!(["system", system, 0])).into_iter().collect();
        same(&place, &wanted.into(), &ours.into(), &Ids::default())?;
    }
    let ran = list(observed, "steps").len() + list(observed, "tool_executions").len();
    compare::count("the run", "steps and tools", ran, 0)
}

fn run(mut simulation: Simulation, golden: &Value) -> Result<Simulation, Box<Difference>> {
    loop {
        match simulation.run() {
            Progress::Done => return Ok(simulation),
            Progress::NeedsResponse { agent, context } => {
                let handler = list(golden, "agents").iter().find(|other| text(other, "key") == agent);
                let handler = handler.map(|agent| agent["handler"].clone()).unwrap_or_default();
                let call = simulation.calls(&agent).len().saturating_sub(1);
                let history = simulation.sent(&agent, call);
                function::answer(&mut simulation, &handler, &context, &history)?;
            }
            Progress::NeedsTool { call, .. } => {
                return Err(Box::new(Difference::NoResult { tool: call.name }));
            }
            Progress::NeedsFunction { question, .. } => {
                return Err(Box::new(Difference::Function { path: question.path }));
            }
            Progress::Event { .. } => {}
        }
    }
}

fn steps(golden: &Value, report: &Report, ids: &mut Ids) -> Same {
    let observed_steps = list(&golden["observed"], "steps");
    let input_steps = list(&golden["input"], "steps");
    for (at, (observed, ours)) in observed_steps.iter().zip(&report.steps).enumerate() {
        let (op, ran) = (input_steps.get(at).map(|step| text(step, "op")), text(observed, "op"));
        if op != Some(ran) || input_steps.get(at).map(convert::op) != Some(&*ours.op) {
            let (ours, observed) = (json!(ours.op), json!(ran));
            return Err(Box::new(Difference::Value { place: format!("steps[{at}]"), ours, observed }));
        }
        step(&format!("steps[{at}]"), observed, ours, ids)?;
    }
    compare::count("the run", "steps", observed_steps.len(), report.steps.len())
}

fn step(place: &str, wanted: &Value, ours: &StepReport, ids: &mut Ids) -> Same {
    if let Some(returned) = wanted.get("returned").filter(|returned| !returned.is_null()) {
        let Some(own) = &ours.returned else {
            return Err(Box::new(Difference::Failed { place: place.to_owned(), error: ours.error.clone() }));
        };
        compare::message(&format!("{place}.returned"), returned, own, ids)?;
    }
    if let Some(yielded) = wanted.get("yielded") {
        let own = ours.yielded.as_deref().unwrap_or_default();
        compare::messages(&format!("{place}.yielded"), yielded, own, ids)?;
    }
    let error = wanted.get("error").filter(|error| !error.is_null());
    let own = ours.error.as_ref().map(|error| json!({"type": error.kind, "message": error.message}));
    let wanted_error = error.map(|error| json!({"type": error["type"], "message": error["message"]}));
    same(&format!("{place}.error"), &wanted_error.unwrap_or_default(), &own.unwrap_or_default(), ids)?;
    let own: Vec<Value> = ours.events.iter().map(|event| compare::named(&json!(event))).collect();
    if let Some(events) = wanted.get("events") {
        compare::events(&format!("{place}.events"), events, &own, ids)?;
    }
    if let Some(pending) = wanted.get("pending_tool_calls") {
        let own = ours.pending.as_deref().unwrap_or_default();
        compare::calls(&format!("{place}.pending_tool_calls"), pending, own, ids)?;
    }
    if let Some(issues) = wanted.get("issues") {
        same(&format!("{place}.issues"), issues, &json!(ours.issues), ids)?;
    }
    if let Some(inside) = wanted.get("system_inside") {
        same(&format!("{place}.system_inside"), inside, &json!(ours.system_inside), ids)?;
    }
    Ok(())
}

fn agent(simulation: &Simulation, wanted: &Value, ours: &AgentReport, ids: &mut Ids) -> Same {
    let place = format!("agents.{}", ours.key);
    let is_queue = ours.model_class == "MockQueuedLanguageModel";
    let last = ours.calls.iter().map(|call| call.entry).max().unwrap_or(0);
    let since: Vec<(usize, &ModelCall)> =
        ours.calls.iter().enumerate().filter(|(_, call)| call.entry == last).collect();
    // What was entered twice had two models: the last one is checked.
    let all_count = json!(ours.calls.len());
    let counts_all = wanted.get("llm_call_count") == Some(&all_count);
    let count = if counts_all { ours.calls.len() as u64 } else { ours.call_count };
    let numbers = [
        ("mock_model", json!(ours.model_class)),
        ("llm_call_count", json!(count)),
        ("handler_call_count", if is_queue { Value::Null } else { json!(ours.call_count) }),
        ("responses_used", json!(ours.responses_used)),
        ("responses_remaining", json!(ours.responses_remaining)),
        ("all_responses_consumed", json!(ours.all_responses_consumed)),
    ];
    for (key, own) in numbers {
        if let Some(wanted) = wanted.get(key) {
            same(&format!("{place}.{key}"), wanted, &own, ids)?;
        }
    }
    let state = wanted.get("handler_state");
    if let Some(position) = state.and_then(|state| state.get("index").or_else(|| state.get("position"))) {
        same(&format!("{place}.handler_state"), position, &json!(ours.handler_responses_used), ids)?;
    }
    if let Some(len) = state.and_then(|state| state.get("len")) {
        let own = ours.handler_responses_remaining.map(|left| ours.handler_responses_used + left);
        same(&format!("{place}.handler_state.len"), len, &json!(own), ids)?;
    }
    let wanted_calls = list(wanted, "llm_calls");
    let all: Vec<(usize, &ModelCall)> = ours.calls.iter().enumerate().collect();
    let answers = |calls: &[(usize, &ModelCall)]| -> Vec<ModelAnswer> {
        calls.iter().filter_map(|(_, call)| call.response.clone()).collect()
    };
    let wanted_answers = list(wanted, "api_responses");
    let every = answers(&all);
    let answers = if wanted_answers.len() == every.len() { every } else { answers(&since) };
    let calls = if wanted_calls.len() == all.len() { all } else { since };
    for ((at, call), golden) in calls.iter().zip(wanted_calls) {
        let place = format!("{place}.llm_calls[{at}]");
        model_call(simulation, &place, golden, (&ours.key, *at, call), ids)?;
    }
    compare::count(&place, "calls", wanted_calls.len(), calls.len())?;
    for (at, (golden, own)) in wanted_answers.iter().zip(&answers).enumerate() {
        compare::answer(&format!("{place}.api_responses[{at}]"), golden, own, ids)?;
    }
    compare::count(&place, "answers", wanted_answers.len(), answers.len())
}

fn model_call(
    simulation: &Simulation,
    place: &str,
    golden: &Value,
    (key, at, call): (&str, usize, &ModelCall),
    ids: &mut Ids,
) -> Same {
    let sent = simulation.sent(key, at);
    compare::sent(&format!("{place}.messages"), &golden["messages"], &sent, ids)?;
    let mut keys: Vec<&str> = call.kwargs.keys().map(String::as_str).collect();
    if !call.tools.is_empty() {
        keys.push("tools");
    }
    let sorted = |mut keys: Vec<&str>| {
        keys.sort_unstable();
        json!(keys)
    };
    let wanted_keys = |value: &Value| {
        let keys = value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        let mut keys: Vec<String> = keys.collect();
        keys.sort_unstable();
        json!(keys)
    };
    let request: Vec<&str> = keys.iter().copied().chain(["messages"]).collect();
    same(&format!("{place}.request_keys"), &wanted_keys(&golden["request_keys"]), &sorted(request), ids)?;
    if let Some(tools) = golden.get("tools") {
        same(&format!("{place}.tools"), tools, &json!(call.tools), ids)?;
    }
    let Some(context) = golden.get("mock_context") else { return Ok(()) };
    let place = format!("{place}.mock_context");
    same(&format!("{place}.call_count"), &context["call_count"], &json!(call.call_count), ids)?;
    // The library never counts its rounds.
    same(&format!("{place}.iteration"), &context["iteration"], &json!(0), ids)?;
    same(&format!("{place}.kwargs_keys"), &wanted_keys(&context["kwargs_keys"]), &sorted(keys), ids)?;
    let seen: Vec<Value> = sent
        .iter()
        .map(|message| match &*message.role {
            "tool" => json!({"role": "tool", "content": message.augmented()}),
            role => json!({"role": role, "content": message.content}),
        })
        .collect();
    let wanted: Vec<Value> = list(context, "ctx_messages")
        .iter()
        .map(|message| json!({"role": message["role"], "content": message["content"]}))
        .collect();
    same(&format!("{place}.ctx_messages"), &wanted.into(), &seen.into(), ids)
}
