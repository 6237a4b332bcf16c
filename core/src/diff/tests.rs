use super::*;
use crate::expand::compact;
use crate::parse::read::{Fill, transcript};
use crate::parse::{Kind, Limits, detect, parse};
use crate::text::json;

struct Read(Transcript, Option<Node>);

fn read(text: &str) -> Read {
    let limits = Limits::default();
    let root = parse(text, &limits).root.unwrap();
    match detect(&root) {
        Kind::Compact => Read(compact(text, &root, &limits).0, None),
        Kind::Partial => Read(transcript(&root, Fill::CreatedMessages), Some(root)),
        _ => Read(transcript(&root, Fill::Nothing), Some(root)),
    }
}

fn compared(left: &str, right: &str, options: &Options) -> Diff {
    let (left, right) = (read(left), read(right));
    let side = |read: &'_ Read| -> Side<'static> {
        // Leaked, so that the test reads as one line.
        let read: &'static Read = Box::leak(Box::new(Read(read.0.clone(), read.1.clone())));
        Side { transcript: &read.0, source: read.1.as_ref() }
    };
    diff(side(&left), side(&right), options)
}

fn paths(diff: &Diff) -> Vec<(ChangeKind, &str)> {
    diff.changes.iter().map(|change| (change.kind, change.path.as_str())).collect()
}

const RUN: &str = "
name: run
context: {count: 0}
messages:
  - 'system: Be kind'
  - 'user: Weather?'
  - {assistant: 'I look', call: weather(city='Rome')}
  - 'tool:weather: {temp: 72}'
  - context: {count: 1}
  - 'assistant: It is 72'
  - 'user: Thanks'
  - 'assistant: Bye'
";

#[test]
fn a_run_differs_in_nothing_from_itself_or_its_full_form() {
    let found = compared(RUN, RUN, &Options::default());
    assert_eq!(paths(&found), []);
    assert_eq!(found.summary.turns, Counts { same: 5, ..Counts::default() });
    let full = crate::write::yaml(&crate::write::transcript(&read(RUN).0));
    assert_eq!(paths(&compared(RUN, &full, &Options::default())), []);
    assert_eq!(paths(&compared(&full, &full, &Options { literal_ids: true, ..Options::default() })), []);
}

#[test]
fn inserted_and_removed_turns_are_one_difference_each() {
    let more = RUN.replace("  - 'assistant: It is 72'\n", "  - 'user: Hurry'\n  - 'assistant: It is 72'\n");
    let found = compared(RUN, &more, &Options::default());
    assert_eq!(paths(&found), [(ChangeKind::Added, "execution[2]")]);
    assert_eq!((found.changes[0].left_step, found.changes[0].right_step), (None, Some(3)));
    assert_eq!(found.summary.renamed, 3);
    let back = compared(&more, RUN, &Options::default());
    assert_eq!(paths(&back), [(ChangeKind::Removed, "execution[2]")]);
    let full = |text: &str| crate::write::yaml(&crate::write::transcript(&read(text).0));
    let found = compared(&full(RUN), &full(&more), &Options::default());
    assert_eq!(paths(&found), [(ChangeKind::Added, "execution[2]")]);
    let literal = compared(RUN, &more, &Options { literal_ids: true, ..Options::default() });
    assert_eq!(literal.changes.len(), 4);
}

#[test]
fn fields_are_named_with_what_changed_in_texts() {
    let other = RUN.replace("It is 72'", "It is 75'").replace("{count: 1}", "{count: 2, more: null}");
    let found = compared(RUN, &other, &Options::default());
    assert_eq!(
        paths(&found),
        [
            (ChangeKind::Changed, "execution[1].state_changes.context.count"),
            (ChangeKind::Added, "execution[1].state_changes.context.more"),
            (ChangeKind::Changed, "execution[2].llm_response.content"),
        ]
    );
    let kinds: Vec<_> = found.changes[2].text.iter().map(|part| (part.kind, &*part.text)).collect();
    let expected = [(PartKind::Same, "It is "), (PartKind::Removed, "72"), (PartKind::Added, "75")];
    assert_eq!(kinds, expected);
    assert_eq!(found.summary.turns, Counts { same: 3, changed: 2, ..Counts::default() });
}

#[test]
fn ignores_are_counted() {
    let text = |time: &str, tokens: u32, seed: u32| {
        format!(
            "execution:\n- {{type: llm_call, timestamp: '{time}', llm_config: {{seed: {seed}}}, \
             llm_response: {{content: x, usage: {{total_tokens: {tokens}}}}}}}\n"
        )
    };
    let (left, right) = (text("a", 1, 1), text("b", 2, 2));
    assert_eq!(compared(&left, &right, &Options::default()).changes.len(), 3);
    let options = Options {
        ignore_timestamps: true,
        ignore_usage: true,
        ignore_paths: vec!["execution.*.llm_config".to_owned(), "**.nothing".to_owned()],
        ..Options::default()
    };
    let found = compared(&left, &right, &options);
    assert!(found.is_equal());
    assert_eq!(found.summary.turns.same, 1);
    let counts: Vec<_> = found.ignored.iter().map(|ignored| (ignored.name.as_str(), ignored.count)).collect();
    assert_eq!(counts, [("timestamps", 1), ("usage", 1), ("execution.*.llm_config", 1), ("**.nothing", 0)]);
}

#[test]
fn what_was_sent_is_compared_where_it_does_not_follow() {
    let text = |sent: &str| {
        format!(
            "initial_state:\n  message_store:\n  - {{id: a, role: user, content: x}}\n  - {{id: b, role: user, content: y}}\n\
             execution:\n- {{type: llm_call, messages_sent_to_llm: {sent}, llm_response: {{content: z}}}}\n"
        )
    };
    let all = text("[{ref: a}, {ref: b}]");
    let found = compared(&all, &text("[{ref: b}]"), &Options::default());
    assert_eq!(paths(&found), [(ChangeKind::Changed, "execution[0].messages_sent_to_llm")]);
    let found =
        compared(&all, &all.replace("ref: a", "ref: q").replace("id: a", "id: q"), &Options::default());
    assert_eq!((paths(&found), found.summary.renamed), (vec![], 1));
}

#[test]
fn places_are_as_near_as_the_source_allows() {
    let left = "execution:\n- {type: tool_call, tool_call: {tool_name: t, result: {a: 1, b: [1, 2]}}}\n";
    let right = left.replace("[1, 2]", "[1, 3]");
    let found = compared(left, &right, &Options::default());
    let change = &found.changes[0];
    assert_eq!(change.path, "execution[0].tool_call.result.b[1]");
    assert_eq!((change.left_span.unwrap().slice(left), change.right_span.unwrap().slice(&right)), ("2", "3"));
    assert_eq!((&change.left, &change.right), (&Some(json!(2)), &Some(json!(3))));
}

#[test]
fn text_has_a_heading_for_each_step() {
    let found = compared(RUN, &RUN.replace("It is 72'", "It is 75'"), &Options::default());
    let expected = "\
--- a.yaml
+++ b.yaml
@@ step 3 @@
  execution[2].llm_response.content
-   \"It is 72\"
+   \"It is 75\"

turns: 4 same, 1 changed, 0 added, 0 removed; initial messages: 2 same, 0 changed, 0 added, 0 removed; 0 elsewhere
";
    assert_eq!(render("a.yaml", "b.yaml", &found, DiffStyle::Plain), expected);
    assert!(render("a", "b", &found, DiffStyle::Ansi).contains("\u{1b}[31m-   \"It is 72\"\u{1b}[0m"));
}
