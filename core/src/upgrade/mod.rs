//! Older versions of the format brought to the present one.
//!
//! One step upgrades a version to the next, and a chain of steps to the present one. There was no version
//! before 1.0, so the chain begins with the ways in which people write it.

use crate::model::VERSION;
use crate::parse::{Data, Node};

/// A version as written in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written<'a> {
    Text(&'a str),
    /// A number, by the digits it is written with in JSON.
    Number(&'a str),
}

/// Upgrades a run from one version to the next.
struct Step {
    from: Written<'static>,
    to: &'static str,
    /// The changes apart from `version`; nested runs are upgraded separately.
    change: fn(Node) -> Node,
}

/// The chain. A version without a step is the present one, or unknown.
const STEPS: [Step; 3] = [
    Step { from: Written::Number("1"), to: "1", change: same },
    Step { from: Written::Number("1.0"), to: VERSION, change: same },
    Step { from: Written::Text("1"), to: VERSION, change: same },
];

fn same(run: Node) -> Node {
    run
}

/// The tree of a full or partial document, and of the runs in it, in the present version; places stay.
///
/// A nested run has the version of the outer one unless it names its own. An unknown version is
/// unchanged, and a rule reports it. A text without a version has the present one.
///
/// ```
/// use transcript_core::parse::{Limits, parse};
/// use transcript_core::upgrade::upgrade;
/// let parsed = parse("version: 1.0\nexecution: []", &Limits::default());
/// assert_eq!(upgrade(&parsed.root.unwrap()).get("version").unwrap().as_str(), Some("1.0"));
/// ```
#[must_use]
pub fn upgrade(root: &Node) -> Node {
    through(root, &STEPS).unwrap_or_else(|| root.clone())
}

/// The run after all steps; `None` when nothing changes.
fn through(root: &Node, steps: &[Step]) -> Option<Node> {
    run(root, None, steps)
}

/// `around` is the version of the run around this one.
fn run(node: &Node, around: Option<&Node>, steps: &[Step]) -> Option<Node> {
    let own = node.present("version");
    let written = own.or(around);
    let mut out = None;
    if let Some(mut version) = written.cloned() {
        // No chain is longer than the table, so that a circle in it would end.
        for _ in 0..steps.len() {
            let Some(step) = steps.iter().find(|step| is_written(&version, step.from)) else { break };
            version.data = Data::Str(step.to.into());
            out = Some((step.change)(out.unwrap_or_else(|| node.clone())));
        }
        if own.is_some() {
            let changed = |old: &Node| (old.data != version.data).then(|| version.clone());
            out = replaced(out.as_ref().unwrap_or(node), &["version"], &changed).or(out);
        }
    }
    // Nested runs are now where this version has them.
    let inside = |node: &Node| run(node, written, steps);
    for path in [["execution", "*", "tool_call", "result", "nested_transcript"].as_slice(), &["nested", "*"]]
    {
        out = replaced(out.as_ref().unwrap_or(node), path, &inside).or(out);
    }
    out
}

fn is_written(version: &Node, written: Written<'_>) -> bool {
    match (&version.data, written) {
        (Data::Str(text), Written::Text(wanted)) => &**text == wanted,
        (Data::Number(number), Written::Number(wanted)) => number.to_string() == wanted,
        _ => false,
    }
}

/// The node with the value at the end of `path` replaced by `change`; `*` is every item or entry.
/// `None` if nothing is replaced.
fn replaced(node: &Node, path: &[&str], change: &dyn Fn(&Node) -> Option<Node>) -> Option<Node> {
    let Some((key, rest)) = path.split_first() else { return change(node) };
    let data = match &node.data {
        Data::Seq(items) if *key == "*" => {
            let mut changed = None;
            for (at, item) in items.iter().enumerate() {
                if let Some(now) = replaced(item, rest, change)
                    && let Some(place) = changed.get_or_insert_with(|| items.to_vec()).get_mut(at)
                {
                    *place = now;
                }
            }
            Data::Seq(changed?.into())
        }
        Data::Map(entries) => {
            let mut changed = None;
            for (at, entry) in entries.iter().enumerate() {
                if (*key == "*" || &*entry.key.text == *key)
                    && let Some(now) = replaced(&entry.value, rest, change)
                    && let Some(place) = changed.get_or_insert_with(|| entries.to_vec()).get_mut(at)
                {
                    place.value = now;
                }
            }
            Data::Map(changed?.into())
        }
        _ => return None,
    };
    Some(Node { span: node.span, data })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::parse::Entry;
    use crate::text::Span;

    fn renamed(run: Node, from: &str, to: &str) -> Node {
        let Data::Map(entries) = &run.data else { return run };
        let entry = |entry: &Entry| {
            let mut entry = entry.clone();
            if &*entry.key.text == from {
                entry.key.text = to.into();
            }
            entry
        };
        Node { span: run.span, data: Data::Map(entries.iter().map(entry).collect()) }
    }

    /// Three made-up versions before this one: each calls the turns something else.
    const MADE_UP: [Step; 3] = [
        Step { from: Written::Number("0.1"), to: "0.1", change: same },
        Step { from: Written::Text("0.1"), to: "0.2", change: |run| renamed(run, "steps", "events") },
        Step { from: Written::Text("0.2"), to: "1.0", change: |run| renamed(run, "events", "execution") },
    ];

    fn brought(value: &Value) -> Value {
        let node = Node::from_value(value, Span::default());
        through(&node, &MADE_UP).unwrap_or(node).to_value()
    }

    #[test]
    fn an_old_version_goes_through_every_step() {
        let now = json!({"version": "1.0", "execution": [1]});
        assert_eq!(brought(&json!({"version": 0.1, "steps": [1]})), now);
        assert_eq!(brought(&json!({"version": "0.1", "steps": [1]})), now);
        assert_eq!(brought(&json!({"version": "0.2", "events": [1]})), now);
        assert_eq!(brought(&now), now);
    }

    #[test]
    fn what_is_of_no_known_version_stays() {
        for value in [json!({"version": "2.0", "steps": []}), json!({"steps": []}), json!([1])] {
            assert_eq!(brought(&value), value);
        }
    }

    #[test]
    fn a_run_inside_is_of_its_own_version_or_of_that_around_it() {
        let turn = |run: Value| json!({"tool_call": {"result": {"nested_transcript": run}}});
        let old = json!({
            "version": "0.2",
            "events": [],
            "nested": {"a": {"events": []}, "b": {"version": "0.1", "steps": []}},
        });
        let new = json!({
            "version": "1.0",
            "execution": [],
            "nested": {"a": {"execution": []}, "b": {"version": "1.0", "execution": []}},
        });
        assert_eq!(brought(&old), new);
        let old = json!({"version": "0.1", "steps": [turn(json!({"steps": []}))]});
        let new = json!({"version": "1.0", "execution": [turn(json!({"execution": []}))]});
        assert_eq!(brought(&old), new);
        let old = json!({"version": "1.0", "execution": [turn(json!({"version": "0.1", "steps": []}))]});
        let new = json!({"version": "1.0", "execution": [turn(json!({"version": "1.0", "execution": []}))]});
        assert_eq!(brought(&old), new);
    }

    #[test]
    fn the_ways_to_write_the_present_version_are_one() {
        for version in [json!(1), json!(1.0), json!("1"), json!("1.0")] {
            let root = Node::from_value(&json!({"version": version, "execution": []}), Span::default());
            assert_eq!(upgrade(&root).get("version").unwrap().as_str(), Some(VERSION));
        }
    }

    #[test]
    fn a_circle_in_the_table_ends() {
        let circle = [
            Step { from: Written::Text("a"), to: "b", change: same },
            Step { from: Written::Text("b"), to: "a", change: same },
        ];
        let root = Node::from_value(&json!({"version": "a"}), Span::default());
        assert_eq!(through(&root, &circle).unwrap_or(root).get("version").unwrap().as_str(), Some("a"));
    }
}
