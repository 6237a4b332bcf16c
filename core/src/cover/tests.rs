use super::*;
use crate::expand::compact;
use crate::parse::{Limits, parse};

const RUN: &str = "
tools: [weather, search, {name: maps}]
messages:
  - 'system: Be kind'
  - 'user(hidden): a secret'
  - 'user: Weather?'
  - 'assistant:call weather(city=\"Rome\")'
  - 'tool:weather: 72'
  - 'assistant:call moon()'
  - 'tool:moon: full'
  - show: msg_002
  - 'user(hidden): never shown'
  - 'assistant: It is 72'
";

fn covered(consumed: Option<&[String]>) -> Coverage {
    let limits = Limits::default();
    let root = parse(RUN, &limits).root.unwrap();
    let (run, found) = compact(RUN, &root, &limits);
    assert_eq!(found, []);
    let name = "run.yaml";
    coverage(&[Covered { name, transcript: Some(&run), root: Some(&root), consumed, fired: None }])
}

#[test]
fn what_is_not_used_is_reported_with_its_place() {
    let found = covered(Some(&["1".to_owned()]));
    let actual: Vec<_> =
        found.unused.iter().map(|unused| (unused.kind, &*unused.name, unused.step)).collect();
    assert_eq!(
        actual,
        [
            (UnusedKind::Recording, "3", Some(3)),
            (UnusedKind::Recording, "6", Some(6)),
            (UnusedKind::ToolNotCalled, "search", None),
            (UnusedKind::ToolNotCalled, "maps", None),
            (UnusedKind::ToolNotDeclared, "moon", Some(3)),
            (UnusedKind::Message, "msg_008", Some(5)),
        ]
    );
    assert_eq!(found.unused[2].span.unwrap().slice(RUN), "search");
    assert_eq!(
        render(&found),
        "\
recordings used: 1 of 3
  never: step 3 of run.yaml
  never: step 6 of run.yaml
tools called: 1 of 3
  never: `search` of run.yaml
  never: `maps` of run.yaml
messages sent: 7 of 8
  never: `msg_008`, step 5 of run.yaml
tools called but not declared
  called: `moon`, step 3 of run.yaml
"
    );
}

#[test]
fn without_a_replay_recordings_are_not_counted() {
    let found = covered(None);
    assert_eq!(found.recordings, None);
    assert!(found.unused.iter().all(|unused| unused.kind != UnusedKind::Recording));
}

#[test]
fn a_tool_that_another_document_calls_is_covered() {
    let limits = Limits::default();
    let texts =
        ["tools: [a]\nmessages: ['user: x']", "tools: [a]\nmessages: ['user: x', 'assistant:call a()']"];
    let roots = texts.map(|text| parse(text, &limits).root.unwrap());
    let runs = [0, 1].map(|at| compact(texts[at], &roots[at], &limits).0);
    let documents = [0, 1].map(|at| Covered {
        name: "x",
        transcript: Some(&runs[at]),
        root: Some(&roots[at]),
        ..Covered::default()
    });
    let found = coverage(&documents);
    assert_eq!((found.tools, found.unused), (Count { covered: 1, total: 1 }, vec![]));
}

#[test]
fn rules_that_fired_are_taken_from_the_input() {
    let text = "
handlers:
  b: {type: conditional, rules: [{when: x, respond: y}, {when: z, respond: y}], default: no}
  d: {type: state_machine, states: {greeting: {respond: Hi}, end: {respond: Bye}}}
  e: {type: composite, handlers: [{type: queue, responses: [a]}]}
";
    let root = parse(text, &Limits::default()).root.unwrap();
    let fired = ["handlers.b.rules[0]".to_owned(), "handlers.e.handlers[0].responses[0]".to_owned()];
    let document = Covered { name: "h", root: Some(&root), fired: Some(&fired), ..Covered::default() };
    let found = coverage(&[document]);
    assert_eq!(found.rules, Some(Count { covered: 2, total: 6 }));
    let names: Vec<_> = found.unused.iter().map(|unused| &*unused.name).collect();
    assert_eq!(
        names,
        ["handlers.b.rules[1]", "handlers.b.default", "handlers.d.states.greeting", "handlers.d.states.end"]
    );
}
