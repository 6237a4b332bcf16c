//! Every question of the page, as the engine answers it. An answer is decoded as `serde_json` does.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use transcript_core::check::Status;
use transcript_core::diff::PartKind;
use transcript_core::document::Limits;
use transcript_core::edit::Change;
use transcript_core::simulate::Report;
use transcript_core::travel::{self, StepPath};
use transcript_core::view::question::{
    AboutEvent, AssessResponse, BundleRuns, CallOf, Check, Compact, Compare, CompareTexts, ConeOfEvent,
    DraftTest, Edit, EventFingerprint, EventLanes, EventRows, Export, FindEvent, FinishRerun, GeneratePrompt,
    GenerateRepair, GenerationOptions, ListCards, ListHandlers, Operation, Play, Question, ReadExchange,
    Redact, RerunAnswer, RerunNeeds, RunSimulation, RunTwice, ShuffleEvents, SimulationAnswer,
    SimulationProblems, SimulationReport, SimulationText, Start, StartEvents, StartRerun, StartSimulation,
};
use transcript_core::view::{AssessmentStatus, PlayMode, ProgressKind, RerunRequestKind, RowKind};
use transcript_wasm::authoring::author;
use transcript_wasm::events::{self, EventLogHandle};
use transcript_wasm::rerun::RerunHandle;
use transcript_wasm::simulation::SimulationHandle;

use crate::io::decode::decode;

const RUN: &str = "messages: ['user: Hi', 'assistant: Hello!']";

fn read<T: DeserializeOwned + PartialEq + Debug>(answer: &str) -> T {
    let answer: Value = serde_json::from_str(answer).unwrap();
    let decoded = decode::<T>(&answer);
    assert_eq!(decoded, serde_json::from_value::<T>(answer).unwrap());
    decoded
}

fn ask<Q: Operation<Answer: PartialEq + Debug>>(question: Q) -> Q::Answer {
    let (text, other) = (question.text().as_bytes(), question.other().as_bytes());
    read(&author(question.name(), text, other, &question.options().to_string()).unwrap())
}

/// The objects that the worker holds, as its script uses them.
trait Held {
    type Start: Start;

    fn answer(&mut self, name: &str, argument: &str) -> String;

    fn ask<Q: CallOf<Self::Start> + Question<Answer: PartialEq + Debug>>(
        &mut self,
        question: Q,
    ) -> Q::Answer {
        read(&self.answer(question.name(), &question.options().to_string()))
    }
}

impl Held for SimulationHandle {
    type Start = StartSimulation;

    fn answer(&mut self, name: &str, argument: &str) -> String {
        if name == "problems" { self.problems() } else { self.call(name, argument).unwrap() }
    }
}

impl Held for RerunHandle {
    type Start = StartRerun;

    fn answer(&mut self, name: &str, argument: &str) -> String {
        self.call(name, argument).unwrap()
    }
}

impl Held for EventLogHandle {
    type Start = StartEvents;

    fn answer(&mut self, name: &str, argument: &str) -> String {
        events::answer(self, name, argument).unwrap().unwrap_or_else(|| "null".to_owned())
    }
}

#[test]
fn documents_are_checked_and_played() {
    let text = "messages: ['user: Hi', 'assistant: It is 71']\ncontext: {a: null}\n\
                assertions: [{equals: It is 72}, {context_value: a, value: 1}, {context_value: b, value: 1}, {odd: 1}]";
    let outcomes = ask(Check { text }).outcomes;
    assert_eq!(outcomes[0].status, Status::Failed);
    let evidence = |at: usize| outcomes[at].evidence[0].clone();
    assert_eq!(evidence(1).actual, Some(Value::Null));
    assert_eq!(evidence(2).actual, None);
    for mode in PlayMode::ALL {
        assert_eq!(ask(Play { text, mode }).ok, mode == PlayMode::Strict, "{mode:?}");
    }
    let report = ask(RunTwice { text: RUN, file: "run.yaml", seed: 1 });
    assert!(report.ok && report.hashes[0] == report.hashes[1]);
    let changing = include_str!("../../../../public/examples/nondeterministic.yaml");
    assert!(ask(RunTwice { text: changing, file: "run.yaml", seed: 1 }).first_difference.is_some());
}

#[test]
fn documents_are_changed() {
    let cards = ask(ListCards { text: RUN });
    assert_eq!((cards.compact, &*cards.cards[1].content), (true, "Hello!"));
    let change = Change::SetText { message: "msg_001".to_owned(), text: "Yo".to_owned() };
    let edited = ask(Edit { text: RUN, change: &change });
    assert_eq!((edited.ok, &*edited.text), (true, "messages: ['user: Yo', 'assistant: Hello!']"));
    let refused = ask(Edit { text: RUN, change: &Change::Remove { path: vec!["nothing".into()] } });
    assert_eq!((refused.ok, refused.problem.unwrap().reason.as_ref()), (false, "path"));
    let full = "execution: [{turn: 1, type: message, timestamp: '2026-01-01T00:00:00Z', \
                message_created: {id: a, role: user, content: Sunny}}]";
    let compaction = ask(Compact { text: full, json: true });
    assert!(!compaction.losses.is_empty() && compaction.text.unwrap().starts_with('{'));
}

#[test]
fn documents_are_compared() {
    let other = "messages: ['user: Hi', 'assistant: Bye', 'user: Go on']";
    let files = ["a.yaml", "b.yaml"];
    let compare = |right: &str, ignore: Option<&[String]>| ask(Compare { left: RUN, right, files, ignore });
    let compared = compare(other, None);
    let kinds: Vec<RowKind> = compared.rows.iter().map(|row| row.kind).collect();
    assert_eq!(kinds, [RowKind::Same, RowKind::Changed, RowKind::Added]);
    assert_eq!(compare(RUN, Some(&["timestamps".to_owned()])).ignored.len(), 1);
    // Two imports have the same run at other times.
    let import = |line: u32, time: &str| {
        format!(
            "metadata: {{name: run{line}, recording: {{format: codex}}}}\nexecution: [{{turn: 1, type: message, timestamp: \
             '2026-01-01T{time}Z', message_created: {{id: a, role: user, content: Hi, metadata: {{line: {line}}}}}}}]"
        )
    };
    let (left, right) = (import(1, "00:00:00"), import(2, "00:00:01"));
    let imports = |ignore| ask(Compare { left: &left, right: &right, files, ignore });
    assert!(imports(None).equal && !imports(Some(&[])).equal);
    let names: Vec<String> = imports(None).ignored.into_iter().map(|ignored| ignored.name).collect();
    assert_eq!(names, ["timestamps", "metadata", "ids"]);
    assert_eq!(compare("messages: [", None).unreadable[0].name, "b.yaml");
    let parts = ask(CompareTexts { left: "a b", right: "a c" }).unwrap();
    assert_eq!((parts[0].kind, &*parts[0].text), (PartKind::Same, "a "));
}

#[test]
fn documents_have_other_forms() {
    let export = |text: &str, all: bool| ask(Export { text, to: "openai", all });
    assert!(export(RUN, false).text.unwrap().contains("Hello!"));
    let hidden = "messages: ['user(hidden): Secret', 'user: Hi']";
    let holds = |all: bool| export(hidden, all).text.unwrap().contains("Secret");
    assert_eq!((holds(false), holds(true)), (false, true));
    let refused = export("name: a\nmessages: [", false);
    assert_eq!((refused.text, refused.diagnostics[0].line), (None, 2));
    let bundle = ask(BundleRuns { text: RUN, file: "run.yaml" });
    assert_eq!((bundle.ok, &*bundle.files[0].path), (true, "run.yaml"));
}

#[test]
fn a_test_is_drafted_of_a_run() {
    let text = "messages: ['user: Hi', 'assistant:call time()', 'tool:time: noon', 'assistant: Noon.']";
    let draft = ask(DraftTest { text, until: "2", chosen: None });
    let labels: Vec<_> = draft.suggestions.iter().map(|found| (&*found.label, found.is_usual)).collect();
    assert_eq!(labels, [("tool_called: time", true), ("no_errors", true), ("max_turns: 2", false)]);
    assert!(draft.text.unwrap().contains("no_errors"));
    let other = ask(DraftTest { text, until: "", chosen: Some(&[]) }).text.unwrap();
    assert!(other.contains("Noon.") && !other.contains("assertions"));
    assert!(ask(DraftTest { text, until: "7", chosen: None }).problem.is_some());
}

#[test]
fn secrets_are_found_and_replaced() {
    let text = "messages: ['user: Write to ann.lee+x@mail.acme.io']";
    let redact = |kinds: &[&str]| {
        let kinds: Vec<String> = kinds.iter().map(|kind| (*kind).to_owned()).collect();
        ask(Redact { text, kinds: Some(&kinds) })
    };
    let redacted = redact(&["email"]);
    assert_eq!((redacted.items[0].kind.as_ref(), redacted.items[0].count), ("email", 1));
    assert!(!redacted.text.unwrap().contains("ann"));
    assert_eq!(redact(&[]).items, []);
    let found = ask(Redact { text: "key: sk-proj-q7Zr2mKd91xTbV4nLw8Hs", kinds: None });
    assert_eq!(found.items.len(), 1);
    let too_large = ask(Redact { text: &" ".repeat(Limits::default().bytes + 1), kinds: None });
    assert!(too_large.text.is_none() && !too_large.diagnostics.is_empty(), "{too_large:?}");
}

#[test]
fn handlers_are_tables() {
    for text in [
        include_str!("../../../../public/examples/handler_conditional.yaml"),
        include_str!("../../../../public/examples/handler_fsm.yaml"),
    ] {
        assert!(!ask(ListHandlers { text }).agents.is_empty());
    }
}

#[test]
fn a_model_is_asked_for_a_transcript() {
    let options = GenerationOptions {
        tools: Some(json!(["weather"])),
        edge_cases: vec!["it rains".to_owned()],
        tone: Some("brief".to_owned()),
        turns: Some(4),
    };
    let state = ask(GeneratePrompt { description: "The user says hello.", options: &options });
    assert_eq!((state.round, &state.options), (0, &options.to_value()));
    let question = |response| AssessResponse { response, state: Some(&state), finish: "stop" };
    let fine = "```yaml\nname: hello\nmessages: ['user: Hi', 'assistant: Hello!']\n```";
    let judged = ask(question(fine));
    assert_eq!(
        (judged.ok, judged.status, judged.name.as_deref()),
        (true, AssessmentStatus::Ok, Some("hello"))
    );
    assert_eq!(ask(question("")).status, AssessmentStatus::Empty);
    assert_eq!(ask(AssessResponse { state: None, ..question(fine) }).status, AssessmentStatus::Ok);
    let broken = "```yaml\nmessages: ['user: Hi', 'asistant: Hello!']\n```";
    let judged = ask(question(broken));
    // The tools that were named stand in the line above.
    assert_eq!(
        (judged.ok, judged.status, judged.diagnostics[0].line),
        (false, AssessmentStatus::Problems, 2)
    );
    let next = ask(GenerateRepair(question(broken))).next.unwrap();
    assert_eq!((next.round, next.messages.len()), (1, 4));
    // A state that goes through the page comes back as it was.
    assert_eq!(next.options, state.options);
}

#[test]
fn what_an_endpoint_sent_is_read() {
    let data =
        json!({"choices": [{"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]});
    let question = ReadExchange { operation: "response", format: "openai-chat", data: &data.to_string() };
    assert_eq!(ask(question)["answer"]["content"], "Hi");
}

fn start_simulation(text: &str, user: &[&str]) -> SimulationHandle {
    let user = user.iter().map(|message| (*message).to_owned()).collect();
    let start = StartSimulation { user, agent: None };
    SimulationHandle::begin(text, &start.options().to_string()).unwrap()
}

#[test]
fn conversations_are_simulated() {
    let text = "
tools: [weather]
handlers:
  bot:
    type: queue
    responses: [{tool_calls: [{name: weather, arguments: {city: Rome}}]}, Sunny]";
    let mut simulation = start_simulation(text, &["The weather?", "And now?"]);
    assert_eq!(simulation.ask(SimulationProblems), []);
    let need = simulation.ask(RunSimulation);
    assert_eq!((need.kind, &*need.agent), (ProgressKind::NeedsTool, "bot"));
    assert_eq!(need.call.unwrap().arguments, json!({"city": "Rome"}));
    // The step waits: its call is known, the step is not.
    let waiting: Report = simulation.ask(SimulationReport);
    assert_eq!(waiting.steps, []);
    let answer = waiting.agents[0].calls[0].response.clone().unwrap();
    assert_eq!(answer.tool_calls[0].name, "weather");
    simulation.ask(SimulationAnswer::ToolResult(json!("21 degrees")));
    assert_eq!(simulation.ask(RunSimulation).kind, ProgressKind::Done);
    let report = simulation.ask(SimulationReport);
    let [step, failed] = report.steps.as_slice() else { panic!("{report:?}") };
    let yielded = step.yielded.as_deref().unwrap();
    let messages = yielded.iter();
    let messages: Vec<(&str, &Value)> =
        messages.map(|message| (message.role.as_str(), &message.content)).collect();
    assert_eq!(messages[1..], [("tool", &json!("21 degrees")), ("assistant", &json!("Sunny"))]);
    assert_eq!(yielded[0].tool_calls[0].name, "weather");
    assert_eq!(yielded[1].tool_name.as_deref(), Some("weather"));
    assert!(step.error.is_none() && step.events.iter().any(|event| event.event == "tool:call:before"));
    let error = failed.error.clone().unwrap();
    assert_eq!((&*error.kind, error.message.is_empty()), ("MockExhaustedError", false));
    let agent = &report.agents[0];
    assert_eq!((&*agent.key, agent.handler_responses_remaining), ("bot", Some(0)));
    let calls = agent.calls.iter();
    let calls: Vec<_> = calls.map(|call| (call.step, call.call_count, call.iteration, call.nested)).collect();
    assert_eq!(calls, [(0, 1, 0, false), (0, 2, 1, false), (1, 3, 0, false)]);
    assert_eq!(agent.calls[0].trace.answered.as_deref(), Some("handlers.bot.responses[0]"));
    let of_call = agent.calls[2].error.as_ref().unwrap();
    assert_eq!((&of_call.kind, &of_call.message), (&error.kind, &error.message));
    assert_eq!((&*of_call.path, &*error.path), ("handlers.bot", "steps[1]: handlers.bot"));
    assert!(simulation.ask(SimulationText).contains("21 degrees"));

    let mut failing = start_simulation(text, &["The weather?"]);
    failing.ask(RunSimulation);
    failing.ask(SimulationAnswer::ToolError(json!("no network")));
    failing.ask(RunSimulation);
    assert!(failing.ask(SimulationText).contains("no network"));
}

#[test]
fn a_person_answers_for_an_agent() {
    let text = "agents: [{name: bot, external: true}]";
    let mut simulation = start_simulation(text, &["Hi"]);
    assert_eq!(simulation.ask(RunSimulation).kind, ProgressKind::NeedsResponse);
    simulation.ask(SimulationAnswer::Response(json!("Hello")));
    assert_eq!(simulation.ask(RunSimulation).kind, ProgressKind::Done);
    let mut broken = start_simulation("handlers: {bot: {type: queue}}\n", &["Hi"]);
    assert_eq!(broken.ask(SimulationProblems)[0].place.line, 1);
}

fn rerun(text: &str, change: travel::Change) -> RerunHandle {
    RerunHandle::begin(text.as_bytes(), &StartRerun { change }.options().to_string()).unwrap()
}

fn step(path: &str) -> StepPath {
    StepPath::new(path).unwrap()
}

#[test]
fn a_changed_run_is_continued() {
    let change = |content: &str| travel::Change::EditMessage {
        step: step("0"),
        message: None,
        content: content.into(),
    };
    let mut greeted = rerun(RUN, change("Good day"));
    let need = greeted.ask(RerunNeeds);
    assert_eq!((need.kind, &*need.step, need.call), (RerunRequestKind::Response, "1", None));
    let messages = need.messages.unwrap();
    assert_eq!((&*messages[0].role, &*messages[0].content), ("user", "Good day"));
    greeted.ask(RerunAnswer::Response(json!("Good day to you")));
    assert_eq!(greeted.ask(RerunNeeds).kind, RerunRequestKind::Nothing);
    let answer = greeted.ask(FinishRerun);
    assert!(answer.holds && answer.text.unwrap().contains("Good day to you"));

    let mut failing = rerun(RUN, change("Good day"));
    failing.ask(RerunNeeds);
    failing.ask(RerunAnswer::Fail(json!({"type": "error", "message": "overloaded"})));
    assert!(failing.ask(FinishRerun).text.unwrap().contains("overloaded"));

    let handled = format!("{RUN}\nhandlers: {{bot: {{type: repeat, respond: Howdy, loop: true}}}}");
    let mut handled = rerun(&handled, change("Good day"));
    handled.ask(RerunAnswer::Handlers);
    assert!(handled.ask(FinishRerun).text.unwrap().contains("Howdy"));

    let mut impossible = rerun(RUN, travel::Change::Skip { step: step("7") });
    assert!(impossible.ask(FinishRerun).problem.is_some());
}

#[test]
fn tools_of_a_changed_run_are_asked_for() {
    let run = include_str!("../../../../public/examples/weather_query_with_tools.yaml");
    let call = json!({"id": "call_002", "name": "weather", "arguments": {"city": "Paris"}});
    let response = json!({"tool_calls": [call]});
    for (answer, text) in [
        (RerunAnswer::ToolResult(json!("drizzle")), "drizzle"),
        (RerunAnswer::ToolError(json!("no network")), "no network"),
    ] {
        let change = travel::Change::ReplaceAnswer { step: step("1"), response: response.clone() };
        let mut called = rerun(run, change);
        let need = called.ask(RerunNeeds);
        assert_eq!(need.kind, RerunRequestKind::Tool);
        assert_eq!(need.call.unwrap().arguments, json!({"city": "Paris"}));
        called.ask(answer);
        assert!(called.ask(FinishRerun).text.unwrap().contains(text));
    }
    let change = travel::Change::ReplaceResult { step: step("2"), result: Ok(json!({"sky": "grey"})) };
    let messages = rerun(run, change).ask(RerunNeeds).messages.unwrap();
    let [.., called, result] = messages.as_slice() else { panic!("{messages:?}") };
    assert_eq!(called.tool_calls[0].name, "weather");
    assert_eq!((&*result.role, result.result.clone()), ("tool", Some(json!({"sky": "grey"}))));
    assert_eq!(result.content, "{\"sky\": \"grey\"}");
}

#[test]
fn a_log_of_events_is_drawn() {
    let text = include_str!("../../../../public/examples/event_log_dag.jsonl");
    let mut log = EventLogHandle::open(text.as_bytes().to_vec(), "", None);
    let lanes = log.ask(EventLanes);
    assert!(lanes.ok && lanes.agents.len() > 1);
    let rows = log.ask(EventRows { events: vec![0, 3] });
    assert_eq!(log.ask(FindEvent { id: &rows[1].id }), Some(3));
    assert_eq!((log.ask(FindEvent { id: "#4" }), log.ask(FindEvent { id: "none" })), (Some(3), None));
    assert_eq!(log.ask(AboutEvent { event: 3 }).unwrap().row, rows[1]);
    assert_eq!(log.ask(AboutEvent { event: 9_999 }), None);
    assert!(!log.ask(ConeOfEvent { event: 3 }).unwrap().past.is_empty());
    assert_eq!(log.ask(EventFingerprint).unwrap().len(), 64);
    let shuffled = log.ask(ShuffleEvents { seed: 1 });
    assert_eq!(shuffled.lines().count(), text.lines().count());
    assert_ne!(shuffled, text);
}
