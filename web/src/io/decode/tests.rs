use super::*;
use serde::Serialize;
use serde_json::json;
use std::fmt::Debug;
use transcript_core::document::{Document, Limits, Options};
use transcript_core::export::Settings;
use transcript_core::simulate::Report;
use transcript_core::view::{
    AnswerLine, Bundle, BundledFile, Card, CardList, ChatFacts, ChatMessage, Compaction, Comparison,
    ComparisonRow, ComparisonSide, DeterminismReport, DocumentOutline, EditAnswer, EventAbout, EventCone,
    EventLog, EventView, Exchange, ExportView, FoundStep, GenerationState, HandlersView, HistoryEntry,
    HistoryFacts, JudgedReply, LanesView, ListedProblem, ListedSimulationProblem, ListedStep, LogAnswer,
    NextPrompt, OutcomeList, PageRequest, PlayMode, PlayResult, ProgressKind, Redaction, Refusal,
    ReplyStatus, RerunRequest, RerunRequestKind, RowKind, RunStrip, SideFacts, SideRow, SimulationProgress,
    StateTree, StepAnswer, TabRequest, TextAnswer, TextEdit, TravelAnswer, UnreadableDocument,
    UnreadableError, check_determinism, difference, difference_options, edit, handlers, play_document,
    redaction, redaction_options,
};
use transcript_core::wire::ToolCall;
use transcript_logs::Logs;
use transcript_reader::Reader;
use transcript_wasm::authoring::author;
use transcript_wasm::rerun::RerunHandle;
use transcript_wasm::simulation::SimulationHandle;

/// Decodes a value as `serde_json` does.
fn same<T: DeserializeOwned + PartialEq + Debug>(value: &Value) {
    assert!(!value.is_null());
    assert_eq!(decode::<T>(value), serde_json::from_value::<T>(value.clone()).unwrap());
}

fn each<T: DeserializeOwned + PartialEq + Debug>(values: &Value) {
    let values = values.as_array().unwrap();
    assert!(!values.is_empty());
    values.iter().for_each(same::<T>);
}

fn parse(answer: &str) -> Value {
    serde_json::from_str(answer).unwrap()
}

#[test]
fn answers_of_the_reader_are_what_serde_reads() {
    let run = include_str!("../../../../public/examples/context_management.yaml");
    let mut reader = Reader::new();
    let answer = parse(&reader.read(1, run, &[0], &[0]));
    same::<DocumentOutline>(&answer["outline"]);
    each::<ListedStep>(&answer["rows"]["0"]);
    same::<StepAnswer>(&parse(&reader.step(1, 4, 40).unwrap()));
    same::<RunStrip>(&parse(&reader.strip(1, "", true).unwrap()));
    each::<FoundStep>(&parse(&reader.offer(1, "report", 9).unwrap()));
    let mut look = |request: TabRequest| parse(&reader.look(1, 4, &json!(request).to_string()).unwrap());
    let (page, without_hidden) = (PageRequest { start: None, length: 40 }, false);
    let chat = look(TabRequest::Chat { page, without_hidden });
    same::<ChatFacts>(&chat["facts"]);
    each::<ChatMessage>(&chat["items"]);
    let sides = look(TabRequest::Sides { page, without_hidden });
    same::<SideFacts>(&sides["facts"]);
    each::<SideRow>(&sides["items"]);
    let history = look(TabRequest::History { page, path: "budget_tokens".to_owned() });
    same::<HistoryFacts>(&history["facts"]);
    each::<HistoryEntry>(&history["items"]);
    let (filter, toggled) = (String::new(), Vec::new());
    same::<StateTree>(&look(TabRequest::State { only_changes: false, filter, toggled }));
    same::<Exchange>(&look(TabRequest::Exchange));
    // A text with problems, fixes and other places, and one of unknown format.
    let broken = "name: run\nversion: 1.0\nname: again\nmessages: ['usr: Hi']\n";
    let answer = parse(&reader.read(2, broken, &[0], &[0]));
    each::<ListedProblem>(&answer["problems"]["0"]);
    reader.read(4, "name: run\nversion: 1.0\nexecution: []\n", &[], &[]);
    same::<TextEdit>(&parse(&reader.fixed(4).unwrap()));
    let unknown = parse(&reader.read(3, "{\"contents\": [{\"role\": \"user\", \"parts\": []}]}", &[], &[]));
    same::<DocumentOutline>(&unknown["outline"]);
    same::<Refusal>(&parse(&reader.refuse(b"\xff\xfe\x00")));
}

#[test]
fn reports_and_logs_are_what_serde_reads() {
    fn both<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
        let data = json!(value);
        assert_eq!(decode::<T>(&data), value);
    }
    let log = include_str!("../../../../public/examples/event_log_dag.jsonl").to_owned();
    let log = EventLog::open(log);
    both::<LanesView>(log.lanes());
    both::<EventAbout>(log.about(3).unwrap());
    both::<EventCone>(log.cone(3).unwrap());
    log.rows_of(&[0, 3]).into_iter().for_each(both::<EventView>);
    let changing = include_str!("../../../../public/examples/nondeterministic.yaml");
    let report = check_determinism(changing.as_bytes(), 1, &Options::default());
    assert!(report.first_difference.is_some());
    both::<DeterminismReport>(report);
}

#[test]
fn outcomes_are_what_serde_reads() {
    let run = "messages: ['user: Hi', 'assistant: It is 71']\ncontext: {a: null}\n\
               assertions: [{equals: It is 72}, {context_value: a, value: 1}, {context_value: b, value: 1}, {odd: 1}]";
    let document = Document::open(run, &Limits::default());
    let listed = json!(document.list_outcomes());
    same::<OutcomeList>(&listed);
    let played = play_document(&document, PlayMode::Strict, &Options::default());
    assert!(!played.steps.is_empty());
    same::<PlayResult>(&json!(played));
    let evidence = |at: usize| decode::<OutcomeList>(&listed).outcomes[at].evidence[0].clone();
    assert_eq!(evidence(1).actual, Some(Value::Null));
    assert_eq!(evidence(2).actual, None);
}

#[test]
fn changed_runs_are_what_serde_reads() {
    let run = "messages: ['user: Hi', 'assistant: Hello!', 'user: Bye', 'assistant: Bye']";
    let document = Document::open(run, &Limits::default());
    let edit = json!({"edit_message": {"step": 0, "content": "Good day"}});
    same::<TravelAnswer>(&json!(document.travel(&edit)));
    let refused = json!(document.travel(&json!({"skip": {"step": "7"}})));
    assert!(!refused["problem"].is_null());
    same::<TravelAnswer>(&refused);
}

#[test]
fn edits_are_what_serde_reads() {
    let run = "messages: ['user: Hi']";
    let make = |change: Value| json!(edit(run, &change, &Limits::default()));
    let made = make(json!({"set_text": {"message": "msg_001", "text": "Yo"}}));
    assert_eq!(made["ok"], true);
    same::<EditAnswer>(&made);
    let refused = make(json!({"remove": {"path": ["nothing"]}}));
    assert!(!refused["problem"].is_null());
    same::<EditAnswer>(&refused);
}

#[test]
fn cards_are_what_serde_reads() {
    let call =
        ToolCall { id: "c1".to_owned(), name: "weather".to_owned(), arguments: json!({"city": "Rome"}) };
    let message =
        Card { id: Some("m".to_owned()), tool_calls: vec![call], visible: false, ..Card::default() };
    let turn = Card {
        kind: Some("message".to_owned()),
        path: vec!["execution".into(), 0.into()],
        ..Card::default()
    };
    same::<CardList>(&json!(CardList { ok: true, compact: false, cards: vec![message, turn] }));
}

#[test]
fn comparisons_are_what_serde_reads() {
    let open = |text: &str| Document::open(text, &Limits::default());
    let (left, right) =
        (open("messages: ['user: Hi', 'assistant: Hello!']"), open("name: b\nmessages: ['user: Ho']"));
    let options = difference_options(&Value::Null).unwrap();
    let found = difference(&left, &right, &options).unwrap();
    let row = ComparisonRow { kind: RowKind::Removed, left: Some(1), right: None };
    let side = ComparisonSide { steps: left.steps(), step_count: 1, ..ComparisonSide::default() };
    let error = Some(UnreadableError { line: 2, message: "bad".to_owned() });
    same::<Comparison>(&json!(Comparison {
        ok: true,
        unreadable: vec![UnreadableDocument { name: "a".to_owned(), error }],
        equal: found.equal,
        summary: found.summary,
        changes: found.changes,
        ignored: found.ignored,
        rows: vec![row],
        left: side.clone(),
        right: side,
    }));
}

#[test]
fn handlers_are_what_serde_reads() {
    for text in [
        include_str!("../../../../public/examples/handler_conditional.yaml"),
        include_str!("../../../../public/examples/handler_fsm.yaml"),
    ] {
        let found = handlers(text, &Limits::default());
        assert!(!found.agents.is_empty());
        same::<HandlersView>(&json!(found));
    }
    let calls = vec![("weather".to_owned(), "{}".to_owned())];
    same::<AnswerLine>(&json!(AnswerLine { text: "Hi".to_owned(), calls }));
}

#[test]
fn other_forms_of_a_document_are_what_serde_reads() {
    let text = "execution: [{turn: 1, type: message, timestamp: '2026-01-01T00:00:00Z', \
                message_created: {id: a, role: user, content: Sunny}}]";
    let document = Document::open(text, &Limits::default());
    let compaction = document.compacted(true);
    assert!(!compaction.losses.is_empty());
    same::<Compaction>(&json!(compaction));
    same::<ExportView>(&json!(document.exported("markdown", &Settings::default()).unwrap()));
    let options = redaction_options(&json!({"literals": ["Sunny"]})).unwrap();
    let redacted = redaction(text, &options, &Limits::default());
    assert!(!redacted.items.is_empty());
    same::<Redaction>(&json!(redacted));
    let files = vec![BundledFile { path: "a.yaml".to_owned(), bytes: 7 }];
    same::<Bundle>(&json!(Bundle { ok: true, base64: "AA".to_owned(), files, left_out: 1 }));
}

#[test]
fn simulations_are_what_serde_reads() {
    let text = "
tools: [weather]
handlers:
  bot:
    type: queue
    responses: [{tool_calls: [{name: weather, arguments: {city: Rome}}]}, Sunny]";
    let options = json!({"user": ["The weather?", "And now?"]}).to_string();
    let mut simulation = SimulationHandle::begin(text, &options).unwrap();
    let mut call = |method: &str, argument: Value| {
        let answer = parse(&simulation.call(method, &argument.to_string()).unwrap());
        match method {
            "run" => same::<SimulationProgress>(&answer),
            "report" => same::<Report>(&answer),
            _ => {}
        }
        answer
    };
    let need: SimulationProgress = decode(&call("run", Value::Null));
    assert_eq!((need.kind, &*need.agent), (ProgressKind::NeedsTool, "bot"));
    assert_eq!(need.call.unwrap().arguments, json!({"city": "Rome"}));
    // The step waits: its call is known, the step is not.
    let waiting: Report = decode(&call("report", Value::Null));
    assert_eq!(waiting.steps, []);
    let answer = waiting.agents[0].calls[0].response.clone().unwrap();
    assert_eq!(answer.tool_calls[0].name, "weather");
    call("toolResult", json!("21 degrees"));
    assert_eq!(decode::<SimulationProgress>(&call("run", Value::Null)).kind, ProgressKind::Done);
    let report: Report = decode(&call("report", Value::Null));
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
    assert_eq!((&*agent.key, agent.answers_remaining), ("bot", Some(0)));
    let calls = agent.calls.iter();
    let calls: Vec<_> = calls.map(|call| (call.step, call.call_count, call.iteration, call.nested)).collect();
    assert_eq!(calls, [(0, 1, 0, false), (0, 2, 1, false), (1, 3, 0, false)]);
    assert_eq!(agent.calls[0].trace.answered.as_deref(), Some("handlers.bot.responses[0]"));
    let of_call = agent.calls[2].error.as_ref().unwrap();
    assert_eq!((&of_call.kind, &of_call.message), (&error.kind, &error.message));
    assert_eq!((&*of_call.path, &*error.path), ("handlers.bot", "steps[1]: handlers.bot"));

    let external = "agents: [{name: bot, external: true}]\nsteps: [{op: call, content: Hi}]";
    let mut external = SimulationHandle::begin(external, "").unwrap();
    let need = parse(&external.call("run", "null").unwrap());
    same::<SimulationProgress>(&need);
    assert_eq!(decode::<SimulationProgress>(&need).kind, ProgressKind::NeedsReply);

    let broken = SimulationHandle::begin("handlers: {bot: {type: queue}}\n", r#"{"user": ["Hi"]}"#).unwrap();
    let problems = parse(&broken.problems());
    each::<ListedSimulationProblem>(&problems);
    assert_eq!(decode::<Vec<ListedSimulationProblem>>(&problems)[0].place.line, 1);
}

#[test]
fn generated_transcripts_are_what_serde_reads() {
    let ask = |operation: &str, text: &str, options: Value| {
        parse(&author(operation, text.as_bytes(), b"", &options.to_string()).unwrap())
    };
    let prompt = ask("generatePrompt", "The user says hello.", json!({"wanted": {"tone": "brief"}}));
    same::<GenerationState>(&prompt);
    let state: GenerationState = decode(&prompt);
    assert_eq!((state.round, &state.options), (0, &json!({"tone": "brief"})));
    let options = json!({"state": state, "finish": "stop"});
    let judge = |reply: &str| {
        let judged = ask("generateReply", reply, options.clone());
        same::<JudgedReply>(&judged);
        decode::<JudgedReply>(&judged)
    };
    let fine = judge("```yaml\nname: hello\nmessages: ['user: Hi', 'assistant: Hello!']\n```");
    assert_eq!((fine.ok, fine.status, fine.name.as_deref()), (true, ReplyStatus::Ok, Some("hello")));
    assert_eq!(judge("").status, ReplyStatus::Empty);
    let broken = "```yaml\nmessages: ['user: Hi', 'asistant: Hello!']\n```";
    let judged = judge(broken);
    assert_eq!((judged.ok, judged.status, judged.diagnostics[0].line), (false, ReplyStatus::Problems, 1));
    let repaired = ask("generateRepair", broken, options);
    same::<NextPrompt>(&repaired);
    let next = decode::<NextPrompt>(&repaired).next.unwrap();
    assert_eq!((next.round, next.messages.len()), (1, 4));
    // A state that goes through the page comes back as it was.
    assert_eq!(json!(next), repaired["next"]);
}

#[test]
fn what_a_rerun_needs_is_what_serde_reads() {
    let needs = |run: &str, changes: Value| {
        let options = json!({ "changes": changes }).to_string();
        let mut rerun = RerunHandle::begin(run.as_bytes(), &options).unwrap();
        let needs = parse(&rerun.call("needs", "null").unwrap());
        same::<RerunRequest>(&needs);
        decode::<RerunRequest>(&needs)
    };
    let run = "messages: ['user: Hi', 'assistant: Hello!']";
    let reply = needs(run, json!({"edit_message": {"step": 0, "content": "Good day"}}));
    assert_eq!((reply.kind, &*reply.step, reply.call), (RerunRequestKind::Reply, "1", None));
    let messages = reply.messages.unwrap();
    assert_eq!((&*messages[0].role, &*messages[0].content), ("user", "Good day"));
    assert_eq!(needs(run, json!([])).kind, RerunRequestKind::Nothing);
    let run = include_str!("../../../../public/examples/weather_query_with_tools.yaml");
    let call = json!({"id": "call_002", "name": "weather", "arguments": {"city": "Paris"}});
    let tool = needs(run, json!({"replace_answer": {"step": "1", "response": {"tool_calls": [call]}}}));
    assert_eq!(tool.kind, RerunRequestKind::Tool);
    assert_eq!(tool.call.unwrap().arguments, json!({"city": "Paris"}));
    let reply = needs(run, json!({"replace_result": {"step": "2", "result": {"sky": "grey"}}}));
    let messages = reply.messages.unwrap();
    let [.., called, result] = messages.as_slice() else { panic!("{messages:?}") };
    assert_eq!(called.tool_calls[0].name, "weather");
    assert_eq!((&*result.role, result.result.clone()), ("tool", Some(json!({"sky": "grey"}))));
    assert_eq!(result.content, "{\"sky\": \"grey\"}");
}

#[test]
fn reasons_for_no_text_are_what_serde_reads() {
    let export = |text: &str| {
        let answer =
            parse(&author("exportTranscript", text.as_bytes(), b"", r#"{"to": "markdown"}"#).unwrap());
        same::<TextAnswer>(&answer);
        decode::<TextAnswer>(&answer)
    };
    assert!(export("messages: ['user: Hi', 'assistant: Hello!']").text.unwrap().contains("Hello!"));
    let refused = export("name: a\nmessages: [");
    assert_eq!((refused.text, refused.diagnostics[0].line), (None, 2));
}

#[test]
fn answers_about_logs_are_what_serde_reads() {
    let answer = |files: &[(&str, &str)]| {
        let mut logs = Logs::new();
        files.iter().for_each(|(path, text)| logs.add(path, text.as_bytes().to_vec()));
        let answer = parse(&logs.answer(None, None));
        same::<LogAnswer>(&answer);
        decode::<LogAnswer>(&answer)
    };
    let line = |role: &str, text: &str| json!({"role": role, "content": text}).to_string();
    let chat = [line("user", "Hi"), line("assistant", "Hello!"), "{".to_owned()].join("\n");
    let made = answer(&[("chat.jsonl", &chat), ("notes.png", "x")]);
    assert_eq!(made.name.as_deref(), Some("chat.yaml"));
    assert!(made.text.unwrap().contains("Hello!") && made.message.is_some());
    assert_eq!((&*made.files[0].path, made.files[0].notes.len()), ("chat.jsonl", 1));
    assert!(!made.files[0].message.is_empty() && !made.left_out.is_empty());
    let opened = answer(&[("run.yaml", "messages: ['user: Hi']")]).open.unwrap();
    assert_eq!((&*opened.name, &*opened.text), ("run.yaml", "messages: ['user: Hi']"));
    let refused = answer(&[]);
    assert!(refused.problem.is_some() && refused.help.is_some());
    let events = answer(&[("log.jsonl", include_str!("../../../../public/examples/event_log_dag.jsonl"))]);
    assert_eq!(events.columns.len(), events.rows[0].len());
    let call = |text: &str| {
        let (body, response) = (
            json!({"model": "m", "messages": [{"role": "user", "content": text}]}),
            json!({"choices": [{"message": {"role": "assistant", "content": "Hello!"}}]}),
        );
        json!({"scope": "https://api.test:443", "method": "POST", "path": "/v1/chat/completions", "status": 200,
               "body": body, "response": response})
    };
    let several = answer(&[("greets.json", &json!([call("Hi"), call("Ho")]).to_string())]);
    assert_eq!((several.sessions.len(), several.first_words), (2, vec!["Hi".to_owned(), "Ho".to_owned()]));
}

#[test]
fn numbers_are_kept() {
    let numbers = json!([[-3, 9_007_199_254_740_993_u64, 0.1, -0.5]]);
    each::<Vec<Value>>(&numbers);
    assert_eq!(decode::<Vec<f64>>(&json!([0.25, -2.5])), [0.25, -2.5]);
    assert_eq!(decode::<Vec<i64>>(&json!([-7])), [-7]);
}
