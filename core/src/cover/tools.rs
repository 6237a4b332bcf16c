//! Tools that are declared and never called, and the other way round.

use super::{Coverage, Covered, Unused, UnusedKind};
use crate::parse::Node;
use crate::text::{Set, Span, Table};

/// A tool is covered when any of the documents calls it.
pub(super) fn check(documents: &[Covered<'_>], out: &mut Coverage) {
    let mut called: Set<&str> = Set::new();
    for transcript in documents.iter().filter_map(|document| document.transcript) {
        let runs = transcript.turns.iter();
        for turn in runs {
            let answers = turn.response.iter().flat_map(|response| &response.tool_calls);
            let stored = turn.created.iter().flat_map(|created| &created.tool_calls);
            called.extend(answers.chain(stored).map(|call| &*call.name.value));
        }
        let initial = transcript.initial.iter().flat_map(|message| &message.tool_calls);
        called.extend(initial.map(|call| &*call.name.value));
    }
    let mut counted: Set<String> = Set::new();
    for (index, document) in documents.iter().enumerate() {
        let declared = declared(document);
        for (name, span) in &declared {
            let is_called = called.contains(name.as_str());
            if counted.insert(name.clone()) {
                out.tools.add(is_called);
            }
            if !is_called {
                push(out, UnusedKind::ToolNotCalled, index, document, name, None, *span);
            }
        }
        let Some(transcript) = document.transcript.filter(|_| !declared.is_empty()) else { continue };
        let mut reported: Set<&str> = Set::new();
        for (at, turn) in transcript.turns.iter().enumerate() {
            for call in turn.response.iter().flat_map(|response| &response.tool_calls) {
                let name: &str = &call.name.value;
                if !name.is_empty() && !declared.contains_key(name) && reported.insert(name) {
                    let span = Some(call.name.span);
                    push(out, UnusedKind::ToolNotDeclared, index, document, name, Some(at + 1), span);
                }
            }
        }
    }
}

fn push(
    out: &mut Coverage,
    kind: UnusedKind,
    index: usize,
    document: &Covered<'_>,
    name: &str,
    step: Option<usize>,
    span: Option<Span>,
) {
    let (file, name) = (document.name.to_owned(), name.to_owned());
    out.unused.push(Unused { kind, document: index, file, name, step, span });
}

/// The declared tools with their places.
fn declared(document: &Covered<'_>) -> Table<String, Option<Span>> {
    let list = document.root.and_then(|root| {
        root.get("agent_config").and_then(|config| config.get("tools")).or_else(|| root.get("tools"))
    });
    let name = |node: &Node| {
        let named = if node.is_map() { node.get("name")? } else { node };
        Some((named.as_str()?.to_owned(), Some(named.span)))
    };
    list.map(Node::items).unwrap_or_default().iter().filter_map(name).collect()
}
