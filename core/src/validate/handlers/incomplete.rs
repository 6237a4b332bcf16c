//! T602: a handler lacks what its type needs. The walk reports a single missing key.

use super::Surroundings;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::handlers::{Handler, HandlerKind};
use crate::text::Span;

pub(super) fn check(
    surroundings: &Surroundings<'_>,
    handler: &Handler,
    name: &str,
    found: &mut Vec<Diagnostic>,
) {
    let Span { start, .. } = handler.span;
    let span = Span::new(start as usize, (start as usize).saturating_add(1).min(handler.span.end as usize));
    let error = |message: String| Diagnostic::new(codes::HANDLER_INCOMPLETE, Severity::Error, span, message);
    match &handler.kind {
        HandlerKind::Unknown if handler.type_name.is_none() => {
            let diagnostic = error(format!("{name} has no `type`"));
            let text = handler.span.slice(surroundings.source);
            let Some(meant) = guess(text.trim_start_matches('{')) else {
                found.push(diagnostic.help("add a type, such as `type: queue`"));
                return;
            };
            let title = format!("add `type: {meant}`");
            let diagnostic = diagnostic.help(title.clone());
            found.push(match place(surroundings.source, handler.span) {
                Some((at, after)) => diagnostic.fix(
                    Applicability::Suggested,
                    title,
                    Span::empty(at),
                    format!("type: {meant}{after}"),
                ),
                None => diagnostic,
            });
        }
        HandlerKind::Conditional { rules: Some(rules), .. } => {
            for rule in &rules.value {
                let (message, help) = match (&rule.respond, &rule.handler) {
                    (None, None) => {
                        ("a rule has no `respond`", "add `respond: ...`, or `handler: {type: ...}`")
                    }
                    (Some(_), Some(_)) => ("a rule has both `respond` and `handler`", "keep one of them"),
                    _ => continue,
                };
                let start = rule.span.start as usize;
                let span = Span::new(start, (start + 1).min(rule.span.end as usize));
                found.push(
                    Diagnostic::new(codes::HANDLER_INCOMPLETE, Severity::Error, span, message).help(help),
                );
            }
        }
        HandlerKind::Transcript { entries: None, source: None } => found.push(
            error(format!("{name} has neither `entries` nor `source`"))
                .help("add messages to `entries`, or a file to `source`"),
        ),
        HandlerKind::Transcript { entries: Some(entries), source: Some(source) } => found.push(
            Diagnostic::new(
                codes::HANDLER_INCOMPLETE,
                Severity::Warning,
                source.span,
                format!("{name} has both `entries` and `source`"),
            )
            .related(entries.span, "these entries are used")
            .help("keep one of them"),
        ),
        _ => {}
    }
}

/// Where a first key can be inserted into a map of YAML with others, and what follows it there.
fn place(source: &str, map: Span) -> Option<(usize, String)> {
    let start = map.start as usize;
    if let Some(inside) = map.slice(source).strip_prefix('{') {
        // JSON has its keys in quotes.
        return (!inside.trim_start().starts_with('"')).then(|| (start + 1, ", ".to_owned()));
    }
    let before = source.get(..start)?;
    let line = before.get(before.rfind('\n').map_or(0, |newline| newline + 1)..)?;
    let is_indent = line.chars().all(|c| matches!(c, ' ' | '-'));
    is_indent.then(|| (start, format!("\n{}", " ".repeat(line.len()))))
}

/// The type with a first key that the text begins with.
fn guess(text: &str) -> Option<&'static str> {
    let key = text.trim_start().split(':').next()?.trim_matches(['"', '\'', ' ']);
    Some(match key {
        "responses" => "queue",
        "rules" | "default" => "conditional",
        "entries" | "source" => "transcript",
        "initial" | "states" => "state_machine",
        "strategy" | "handlers" => "composite",
        "calls" => "tool_sequence",
        "respond" => "repeat",
        "error" => "fail",
        "handler" => "recording",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::apply;
    use crate::document::{Document, Limits};

    #[test]
    fn a_type_is_put_before_the_other_keys() {
        let cases = [
            ("handlers: {a: {responses: [Hi]}}", "handlers: {a: {type: queue, responses: [Hi]}}"),
            ("handlers:\n  a:\n    calls: []\n", "handlers:\n  a:\n    type: tool_sequence\n    calls: []\n"),
            (
                "handlers:\n  a:\n    type: composite\n    handlers:\n      - respond: Hi\n",
                "handlers:\n  a:\n    type: composite\n    handlers:\n      - type: repeat\n        respond: Hi\n",
            ),
        ];
        for (text, mended) in cases {
            let document = Document::open(text, &Limits::default());
            let found = document.diagnostics().iter().find(|found| found.code == "T602").unwrap();
            assert_eq!(apply(text, &found.fixes[0].edits).unwrap(), mended);
        }
    }
}
