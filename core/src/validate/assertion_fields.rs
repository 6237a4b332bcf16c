//! T502: a field of an assertion is missing, unknown or of the wrong kind, according to the table of types.

use super::facts::Facts;
use super::written_assertion::WrittenAssertion;
use super::{fixes, wrong_type};
use crate::check::FieldProblem;
use crate::diagnostic::{Applicability, Diagnostic, Fix, Severity, closest, codes};
use crate::model::{
    ASSERTION_FIELDS, AssertionType, Field, ROLES, Role, SEQUENCE_MODES, Shape, assertion_type,
    resolve_field_alias,
};
use crate::text::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    // Without the text there is no place, and the fields are generated data.
    if facts.root.is_none() {
        return;
    }
    for written in &facts.assertions {
        match (written.name, written.kind()) {
            (_, Some(kind)) => fields(facts, written, kind, found),
            (None, _) => found.push(untyped(facts, written)),
            // Another rule reports an unknown type.
            (Some(_), None) => {}
        }
    }
}

fn fields(
    facts: &Facts<'_>,
    written: &WrittenAssertion<'_>,
    kind: &AssertionType,
    found: &mut Vec<Diagnostic>,
) {
    let name = kind.name;
    for problem in written.fields.problems() {
        let message = problem.message(name);
        let span = match problem {
            FieldProblem::Missing(field) => {
                if written.places.iter().any(|(key, _, _)| closest(key, [field.name]).is_some()) {
                    continue;
                }
                written.name_span()
            }
            FieldProblem::NoneOf(_) => written.name_span(),
            FieldProblem::Unknown(unknown) => {
                for (key, span, _) in written.places.iter().filter(|(key, _, _)| *key == unknown) {
                    found.push(unknown_field(facts, key, *span, kind.fields, message.clone()));
                }
                continue;
            }
            FieldProblem::UnknownMode(mode) => {
                let error = new(Severity::Error, written.span("mode"), message);
                found.push(suggest(facts, error, mode, ("modes", &SEQUENCE_MODES)));
                continue;
            }
            FieldProblem::EmptyPattern if name != "matches" => written.span("pattern"),
            FieldProblem::Negative(..) => written.span("value"),
            // Found elsewhere: the type and the pattern by other rules, the kinds of the values below.
            FieldProblem::NoType
            | FieldProblem::UnknownType(_)
            | FieldProblem::EmptyPattern
            | FieldProblem::WrongKind(..) => continue,
        };
        found.push(Diagnostic { help: problem.help(), ..new(Severity::Error, span, message) });
    }
    for &(key, span, node) in &written.places {
        let meant = resolve_field_alias(kind, key)
            .filter(|meant| !written.fields.assertion.data.contains_key(*meant));
        if let Some(meant) = meant {
            let message = format!("`{key}` of `{name}` is read as `{meant}`");
            let word = fixes::word(facts.source, meant);
            found.push(new(Severity::Info, span, message).help(format!("write `{meant}: ...`")).fix(
                Applicability::Safe,
                format!("rename to `{meant}`"),
                span,
                word,
            ));
        }
        let field_name = meant.unwrap_or(key);
        let field = kind.fields.iter().chain(ASSERTION_FIELDS).find(|field| field.name == field_name);
        let Some(field) = field.filter(|_| !node.is_null()) else { continue };
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
    if let Some(role) = unknown_role(facts, written) {
        let error = new(Severity::Error, written.span("role"), format!("unknown role `{role}`"));
        found.push(suggest(facts, error, role, ("roles", &ROLES)));
    }
}

/// The same with the probable name, or else with all names.
fn suggest(
    facts: &Facts<'_>,
    diagnostic: Diagnostic,
    word: &str,
    (what, names): (&str, &[&str]),
) -> Diagnostic {
    let meant = closest(word, names.iter().copied());
    diagnostic.suggest(meant, "change to", facts.source, format!("the {what} are {}", names.join(", ")))
}

/// The role in a count if no message can have it and none of the run does.
pub(super) fn unknown_role<'t>(facts: &Facts<'_>, written: &WrittenAssertion<'t>) -> Option<&'t str> {
    let role = written.fields.text("role").filter(|role| matches!(Role::new(role), Role::Other(_)))?;
    let is_there = facts.messages.iter().any(|(_, message)| message.role.value.name() == role);
    (!is_there && matches!(written.name, Some(("message_count", _)))).then_some(role)
}

fn unknown_field(facts: &Facts<'_>, key: &str, span: Span, fields: &[Field], message: String) -> Diagnostic {
    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
    let help = match names.is_empty() {
        true => "it has no fields".to_owned(),
        false => format!("the fields are {}", names.join(", ")),
    };
    new(Severity::Warning, span, message).suggest(closest(key, names), "rename to", facts.source, help)
}

/// The diagnostic for an assertion without a type, which in the full form may be a short one.
fn untyped(facts: &Facts<'_>, written: &WrittenAssertion<'_>) -> Diagnostic {
    let span = written.fields.assertion.span;
    if let Some(node) = written.not_a_map {
        let message = format!("assertion: expected a map, found {}", node.kind_name());
        return new(Severity::Error, node.span, message).help("write `{type: contains, pattern: \"72\"}`");
    }
    let key = written.places.iter().find_map(|field| Some((field, assertion_type(field.0)?)));
    let Some(((name, key, value), kind)) = key else {
        let place = written.places.first().map_or(span, |(_, key, _)| *key);
        return new(Severity::Error, place, "the assertion has no `type`".to_owned())
            .help("add a type, such as `type: contains`");
    };
    let mut diagnostic = new(Severity::Error, *key, "the assertion has no `type`".to_owned())
        .help(format!("write `type: {name}` in the full form"));
    let is_open = span.slice(facts.source).starts_with('{');
    if let (true, Some(short), false) = (is_open, kind.short, value.is_map()) {
        let word = |text| fixes::word(facts.source, text);
        let text = format!("{}: {}, {}", word("type"), word(name), word(short));
        diagnostic.fixes.push(Fix {
            title: "write it in the full form".to_owned(),
            applicability: Applicability::Safe,
            edits: vec![crate::diagnostic::Edit { span: *key, text }],
        });
    }
    diagnostic
}

fn new(severity: Severity, span: Span, message: String) -> Diagnostic {
    Diagnostic::new(codes::ASSERTION_FIELDS, severity, span, message)
}
