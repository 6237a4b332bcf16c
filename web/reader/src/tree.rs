//! The agent's state after a step as the rows of a tree, each with what the step did to it.

use serde_json::{Map, Value};
use transcript_core::replay::Timeline;
use transcript_core::text::{Set, json_line};
use transcript_core::view::{ChangeKind, StateTree, StateTreeRow, StateValueKind};

use crate::nested_run::short;

/// The most rows; the filter finds the others.
const ROWS: usize = 2_000;

struct Tree<'a> {
    only_changes: bool,
    /// In lower case.
    filter: &'a str,
    toggled: Set<&'a str>,
    rows: Vec<StateTreeRow>,
    /// The rows that there is no room for.
    more: usize,
}

/// The visible rows: containers are open where the step changed something in them, or where the page toggled them.
pub(crate) fn answer(
    timeline: &Timeline,
    step: usize,
    only_changes: bool,
    filter: &str,
    toggled: &[String],
) -> StateTree {
    let state = |step: usize| {
        let agents = timeline.agent_contexts_at(step);
        let agents: Vec<(String, Map<String, Value>)> =
            agents.map(|(agent, context)| (format!("@{agent}"), context)).collect();
        (Value::Object(timeline.context_at(step)), agents)
    };
    let (after, own) = state(step);
    let (before, own_before) = if step == 0 { (after.clone(), own.clone()) } else { state(step - 1) };
    let filter = filter.trim().to_lowercase();
    let toggled = toggled.iter().map(String::as_str).collect();
    let mut tree = Tree { only_changes, filter: &filter, toggled, rows: Vec::new(), more: 0 };
    tree.children("", 0, Some(&before), Some(&after));
    for ((name, after), (_, before)) in own.into_iter().zip(own_before) {
        tree.node(&name, &name, 0, Some(&Value::Object(before)), Some(&Value::Object(after)));
    }
    let changes = changes(Some(&before), Some(&after));
    StateTree { rows: tree.rows, more: tree.more, changes, keys: after.as_object().map_or(0, Map::len) }
}

/// The number of values that differ.
fn changes(before: Option<&Value>, after: Option<&Value>) -> usize {
    if before == after {
        return 0;
    }
    match (before, after) {
        (Some(Value::Object(_)), Some(Value::Object(_))) | (Some(Value::Array(_)), Some(Value::Array(_))) => {
            names(before, after).iter().map(|name| changes(child(before, name), child(after, name))).sum()
        }
        _ => 1,
    }
}

/// The children of a container: those that are there after the step in their order, then those that are gone.
fn names(before: Option<&Value>, after: Option<&Value>) -> Vec<String> {
    let length = |value: Option<&Value>| value.and_then(Value::as_array).map_or(0, Vec::len);
    let keys = |value: Option<&Value>| {
        value.and_then(Value::as_object).map(|map| map.keys().cloned().collect::<Vec<_>>())
    };
    let mut out = keys(after).unwrap_or_default();
    let gone = keys(before).unwrap_or_default();
    let known = after.and_then(Value::as_object);
    out.extend(gone.into_iter().filter(|key| known.is_none_or(|known| !known.contains_key(key))));
    out.extend((0..length(after).max(length(before))).map(|at| at.to_string()));
    out
}

fn child<'v>(value: Option<&'v Value>, name: &str) -> Option<&'v Value> {
    match value? {
        Value::Object(map) => map.get(name),
        Value::Array(list) => list.get(name.parse::<usize>().ok()?),
        _ => None,
    }
}

/// The path of a child: `user.name`, `items[0]`, `["a key"]`.
fn path_of(parent: &str, name: &str, in_list: bool) -> String {
    let is_plain =
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-' || c == '$');
    match (in_list, is_plain, parent.is_empty()) {
        (true, ..) => format!("{parent}[{name}]"),
        (_, true, true) => name.to_owned(),
        (_, true, false) => format!("{parent}.{name}"),
        (_, false, _) => format!("{parent}[{}]", Value::String(name.to_owned())),
    }
}

/// The names in a path; `None` for what is no path.
pub(crate) fn split(path: &str) -> Option<Vec<String>> {
    let mut out = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('[').filter(|quoted| quoted.starts_with('"')) {
            let mut values = serde_json::Deserializer::from_str(quoted).into_iter::<String>();
            out.push(values.next()?.ok()?);
            rest = quoted.get(values.byte_offset()..)?.strip_prefix(']')?;
        } else if let Some(inside) = rest.strip_prefix('[') {
            let (index, after) = inside.split_once(']')?;
            out.push(index.to_owned());
            rest = after;
        } else {
            let bare = rest.strip_prefix('.').unwrap_or(rest);
            let end = bare.find(['.', '[']).unwrap_or(bare.len());
            let (name, after) = bare.split_at(end);
            if name.is_empty() {
                return None;
            }
            out.push(name.to_owned());
            rest = after;
        }
    }
    Some(out).filter(|names| !names.is_empty())
}

/// The value that names lead to.
pub(crate) fn value_at<'v>(value: Option<&'v Value>, names: &[String]) -> Option<&'v Value> {
    names.iter().try_fold(value?, |value, name| child(Some(value), name))
}

impl Tree<'_> {
    fn children(&mut self, parent: &str, depth: usize, before: Option<&Value>, after: Option<&Value>) {
        let in_list = after.or(before).is_some_and(Value::is_array);
        for name in names(before, after) {
            let path = path_of(parent, &name, in_list);
            self.node(&path, &name, depth, child(before, &name), child(after, &name));
        }
    }

    fn node(&mut self, path: &str, name: &str, depth: usize, before: Option<&Value>, after: Option<&Value>) {
        let change = match (before, after) {
            (None, _) => Some(ChangeKind::Added),
            (_, None) => Some(ChangeKind::Removed),
            (before, after) if before == after => None,
            _ => Some(ChangeKind::Changed),
        };
        if self.only_changes && change.is_none() || !self.finds(path, before, after) {
            return;
        }
        let size = |value: Option<&Value>| match value {
            Some(Value::Object(map)) => map.len(),
            Some(Value::Array(list)) => list.len(),
            _ => 0,
        };
        let same_kind = before.is_none_or(Value::is_object) && after.is_none_or(Value::is_object)
            || before.is_none_or(Value::is_array) && after.is_none_or(Value::is_array);
        // A change of type is one change.
        let size = if same_kind { size(after).max(size(before)) } else { 0 };
        let usual = !self.filter.is_empty() || change == Some(ChangeKind::Changed);
        let open = size > 0 && (usual != self.toggled.contains(path));
        if self.rows.len() >= ROWS {
            self.more += 1;
            return;
        }
        let text = |value: Option<&Value>| value.map(|value| short(&json_line(value)));
        let kind = match after.or(before) {
            Some(Value::String(_)) => StateValueKind::String,
            Some(Value::Number(_)) => StateValueKind::Number,
            Some(Value::Null | Value::Bool(_)) => StateValueKind::Word,
            Some(Value::Array(_)) => StateValueKind::List,
            _ => StateValueKind::Map,
        };
        let is_gone_or_other = matches!(change, Some(ChangeKind::Changed | ChangeKind::Removed));
        self.rows.push(StateTreeRow {
            path: path.to_owned(),
            name: name.to_owned(),
            depth,
            change,
            kind,
            size,
            open,
            before: text(before.filter(|_| is_gone_or_other)),
            after: text(after),
        });
        if open {
            self.children(path, depth + 1, before, after);
        }
    }

    /// Whether the path, or a value at it or below, matches the query.
    fn finds(&self, path: &str, before: Option<&Value>, after: Option<&Value>) -> bool {
        let filter = self.filter;
        if filter.is_empty() || path.to_lowercase().contains(filter) {
            return true;
        }
        let is_container =
            |value: Option<&Value>| value.is_some_and(|value| value.is_object() || value.is_array());
        if is_container(before) || is_container(after) {
            let in_list = after.or(before).is_some_and(Value::is_array);
            return names(before, after).iter().any(|name| {
                self.finds(&path_of(path, name, in_list), child(before, name), child(after, name))
            });
        }
        [before, after].into_iter().flatten().any(|value| json_line(value).to_lowercase().contains(filter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::ReadDocument;
    use transcript_core::view::TabRequest;

    const RUN: &str = "execution:\n\
        - {turn: 1, type: message, state_changes: {context: {count: 1, user: {name: Ann, age: 40}, list: [1, 2]}}, message_created: {role: user, content: Hi}}\n\
        - {turn: 2, type: message, state_changes: {context: {count: 2, user: {name: Ann, age: 41}, list: [1]}}, message_created: {role: user, content: Ho}}\n\
        - {turn: 3, type: message, state_changes: {context: {'a key': {x: 1}}, context_removed: [count]}, message_created: {role: user, content: Ha}}\n";

    fn state(at: usize, only_changes: bool, filter: &str, toggled: &[&str]) -> StateTree {
        let toggled = toggled.iter().map(|path| (*path).to_owned()).collect();
        let request = TabRequest::State { only_changes, filter: filter.to_owned(), toggled };
        serde_json::from_value(ReadDocument::new(RUN).look(at, request).unwrap()).unwrap()
    }

    fn rows(at: usize, only_changes: bool, filter: &str, toggled: &[&str]) -> Vec<String> {
        let rows = state(at, only_changes, filter, toggled).rows.into_iter();
        rows.map(|row| {
            let mark = match row.change {
                None => "",
                Some(ChangeKind::Added) => "+",
                Some(ChangeKind::Changed) => "~",
                Some(ChangeKind::Removed) => "-",
            };
            let text = |value: Option<String>| value.unwrap_or_default();
            format!("{mark}{} {}>{}", row.path, text(row.before), text(row.after))
        })
        .collect()
    }

    #[test]
    fn a_changed_container_is_open_down_to_the_change() {
        assert_eq!(
            rows(2, false, "", &[]),
            [
                "~count 1>2",
                "~user {\"name\": \"Ann\", \"age\": 40}>{\"name\": \"Ann\", \"age\": 41}",
                "user.name >\"Ann\"",
                "~user.age 40>41",
                "~list [1, 2]>[1]",
                "list[0] >1",
                "-list[1] 2>",
            ]
        );
        assert_eq!(rows(2, true, "", &["list"]).len(), 4);
        assert_eq!(state(2, false, "", &[]).changes, 3);
    }

    #[test]
    fn removed_keys_come_last_and_odd_ones_are_quoted() {
        assert_eq!(
            rows(3, false, "", &[]),
            ["user >{\"name\": \"Ann\", \"age\": 41}", "list >[1]", "+[\"a key\"] >{\"x\": 1}", "-count 2>"]
        );
        assert_eq!(rows(3, false, "", &["[\"a key\"]"])[3], "+[\"a key\"].x >1");
    }

    #[test]
    fn the_filter_finds_paths_and_values() {
        assert_eq!(
            rows(2, false, "AGE", &[]),
            ["~user {\"name\": \"Ann\", \"age\": 40}>{\"name\": \"Ann\", \"age\": 41}", "~user.age 40>41"]
        );
        assert_eq!(rows(2, false, "ann", &[]).len(), 2);
        assert_eq!(rows(2, false, "zzz", &[]).len(), 0);
    }

    #[test]
    fn paths_are_taken_apart_as_they_are_put_together() {
        let name = path_of(&path_of(&path_of("", "a", false), "odd \"]. key", false), "3", true);
        assert_eq!(split(&name).unwrap(), ["a", "odd \"]. key", "3"]);
        assert_eq!(split("@planner.count").unwrap(), ["@planner", "count"]);
        for no in ["", "a..b", "a[", "a[\"x"] {
            assert_eq!(split(no), None, "{no}");
        }
    }
}
