//! Random changes of random documents: the data is that of the change, and the rest of the text stays.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use transcript_core::parse::{Limits, Node, parse};
use transcript_core::view::{EditAnswer, edit};
use transcript_core::write;

use crate::documents::{Choices, document};

const CASES: u32 = 4_000;

/// A change with what it makes of the data.
struct Case {
    change: Value,
    data: Value,
    /// The path of what is changed; of what is put in or moved, the list.
    path: Vec<Value>,
}

fn at<'v>(data: &'v mut Value, path: &[Value]) -> &'v mut Value {
    path.iter().fold(data, |value, part| match part {
        Value::String(key) => &mut value[key.as_str()],
        index => &mut value[index.as_u64().unwrap() as usize],
    })
}

/// The paths of all values below the root.
fn paths(value: &Value, path: &[Value], found: &mut Vec<Vec<Value>>) {
    let children: Vec<(Value, &Value)> = match value {
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| (json!(at), item)).collect(),
        Value::Object(map) => map.iter().map(|(key, value)| (json!(key), value)).collect(),
        _ => Vec::new(),
    };
    for (part, child) in children {
        let path = [path, &[part]].concat();
        paths(child, &path, found);
        found.push(path);
    }
}

fn case(choices: &mut Choices, before: &Value) -> Case {
    let mut all = Vec::new();
    paths(before, &[], &mut all);
    let mut path = all[choices.below(all.len())].clone();
    let mut data = before.clone();
    let (last, parent) = path.split_last().unwrap();
    let (last, parent) = (last.clone(), parent.to_vec());
    let change = match (choices.below(6), at(&mut data, &parent)) {
        (0, holder) => {
            match (holder, &last) {
                (Value::Object(map), Value::String(key)) => drop(map.shift_remove(key)),
                (Value::Array(items), index) => drop(items.remove(index.as_u64().unwrap() as usize)),
                _ => unreachable!(),
            }
            json!({"remove": {"path": path}})
        }
        (1, Value::Array(items)) => {
            let (index, value) = (choices.below(items.len() + 1), choices.value(2));
            items.insert(index, value.clone());
            path = parent.clone();
            json!({"insert": {"path": parent, "index": index, "value": value}})
        }
        (2, Value::Array(items)) => {
            let (from, to) = (choices.below(items.len()), choices.below(items.len()));
            let item = items.remove(from);
            items.insert(to, item);
            path = parent.clone();
            json!({"move": {"path": parent, "from": from, "to": to}})
        }
        (1, Value::Object(map)) => {
            let (key, value) = (format!("{}new", choices.key()), choices.value(2));
            map.insert(key.clone(), value.clone());
            path = parent.clone();
            {
                let path = [parent, vec![json!(key)]].concat();
                json!({"set": {"path": path, "value": value}})
            }
        }
        (2, Value::Object(map)) => {
            let new = format!("{}new", choices.key());
            let old = last.as_str().unwrap();
            *map = std::mem::take(map)
                .into_iter()
                .map(|(key, value)| (if key == old { new.clone() } else { key }, value))
                .collect();
            json!({"rename_key": {"path": path, "key": new}})
        }
        _ => {
            let value = choices.value(2);
            *at(&mut data, &path) = value.clone();
            json!({"set": {"path": path, "value": value}})
        }
    };
    Case { change, data, path }
}

fn read(text: &str) -> Option<Node> {
    let parsed = parse(text, &Limits::default());
    parsed.root.filter(|_| parsed.well_formed)
}

fn find<'n>(root: &'n Node, path: &[Value]) -> Option<&'n Node> {
    path.iter().try_fold(root, |node, part| match part {
        Value::String(key) => node.get(key),
        index => node.items().get(index.as_u64()? as usize),
    })
}

/// The comments of a generated text, each with its place.
fn comments(text: &str) -> Vec<(usize, &str)> {
    let found = text.match_indices("# c").filter_map(|(at, _)| {
        let end = text[at..].find('.')?;
        let comment = &text[at..=at + end];
        comment[3..comment.len() - 1].bytes().all(|byte| byte.is_ascii_digit()).then_some((at, comment))
    });
    found.collect()
}

/// What is wrong with the answer to a change.
fn fault(text: &str, case: &Case, answer: &EditAnswer) -> Option<String> {
    let Some(after) = read(&answer.text) else { return Some("the text cannot be read".to_owned()) };
    if after.to_value() != case.data {
        return Some("the data is not that of the change".to_owned());
    }
    // The bytes between the edits are those of the text before.
    let (mut old, mut new) = (0, 0);
    let mut touched = Vec::new();
    for edit in &answer.edits {
        let (start, end) = (edit.offset as usize, edit.end_offset as usize);
        let kept = text.get(old..start)?;
        if answer.text.get(new..new + kept.len()) != Some(kept) {
            return Some("bytes changed that no edit touches".to_owned());
        }
        new += kept.len();
        if answer.text.get(new..new + edit.text.len()) != Some(&edit.text) {
            return Some("an edit is not in the text".to_owned());
        }
        new += edit.text.len();
        old = end;
        touched.push((start, end));
    }
    if answer.text.get(new..) != text.get(old..) {
        return Some("bytes changed that no edit touches".to_owned());
    }
    // By lines as well, without the edits: what is untouched comes again, in order.
    let mut lines = answer.text.split('\n').map(|line| line.trim_end_matches('\r'));
    let mut at = 0;
    for line in text.split('\n') {
        let end = at + line.len();
        let is_touched = touched.iter().any(|(from, to)| *from <= end && at <= *to);
        if !is_touched && !lines.any(|other| other == line.trim_end_matches('\r')) {
            return Some(format!("the line `{line}` is gone"));
        }
        at = end + 1;
    }
    // Comments go only with what they belong to.
    let root = read(text)?;
    let node = find(&root, &case.path)?;
    let is_removal = case.change.get("remove").is_some();
    let is_set = case.change.get("set").is_some();
    let left: Vec<&str> = comments(&answer.text).into_iter().map(|(_, comment)| comment).collect();
    let (begin, head_end) = begin(text, &root, &case.path)?;
    let holds = node.is_map() || !node.items().is_empty();
    let mut end = line_end(text, (node.span.end as usize).max(begin));
    // The last lines inside a list or map may be comments, which are indented deeper than it.
    let own = text[line_start(text, head_end.min(end))..].chars().take_while(|c| *c == ' ').count();
    while holds && end < text.len() {
        let next = line_end(text, end + 1);
        let line = &text[end + 1..next];
        let body = line.trim_start_matches(' ');
        if !body.starts_with('#') || line.len() - body.len() <= own {
            break;
        }
        end = next;
    }
    for (place, comment) in comments(text) {
        let inside =
            (head_end..=end).contains(&place) && holds || is_removal && (begin..=end).contains(&place);
        if !(left.contains(&comment) || (is_removal || is_set) && inside) {
            return Some(format!("the comment `{comment}` is gone"));
        }
    }
    None
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |at| at + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end)
}

/// Where what belongs to the value begins, comments above included, and where the line of its key ends.
fn begin(text: &str, root: &Node, path: &[Value]) -> Option<(usize, usize)> {
    let (last, above) = path.split_last()?;
    let parent = find(root, above)?;
    let (mut begin, mut head_end) = match last {
        Value::String(key) => {
            let key = parent.entries().iter().find(|entry| *entry.key.text == **key)?.key.span;
            (key.start as usize, line_end(text, key.end as usize))
        }
        index => {
            let before = (index.as_u64()? as usize).checked_sub(1);
            // A list might begin behind its first dash; it begins below its key.
            let from = match before {
                Some(before) => parent.items()[before].span.end as usize,
                None if above.is_empty() => parent.span.start as usize,
                None => self::begin(text, root, above)?.1,
            };
            (if before.is_some() { line_end(text, from) } else { from }, from)
        }
    };
    head_end = head_end.max(begin);
    while let Some(above) = line_start(text, begin).checked_sub(1) {
        let line = line_start(text, above);
        if !text[line..above].trim_start().starts_with('#') {
            break;
        }
        begin = line;
    }
    Some((begin, head_end))
}

#[test]
fn random_changes_keep_the_rest() {
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let counts = std::cell::RefCell::new(std::collections::BTreeMap::new());
    let result = runner.run(&any::<u64>(), |seed| {
        let mut choices = Choices::new(seed);
        let document = document(&mut choices);
        let root = read(&document.text).map(|root| root.to_value());
        prop_assert_eq!(root.as_ref(), Some(&document.data), "the generator is wrong:\n{}", document.text);
        let case = case(&mut choices, &document.data);
        let answer = edit(&document.text, &case.change, &Limits::default());
        let reason = answer.problem.as_ref().map_or("made", |problem| &*problem.reason);
        *counts.borrow_mut().entry(reason.to_owned()).or_insert(0) += 1;
        prop_assert!(
            matches!(reason, "made" | "shared"),
            "{:?}\n{}\n{}",
            answer.problem,
            case.change,
            document.text
        );
        if answer.ok {
            let fault = fault(&document.text, &case, &answer);
            prop_assert_eq!(fault, None, "{}\n{}\n=>\n{}", case.change, document.text, answer.text);
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    let counts = counts.into_inner();
    let shared = counts.get("shared").copied().unwrap_or(0);
    assert!(shared * 20 < CASES && counts["made"] > 0, "{counts:?}");
}

/// The property finds what a careless editor does.
#[test]
fn a_broken_edit_is_caught() {
    let mut caught = [0; 3];
    for seed in 0..200 {
        let mut choices = Choices::new(seed);
        let document = document(&mut choices);
        let case = case(&mut choices, &document.data);
        let answer = edit(&document.text, &case.change, &Limits::default());
        if !answer.ok || answer.edits.is_empty() {
            continue;
        }
        // One that writes the document anew, one that does nothing, one that also cuts off comments.
        let anew = EditAnswer { text: write::yaml(&case.data), ..answer.clone() };
        let nothing = EditAnswer { text: document.text.clone(), edits: Vec::new(), ..answer.clone() };
        let bare: String = answer.text.split(" # c").next().unwrap().to_owned();
        let cut = EditAnswer { text: bare, ..answer.clone() };
        for (at, broken) in [anew, nothing, cut].iter().enumerate() {
            let differs = broken.text != answer.text;
            let found = fault(&document.text, &case, broken).is_some();
            assert!(found || !differs || case.data == document.data, "{}\n{}", case.change, broken.text);
            caught[at] += usize::from(found);
        }
    }
    assert!(caught.iter().all(|count| *count > 50), "{caught:?}");
}
