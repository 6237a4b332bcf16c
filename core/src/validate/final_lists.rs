//! T304 and T305: the final lists of all messages and of the visible ones differ from the result of the
//! turns.

use super::facts::{Facts, at, final_key};
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity, codes};
use crate::model::{Spanned, State, Text};
use crate::parse::Node;
use crate::text::{Set, Span, Table};

/// The maximum number of reported messages of one list.
const MOST: usize = 10;

/// Checks the stated end of the document; `state` is the state at the end.
pub(super) fn check(facts: &Facts<'_>, state: &State, found: &mut Vec<Diagnostic>) {
    let (Some(root), Some(end)) = (facts.root, &facts.transcript.end) else { return };
    let node = |key: &str| at(root, &["final_state", key]);
    if let Some(node) = node("message_store") {
        let ids = state.store().iter().map(|(id, _)| &**id).collect();
        let place = final_key(root, "message_store").unwrap_or(node.span);
        let name = "the final message store";
        let list = List { code: codes::FINAL_STORE, name, node, place, stated: &end.store };
        list.check(facts, ids, found);
    }
    if let (Some(node), Some(stated)) = (node("visible_messages"), &end.visible) {
        let ids = state.visible().map(|id| &**id).collect();
        let place = final_key(root, "visible_messages").unwrap_or(node.span);
        let name = "the list of visible messages";
        let list = List { code: codes::FINAL_VISIBLE, name, node, place, stated };
        list.check(facts, ids, found);
    }
}

struct List<'t> {
    code: &'static str,
    name: &'static str,
    node: &'t Node,
    /// The place of a diagnostic about the whole list.
    place: Span,
    stated: &'t [Spanned<Text>],
}

impl List<'_> {
    fn check(&self, facts: &Facts<'_>, wanted: Vec<&str>, found: &mut Vec<Diagnostic>) {
        let places: Table<&str, usize> =
            crate::text::collect_one_by_one(wanted.iter().enumerate().map(|(at, id)| (*id, at)));
        let mut listed = Set::new();
        let mut reported = Vec::new();
        let mut last = None;
        let mut is_ordered = true;
        let in_row = self.node.items().len() == self.stated.len();
        for (index, id) in self.stated.iter().enumerate() {
            if reported.len() >= MOST {
                break;
            }
            let remove = || fixes::remove_item(facts.source, self.node, index).filter(|_| in_row);
            match places.get(&*id.value) {
                // The rule for references reports a name that is not a message.
                None if facts.find(&id.value).is_none() => {}
                None => {
                    let message = format!("`{}` is listed as visible, but is hidden at the end", id.value);
                    let help = "show it with `state_changes`, or remove it from the list";
                    reported.push(self.about(id, message, help, remove().map(|edit| ("remove it", edit))));
                }
                Some(_) if !listed.insert(&*id.value) => {
                    let message = format!("{} lists `{}` twice", self.name, id.value);
                    reported.push(self.about(
                        id,
                        message,
                        "remove one of them",
                        remove().map(|edit| ("remove it", edit)),
                    ));
                }
                Some(place) => {
                    if is_ordered && last.is_some_and(|last| last > *place) {
                        is_ordered = false;
                        let message = format!("{} has `{}` in the wrong position", self.name, id.value);
                        reported.push(self.about(
                            id,
                            message,
                            "list the messages in the order of the run",
                            None,
                        ));
                    }
                    last = Some(*place);
                }
            }
        }
        // An unknown id takes the place of a missing one.
        let is_read = self.stated.iter().all(|id| facts.find(&id.value).is_some());
        let missing: Vec<&str> = wanted
            .into_iter()
            .filter(|id| is_read && reported.len() < MOST && !listed.contains(id))
            .collect();
        if let Some(first) = missing.first() {
            let message = match missing.len() {
                1 => format!("`{first}` is missing in {0}", self.name),
                count => format!("{count} messages are missing in {0}, starting with `{first}`", self.name),
            };
            let diagnostic = Diagnostic::new(self.code, Severity::Warning, self.place, message)
                .help("list all messages of the run");
            // One that belongs in the middle has to be put there by hand.
            let all_last = missing.iter().all(|id| places.get(id).copied() > last || last.is_none());
            let edit = (missing.len() == 1 && all_last).then(|| self.add(facts, first)).flatten();
            reported.push(with(diagnostic, edit.map(|edit| ("add it", edit))));
        }
        found.append(&mut reported);
    }

    fn about(
        &self,
        id: &Spanned<Text>,
        message: String,
        help: &str,
        edit: Option<(&str, Edit)>,
    ) -> Diagnostic {
        with(Diagnostic::new(self.code, Severity::Warning, id.span, message).help(help), edit)
    }

    /// The message at the end of the list, in the way the others are written.
    fn add(&self, facts: &Facts<'_>, id: &str) -> Option<Edit> {
        let id = fixes::word(facts.source, id);
        let as_map = self.node.items().last().map_or(self.code == codes::FINAL_STORE, Node::is_map);
        let is_open = !self.node.span.slice(facts.source).starts_with('[');
        let key = fixes::word(facts.source, "ref");
        let item = match (as_map, is_open) {
            (true, true) => format!("{key}: {id}"),
            (true, false) => format!("{{{key}: {id}}}"),
            (false, _) => id,
        };
        fixes::append_item(facts.source, self.node, &item)
    }
}

fn with(mut diagnostic: Diagnostic, edit: Option<(&str, Edit)>) -> Diagnostic {
    diagnostic.fixes.extend(edit.map(|(title, edit)| Fix {
        title: title.to_owned(),
        applicability: Applicability::Suggested,
        edits: vec![edit],
    }));
    diagnostic
}
