//! T502: a field of an assertion is missing, unknown or of the wrong kind; the table of the types says
//! which there are.

use super::facts::Facts;
use super::written_assertion::Written;
use super::{fixes, wrong_type};
use crate::check::below_zero;
use crate::diagnostic::{Applicability, Diagnostic, Fix, Severity, closest, codes};
use crate::model::{
    ASSERTION_FIELDS, AssertionType, Field, ROLES, Role, SEQUENCE_MODES, Shape, assertion_type,
    resolve_field_alias,
};
use crate::text::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    // Without the text there is nothing to point at, and the fields are data that was made, not written.
    if facts.root.is_none() {
        return;
    }
    for written in &facts.assertions {
        match (written.name, written.kind()) {
            (_, Some(kind)) => fields(facts, written, kind, found),
            (None, _) => found.push(untyped(facts, written)),
            // A type that is not known is told by a rule of its own.
            (Some(_), None) => {}
        }
    }
}

fn fields(facts: &Facts<'_>, written: &Written<'_>, kind: &AssertionType, found: &mut Vec<Diagnostic>) {
    let name = kind.name;
    let place = written.name.map_or(written.assertion.span, |(_, span)| span);
    for field in kind.fields.iter().filter(|field| field.required) {
        let is_there = written.assertion.data.get(field.name);
        let is_there = is_there.is_some_and(|value| !value.is_null() || matches!(field.shape, Shape::Any));
        if !is_there && !written.fields.iter().any(|(key, _, _)| closest(key, [field.name]).is_some()) {
            let message = format!("`{name}` has no `{}`", field.name);
            found.push(new(Severity::Error, place, message).help(format!("add `{}: ...`", field.name)));
        }
    }
    if !kind.one_of.is_empty() && kind.one_of.iter().all(|field| written.value(field).is_none()) {
        let names: Vec<String> = kind.one_of.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("`{name}` has none of {}", names.join(", "));
        found.push(new(Severity::Error, place, message).help("add the number"));
    }
    for &(key, span, node) in &written.fields {
        let known = kind.fields.iter().chain(ASSERTION_FIELDS).find(|field| field.name == key);
        let meant =
            resolve_field_alias(kind, key).filter(|meant| !written.assertion.data.contains_key(*meant));
        if let Some(meant) = meant {
            let message = format!("`{name}` calls `{key}` `{meant}`");
            let word = fixes::word(facts.source, meant);
            found.push(new(Severity::Info, span, message).help(format!("write `{meant}: ...`")).fix(
                Applicability::Safe,
                format!("rename to `{meant}`"),
                span,
                word,
            ));
        }
        let known = known.or_else(|| kind.fields.iter().find(|field| Some(field.name) == meant));
        let Some(field) = known else {
            found.push(unknown(facts, key, span, kind.fields, name));
            continue;
        };
        if node.is_null() {
            continue;
        }
        let mut wrong = Vec::new();
        wrong_type::check(facts.source, node, field.shape, &format!("`{key}` of `{name}`"), &mut wrong);
        if let Shape::List(inner) = field.shape {
            let what = format!("an item of `{key}`");
            for item in node.items() {
                wrong_type::check(facts.source, item, inner, &what, &mut wrong);
            }
        }
        found.extend(wrong.into_iter().map(|it| Diagnostic { code: codes::ASSERTION_FIELDS, ..it }));
    }
    if name.ends_with("contains")
        && written.text("pattern") == Some("")
        && let Some(node) = written.node("pattern")
    {
        let message = "`pattern` is empty, and every text contains that".to_owned();
        found.push(new(Severity::Error, node.span, message).help("write what the text has to say"));
    }
    if let Some((message, node)) =
        written.number("value").and_then(|value| below_zero(name, value)).zip(written.node("value"))
    {
        found.push(new(Severity::Error, node.span, message).help("write how many there may be"));
    }
    if let Some(role) = unknown_role(facts, written) {
        let span = written.span("role");
        let diagnostic = new(Severity::Error, span, format!("there is no role `{role}`"));
        found.push(match closest(role, ROLES) {
            Some(meant) => diagnostic.did_you_mean("change to", facts.source, span, meant),
            None => diagnostic.help(format!("the roles are {}", ROLES.join(", "))),
        });
    }
    if let Some((mode, node)) = written.text("mode").zip(written.node("mode"))
        && name == "tool_sequence"
        && !SEQUENCE_MODES.contains(&mode)
    {
        let diagnostic = new(Severity::Error, node.span, format!("unknown mode `{mode}`"));
        found.push(match closest(mode, SEQUENCE_MODES) {
            Some(meant) => diagnostic.did_you_mean("change to", facts.source, node.span, meant),
            None => diagnostic.help(format!("the modes are {}", SEQUENCE_MODES.join(", "))),
        });
    }
}

/// The role that a count asks for and no message can have, unless one of the run has it.
pub(super) fn unknown_role<'t>(facts: &Facts<'_>, written: &Written<'t>) -> Option<&'t str> {
    let role = written.text("role").filter(|role| matches!(Role::new(role), Role::Other(_)))?;
    let is_there = facts.messages.iter().any(|(_, message)| message.role.value.name() == role);
    (!is_there && matches!(written.name, Some(("message_count", _)))).then_some(role)
}

fn unknown(facts: &Facts<'_>, key: &str, span: Span, fields: &[Field], name: &str) -> Diagnostic {
    let message = format!("`{name}` has no field `{key}`");
    match closest(key, fields.iter().map(|field| field.name)) {
        Some(meant) => {
            new(Severity::Warning, span, message).did_you_mean("rename to", facts.source, span, meant)
        }
        None => {
            let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
            let help = match names.is_empty() {
                true => "it needs no fields".to_owned(),
                false => format!("its fields are {}", names.join(", ")),
            };
            new(Severity::Warning, span, message).help(help)
        }
    }
}

/// The diagnostic for an assertion without a type, which in the full form may be a short one.
fn untyped(facts: &Facts<'_>, written: &Written<'_>) -> Diagnostic {
    let span = written.assertion.span;
    if let Some(node) = written.odd {
        let message = format!("an assertion is a map, but this is {}", node.kind_name());
        return new(Severity::Error, node.span, message).help("write `{type: contains, pattern: \"72\"}`");
    }
    let key = written.fields.iter().find_map(|field| Some((field, assertion_type(field.0)?)));
    let Some(((name, key, value), kind)) = key else {
        let place = written.fields.first().map_or(span, |(_, key, _)| *key);
        return new(Severity::Error, place, "the assertion has no `type`".to_owned())
            .help("add `type: contains` or another type of the table");
    };
    let mut diagnostic = new(Severity::Error, *key, "the assertion has no `type`".to_owned())
        .help(format!("in the full form, write `type: {name}`"));
    let is_open = span.slice(facts.source).starts_with('{');
    if let (true, Some(short), false) = (is_open, kind.short, value.is_map()) {
        let word = |text| fixes::word(facts.source, text);
        let text = format!("{}: {}, {}", word("type"), word(name), word(short));
        diagnostic.fixes.push(Fix {
            title: "write it in full".to_owned(),
            applicability: Applicability::Safe,
            edits: vec![crate::diagnostic::Edit { span: *key, text }],
        });
    }
    diagnostic
}

fn new(severity: Severity, span: Span, message: String) -> Diagnostic {
    Diagnostic::new(codes::ASSERTION_FIELDS, severity, span, message)
}
