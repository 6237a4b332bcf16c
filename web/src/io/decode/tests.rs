use super::*;
use serde::Serialize;
use serde_json::json;
use std::fmt::Debug;
use transcript_core::document::Options;
use transcript_core::view::{
    AnswerLine, ChatFacts, ChatMessage, DeterminismReport, DocumentOutline, EventAbout, EventCone, EventLog,
    EventView, Exchange, FoundStep, HistoryEntry, HistoryFacts, LanesView, ListedProblem, ListedStep,
    LogAnswer, PageRequest, PromptChange, PromptFacts, ReadAnswer, Refusal, RunStrip, SideFacts, SideRow,
    StateTree, StepAnswer, TabRequest, TextEdit, check_determinism,
};
use transcript_logs::Logs;
use transcript_reader::Reader;

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
    same::<ReadAnswer>(&answer);
    each::<ListedStep>(&answer["rows"][0]["items"]);
    same::<StepAnswer>(&parse(&reader.step(1, 4, 40).unwrap()));
    same::<RunStrip>(&parse(&reader.strip(1, "", true).unwrap()));
    each::<FoundStep>(&parse(&reader.offer(1, "report", 9, "").unwrap()));
    let mut look = |request: TabRequest| parse(&reader.look(1, 4, &json!(request).to_string()).unwrap());
    let (page, without_hidden) = (PageRequest { start: None, length: 40 }, false);
    let chat = look(TabRequest::Chat { page, without_hidden });
    same::<ChatFacts>(&chat["facts"]);
    each::<ChatMessage>(&chat["items"]);
    let sides = look(TabRequest::Sides { page, without_hidden });
    same::<SideFacts>(&sides["facts"]);
    each::<SideRow>(&sides["items"]);
    let changes = look(TabRequest::PromptChanges { page });
    same::<PromptFacts>(&changes["facts"]);
    each::<PromptChange>(&changes["items"]);
    let history = look(TabRequest::History { page, path: "budget_tokens".to_owned() });
    same::<HistoryFacts>(&history["facts"]);
    each::<HistoryEntry>(&history["items"]);
    let (filter, toggled) = (String::new(), Vec::new());
    same::<StateTree>(&look(TabRequest::State { only_changes: false, filter, toggled }));
    same::<Exchange>(&look(TabRequest::Exchange));
    same::<String>(&look(TabRequest::Content));
    // A text with problems, fixes and other places, and one of unknown format.
    let broken = "name: run\nversion: 1.0\nname: again\nmessages: ['usr: Hi']\n";
    let answer = parse(&reader.read(2, broken, &[0], &[0]));
    each::<ListedProblem>(&answer["problems"][0]["items"]);
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
    let calls = vec![("weather".to_owned(), "{}".to_owned())];
    both::<AnswerLine>(AnswerLine { text: "Hi".to_owned(), calls });
}

#[test]
fn answers_about_logs_are_what_serde_reads() {
    let answer = |files: &[(&str, &str)]| {
        let mut logs = Logs::new();
        for (path, text) in files {
            logs.add(path, text.as_bytes().to_vec());
        }
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
