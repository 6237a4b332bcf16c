use super::*;
use crate::text::json;

#[track_caller]
fn check(text: &str, op: Op, expected: &str) {
    let limits = Limits::default();
    let mut work = Work::new(text, &limits);
    if let Err(refusal) = work.round(&[op], false) {
        panic!("{refusal:?}\n{}", work.draft.text);
    }
    let edited = work.finish();
    assert_eq!(edited.text, expected);
    assert_eq!(crate::diagnostic::apply(text, &edited.edits).unwrap(), expected);
}

fn path(parts: &[&str]) -> Path {
    let part = |part: &&str| part.parse::<usize>().map_or_else(|_| Part::from(*part), Part::from);
    parts.iter().map(part).collect()
}

fn set(parts: &[&str], value: serde_json::Value) -> Op {
    Op::Set(path(parts), value)
}

#[test]
fn a_scalar_keeps_its_quotes_and_comment() {
    check("a: 'x' # c\nb: 1\n", set(&["a"], json!("it's")), "a: 'it''s' # c\nb: 1\n");
    check("a: \"x\"   # c\n", set(&["a"], json!("y: z")), "a: \"y: z\"   # c\n");
    check("a: x # c\n", set(&["a"], json!("yes")), "a: \"yes\" # c\n");
    check("a: x # c\n", set(&["a"], json!({"b": 1})), "a: # c\n  b: 1\n");
    check("a:\n  - x # c\n", set(&["a", "0"], json!({"b": 1, "c": 2})), "a:\n  - b: 1 # c\n    c: 2\n");
    check("a: x # c\nb: 1", set(&["a"], json!("l1\nl2")), "a: |- # c\n  l1\n  l2\nb: 1");
    check("a: x # c\n", set(&["a"], json!("l1 \nl2")), "a: \"l1 \\nl2\" # c\n");
    check("a: | # c\n  t\n  u\n# d\nb: 1\n", set(&["a"], json!(5)), "a: 5 # c\n# d\nb: 1\n");
    check("a:\n  x # c\nb: 1\n", set(&["a"], json!("v")), "a:\n  v # c\nb: 1\n");
    check("a:\nb: 1\n", set(&["a"], json!("v")), "a: v\nb: 1\n");
    check("a: # c\nb: 1\n", set(&["a"], json!([])), "a: [] # c\nb: 1\n");
    check("- \n- b", set(&["0"], json!("v")), "- v \n- b");
    check("a: !!str 12\n", set(&["a"], json!(5)), "a: 5\n");
    check("a: &x 12\n", set(&["a"], json!(5)), "a: &x 5\n");
    check("\u{feff}a: 1\r\nb: 2\r\n", set(&["a"], json!({"c": 1})), "\u{feff}a:\r\n  c: 1\r\nb: 2\r\n");
}

#[test]
fn a_list_or_map_gives_way() {
    check("a: # c\n  b: 1 # d\n  # e\nf: 2\n", set(&["a"], json!("x")), "a: x # c\n  # e\nf: 2\n");
    check("a:\n- 1\n- 2\nb: 1\n", set(&["a"], json!({"c": 1})), "a:\n  c: 1\nb: 1\n");
    check("- a: 1\n  b: 2 # c\n- d", set(&["0"], json!("x")), "- x\n- d");
    check("a: {b: 1} # c\n", set(&["a", "b"], json!({"c": "d, e"})), "a: {b: {c: \"d, e\"}} # c\n");
    check("a: {b: , c}\n", set(&["a", "b"], json!(1)), "a: {b: 1 , c}\n");
    check("a: {b: , c}\n", set(&["a", "c"], json!(1)), "a: {b: , c: 1}\n");
    check("a: &x\n  - 1\nb: 2\n", set(&["a"], json!(3)), "a: &x 3\nb: 2\n");
    check("a: !!seq\n  - 1\nb: 2\n", set(&["a"], json!(3)), "a: 3\nb: 2\n");
    check("? a\n: b\n", set(&["a"], json!({"c": 1})), "? a\n:\n  c: 1\n");
    check("? a\n", set(&["a"], json!(1)), "? a\n: 1\n");
}

#[test]
fn keys_are_added_in_their_place() {
    check(
        "version: '1.0'\nexecution: []\n",
        set(&["agent_config", "model"], json!("m")),
        "version: '1.0'\nagent_config:\n  model: m\nexecution: []\n",
    );
    check("a:\n    b: 1", set(&["a", "c"], json!(2)), "a:\n    b: 1\n    c: 2");
    check("a: {}\n", set(&["a", "c"], json!(2)), "a:\n  c: 2\n");
    check("a: {b: 1}\n", set(&["a", "c d"], json!(2)), "a: {b: 1, c d: 2}\n");
    check(
        "{\"a\": {\n\t\"b\": 1\n}}",
        set(&["a", "c"], json!([1])),
        "{\"a\": {\n\t\"b\": 1,\n\t\"c\": [\n\t\t1\n\t]\n}}",
    );
    check("{\"a\": {}}", set(&["a", "c"], json!(2)), "{\"a\": {\"c\": 2}}");
}

#[test]
fn removal_takes_the_comments_of_the_item_along() {
    let remove = |parts: &[&str]| Op::Remove(path(parts));
    let text = "# head\na: 1\n# of b\nb: 2 # and this\n\n# apart\n\nc: 3\n";
    check(text, remove(&["b"]), "# head\na: 1\n\n# apart\n\nc: 3\n");
    check(text, remove(&["a"]), "# head\n# of b\nb: 2 # and this\n\n# apart\n\nc: 3\n");
    check("a:\n  - 1 # c\nb: 1\n", remove(&["a", "0"]), "a: []\nb: 1\n");
    check("- - a\n  - b\n", remove(&["0", "0"]), "- - b\n");
    check("- - a\n  # of b\n  - b\n", remove(&["0", "0"]), "-\n  # of b\n  - b\n");
    check("- - a\n", remove(&["0", "0"]), "- []\n");
    check("- k: 1\n  l: 2\n", remove(&["0", "k"]), "- l: 2\n");
    check("a: 1\nb: 2", remove(&["b"]), "a: 1");
    check("a: [1, 2, 3]\n", remove(&["a", "1"]), "a: [1, 3]\n");
    check("a: [1, 2, 3]\n", remove(&["a", "2"]), "a: [1, 2]\n");
    check("a: [1, 2,]\n", remove(&["a", "1"]), "a: [1,]\n");
    check("a: [ 1 ]\n", remove(&["a", "0"]), "a: []\n");
    check("[\n  1,\n  2\n]\n", remove(&["1"]), "[\n  1\n]\n");
    check("a: [\n  1, # one\n  2 # two\n]\n", remove(&["a", "1"]), "a: [\n  1 # one\n]\n");
    check("a: |+\n  x\n\n\nb: 1\n", remove(&["a"]), "b: 1\n");
}

#[test]
fn items_are_put_in() {
    let insert = |parts: &[&str], at, value| Op::Insert(path(parts), at, value);
    check("a:\n- x\n# c\nb: 1\n", insert(&["a"], 1, json!("v")), "a:\n- x\n- v\n# c\nb: 1\n");
    check(
        "a:\n  # c\n  - x\n",
        insert(&["a"], 0, json!({"k": 1, "l": 2})),
        "a:\n  - k: 1\n    l: 2\n  # c\n  - x\n",
    );
    check("- - a\n", insert(&["0"], 0, json!("m")), "- - m\n  - a\n");
    check("- - a # c", insert(&["0"], 1, json!("m")), "- - a # c\n  - m");
    check("a:\nb: 1\n", insert(&["a"], 0, json!({"k": 1})), "a:\n  - k: 1\nb: 1\n");
    check("a: []\n", insert(&["a"], 0, json!(1)), "a: [1]\n");
    check("b: 1\n", insert(&["a"], 0, json!(1)), "b: 1\na: [1]\n");
    check("a: [1, 2,]\n", insert(&["a"], 2, json!(3)), "a: [1, 2, 3,]\n");
    check(
        "a: [\n  1, # one\n  2 # two\n]\n",
        insert(&["a"], 2, json!(3)),
        "a: [\n  1, # one\n  2, # two\n  3\n]\n",
    );
    check("---\n- 1\n...\n", insert(&[], 1, json!(2)), "---\n- 1\n- 2\n...\n");
}

#[test]
fn items_move_with_their_comments() {
    let shift = |parts: &[&str], from, to| Op::Move(path(parts), from, to);
    let text = "a:\n  # one\n  - 1 # first\n  - 2\n\n  # three\n  - 3";
    check(text, shift(&["a"], 0, 2), "a:\n  - 2\n\n  # three\n  - 3\n  # one\n  - 1 # first");
    check(text, shift(&["a"], 2, 0), "a:\n  # three\n  - 3\n  # one\n  - 1 # first\n  - 2\n");
    check("- - a\n  - b\n  - c\n", shift(&["0"], 0, 1), "- - b\n  - a\n  - c\n");
    check("- - a\n  - b\n  - c\n", shift(&["0"], 2, 0), "- - c\n  - a\n  - b\n");
    check("a: [1, 2, 3]\n", shift(&["a"], 0, 2), "a: [2, 3, 1]\n");
}

#[test]
fn keys_are_renamed() {
    check("'a': 1 # c\nb: 2\n", Op::RenameKey(path(&["a"]), "c d".into()), "'c d': 1 # c\nb: 2\n");
    check("{\"a\":1}", Op::RenameKey(path(&["a"]), "on".into()), "{\"on\":1}");
}

#[test]
fn what_stands_in_two_places_is_not_changed_in_passing() {
    let refused = |text: &str, op: Op| {
        let limits = Limits::default();
        Work::new(text, &limits).round(&[op], false).unwrap_err().reason
    };
    let text = "a: &x {b: 1}\nc: *x\n";
    assert_eq!(refused(text, set(&["c", "b"], json!(2))), "shared");
    assert_eq!(refused(text, set(&["a", "b"], json!(2))), "shared");
    assert_eq!(refused(text, set(&["a"], json!(2))), "shared");
    assert_eq!(refused(text, Op::Remove(path(&["a"]))), "shared");
    assert_eq!(refused("a: [1", set(&["a"], json!(2))), "unreadable");
    assert_eq!(refused("a: 1", Op::Remove(path(&["b"]))), "path");
    check(text, set(&["c"], json!(2)), "a: &x {b: 1}\nc: 2\n");
}

#[test]
fn the_last_entry_of_a_document_leaves_an_empty_map() {
    let text = "'a': |-   # c1.\n   one\n   two: x\n\n     three\n...\n";
    check(text, Op::Remove(path(&["a"])), "--- {}\n...\n");
    check("--- # c\na: 1\n", Op::Remove(path(&["a"])), "--- # c\n{}\n");
}

#[test]
fn many_places_in_one_line_are_edited_in_one_go() {
    let refs = vec![json!({"ref": "a"}); 20_000];
    let text = json!({"version": "1.0", "initial_state": {"message_store": [{"id": "a", "role": "user"}]},
        "execution": [{"type": "llm_call", "messages_sent_to_llm": refs}]})
    .to_string();
    let limits = Limits::default();
    let rename = Change::RenameId { from: "a".into(), to: "b".into() };
    let edited = change(&text, &limits, &rename).unwrap();
    assert_eq!(edited.text, text.replace("\"a\"", "\"b\""));
    let hide = Change::SetVisible { message: "a".into(), visible: false, from: None };
    let edited = change(&text, &limits, &hide).unwrap();
    assert!(edited.text.contains("\"messages_sent_to_llm\":[]"));
}
