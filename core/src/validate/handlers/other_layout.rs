//! Remedies for parts of handlers with the wrong layout, a list instead of a map, the other way round, or a
//! text: for T104 here.

use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::model::{HANDLER, HANDLERS, Shape};
use crate::parse::{Data, Entry, Node};
use crate::text::Span;
use crate::validate::fixes;

/// Adds the remedy to a finding that `node` is not of the kind that `shape` requires.
pub(in super::super) fn remedy(
    source: &str,
    node: &Node,
    shape: &'static Shape,
    place: &str,
    diagnostic: &mut Diagnostic,
) {
    let (help, fix) = match &node.data {
        _ if std::ptr::eq(shape, &raw const HANDLERS) => {
            ("name each handler after its agent: `handlers: {bot: {type: ...}}`", None)
        }
        Data::Str(_) if place == "a handler" => (
            "write the handler here, or reuse one with an anchor `bot: &bot {type: ...}` and the alias `*bot`",
            None,
        ),
        Data::Str(_) | Data::Seq(_) if std::ptr::eq(shape, &raw const HANDLER) => {
            ("write `{type: queue, responses: [...]}` to return them in order", queue(source, node))
        }
        Data::Seq(items) if place == "`states`" => {
            ("write a map of states by name: `greeting: {respond: ...}`", named(source, items))
        }
        Data::Map(_) if place == "`rules`" => (
            "write a list of rules: `- {when: {last_user_contains: ...}, respond: ...}`",
            listed(source, node, Applicability::Suggested, |key, value| {
                format!("{{when: {{last_user_contains: {key}}}, respond: {value}}}")
            }),
        ),
        Data::Map(_) if place == "`transitions`" => (
            "write a list of transitions: `- {to: ..., when: ...}`",
            listed(source, node, Applicability::Safe, |key, value| format!("{{to: {key}, when: {value}}}")),
        ),
        Data::Str(_) if matches!(place, "a tool call" | "a call") => {
            ("write `{name: ..., arguments: {}}`", None)
        }
        Data::Seq(_) if place == "a rule" => ("write `{when: ..., respond: ...}`", None),
        _ => return,
    };
    diagnostic.help = Some(help.to_owned());
    diagnostic.fixes = fix.into_iter().collect();
}

/// Makes a queue of a text, or of a list on one line.
fn queue(source: &str, node: &Node) -> Option<Fix> {
    // In JSON all keys are in quotes, and values on several lines have their own indentation.
    if source.trim_start().starts_with('{') {
        return None;
    }
    let written = node.span.slice(source);
    let text = match &node.data {
        Data::Str(text) if !written.contains('\n') => fixes::word(source, text),
        Data::Seq(_) => written.strip_prefix('[')?.strip_suffix(']')?.to_owned(),
        _ => return None,
    };
    let text = format!("{{type: queue, responses: [{text}]}}");
    let edits = vec![Edit { span: node.span, text }];
    Some(Fix { title: "change to a queue".to_owned(), applicability: Applicability::Safe, edits })
}

/// Makes a map of a list in block style. Each item has its `name` first.
fn named(source: &str, items: &[Node]) -> Option<Fix> {
    let edits = items.iter().map(|item| name_before(source, item)).collect::<Option<Vec<Edit>>>()?;
    let first = edits.first()?.span.start as usize;
    // The entries of a map are deeper than its key; those of a list need not be.
    let before = source.get(..first)?;
    let (above, blank) = before.rsplit_once('\n')?;
    let key = above.trim_end().rsplit('\n').next()?;
    let is_deeper = key.len() - key.trim_start().len() < blank.len();
    let title = "change to a map".to_owned();
    (key.trim_start().starts_with("states") && is_deeper).then_some(Fix {
        title,
        applicability: Applicability::Safe,
        edits,
    })
}

fn name_before(source: &str, item: &Node) -> Option<Edit> {
    let [first, second, ..] = item.entries() else { return None };
    let name = first.value.as_str().filter(|_| &*first.key.text == "name")?;
    let before = source.get(..item.span.start as usize)?;
    let dash =
        before.rfind('-').filter(|dash| before.get(dash + 1..).is_some_and(|gap| gap.trim().is_empty()))?;
    let name = fixes::word(source, name);
    Some(if item.span.slice(source).starts_with('{') {
        Edit { span: Span::new(dash, second.key.span.start as usize), text: format!("{name}: {{") }
    } else {
        Edit { span: Span::new(dash, first.value.span.end as usize), text: format!("{name}:") }
    })
}

/// Makes a list of a map with each value on one line.
fn listed(
    source: &str,
    node: &Node,
    applicability: Applicability,
    item: impl Fn(&str, &str) -> String,
) -> Option<Fix> {
    if source.trim_start().starts_with('{') {
        return None;
    }
    let is_flow = node.span.slice(source).starts_with('{');
    let piece = |entry: &Entry| {
        let written = entry.value.span.slice(source);
        let value = match &entry.value.data {
            Data::Str(text) if !text.contains('\n') => fixes::word(source, text),
            Data::Map(_) if written.starts_with('{') => written.to_owned(),
            _ => return None,
        };
        let span = Span { start: entry.key.span.start, end: entry.value.span.end };
        let dash = if is_flow { "" } else { "- " };
        Some(Edit { span, text: format!("{dash}{}", item(&fixes::word(source, &entry.key.text), &value)) })
    };
    let mut edits = node.entries().iter().map(piece).collect::<Option<Vec<Edit>>>()?;
    if is_flow {
        let items: Vec<String> = edits.into_iter().map(|edit| edit.text).collect();
        edits = vec![Edit { span: node.span, text: format!("[{}]", items.join(", ")) }];
    }
    Some(Fix { title: "change to a list".to_owned(), applicability, edits })
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::apply;
    use crate::document::{Document, Limits};

    /// The document with the fixes of its findings applied; none when there is no fix.
    fn mended(text: &str) -> Option<String> {
        let document = Document::open(text, &Limits::default());
        let faults: Vec<_> = document.diagnostics().iter().filter(|found| found.code == "T104").collect();
        assert_eq!(faults.len(), 1, "{text}");
        let out = apply(text, &faults[0].fixes.first()?.edits).unwrap();
        assert!(Document::open(&out, &Limits::default()).is_ok(), "{out}");
        Some(out)
    }

    #[test]
    fn texts_and_lists_become_queues() {
        let cases = [
            ("handlers: {a: hello}", "handlers: {a: {type: queue, responses: [hello]}}"),
            ("handlers:\n  a: 'Hi, you'\n", "handlers:\n  a: {type: queue, responses: [\"Hi, you\"]}\n"),
        ];
        for (text, out) in cases {
            assert_eq!(mended(text).as_deref(), Some(out));
        }
        assert_eq!(mended("handlers:\n  a:\n    - hello\n    - bye\n"), None);
        assert_eq!(mended("{\"handlers\": {\"a\": \"hello\"}}"), None);
    }

    #[test]
    fn states_get_their_names_before_them() {
        let machine = |states: &str| {
            format!("handlers:\n  a:\n    type: state_machine\n    initial: b\n    states:\n{states}")
        };
        assert_eq!(
            mended(&machine("      - {name: b, respond: Hi}\n      - name: c # why\n        respond: Ho\n")),
            Some(machine("      b: {respond: Hi}\n      c: # why\n        respond: Ho\n"))
        );
        // At the indentation of the key they would be its siblings.
        assert_eq!(mended(&machine("    - name: b\n      respond: Hi\n")), None);
        assert_eq!(mended(&machine("      - respond: Hi\n        name: b\n")), None);
    }

    #[test]
    fn maps_become_lists() {
        let rules = |rules: &str| format!("handlers:\n  a:\n    type: conditional\n    rules:{rules}");
        let wet = "{when: {last_user_contains: wet}, respond: Rain}";
        assert_eq!(mended(&rules(" {wet: Rain}\n")), Some(rules(&format!(" [{wet}]\n"))));
        assert_eq!(mended(&rules("\n      wet: Rain\n")), Some(rules(&format!("\n      - {wet}\n"))));
        assert_eq!(mended(&rules("\n      wet:\n        content: Rain\n")), None);
    }
}
