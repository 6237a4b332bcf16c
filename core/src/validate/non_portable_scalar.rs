//! T703: a scalar without quotes is other data to readers of YAML 1.1, PyYAML among them.

use super::python_scalar::{Reading, read};
use super::texts::Scalar;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::parse::{Data, Limits, PieceKind, Style, is_json, layout, plain_scalar};
use crate::text::{Set, Span};

pub(super) fn check(source: &str, scalars: &[Scalar<'_>], limits: &Limits, found: &mut Vec<Diagnostic>) {
    if is_json(source, limits) {
        return;
    }
    let mut candidates = Vec::new();
    for scalar in scalars {
        let raw = scalar.span.slice(source);
        let (ours, loss) = plain_scalar(raw);
        // A key is always a text here; T012 reports a loss.
        let is_kept = match (scalar.data, scalar.text) {
            (Some(data), _) => *data == ours,
            // T014 reports the key `<<`.
            (None, Some(key)) => key == raw && key != "<<" && matches!(ours, Data::Str(_)),
            (None, None) => false,
        };
        if let (true, None, Some(reading)) = (is_kept, loss, read(raw, &ours)) {
            candidates.push((scalar.span, ours, reading));
        }
    }
    if candidates.is_empty() {
        return;
    }
    let plain = plain_spans(source, limits);
    for (span, ours, reading) in candidates {
        if plain.as_ref().is_none_or(|plain| plain.contains(&span)) {
            found.push(diagnostic(source, span, &ours, reading));
        }
    }
}

/// The spans of scalars that have no quotes and are no blocks; `None` when the text is broken.
fn plain_spans(source: &str, limits: &Limits) -> Option<Set<Span>> {
    let pieces = layout(source, limits)?;
    let plain = pieces.into_iter().filter(|piece| piece.kind == PieceKind::Scalar(Style::Plain));
    Some(plain.map(|piece| piece.span).collect())
}

fn diagnostic(source: &str, span: Span, ours: &Data, reading: Reading) -> Diagnostic {
    let raw = span.slice(source);
    let message =
        format!("`{raw}` is {} in YAML 1.2 and {} in YAML 1.1", describe_data(ours), reading.describe());
    let found = Diagnostic::new(codes::NON_PORTABLE_SCALAR, Severity::Warning, span, message);
    let quoted = format!("'{raw}'");
    match ours {
        Data::Number(number) => {
            let portable = crate::write::yaml(&serde_json::Value::Number(number.clone()));
            let portable = portable.trim_end();
            // For a number such as `012`, the author may not have meant its value in YAML 1.2.
            let sure = matches!(reading, Reading::Text)
                && !raw.trim_start_matches(['-', '+']).starts_with("00")
                && !is_padded(raw);
            let applicability = if sure { Applicability::Safe } else { Applicability::Suggested };
            let found = found.help(format!("write `{portable}`, or `{quoted}` for a string")).fix(
                applicability,
                format!("write `{portable}`"),
                span,
                portable,
            );
            if sure { found } else { found.fix(Applicability::Suggested, "put it in quotes", span, quoted) }
        }
        _ => found.help("put it in quotes to make it a string").fix(
            Applicability::Safe,
            "put it in quotes",
            span,
            quoted,
        ),
    }
}

/// Whether digits follow a leading zero.
fn is_padded(raw: &str) -> bool {
    let digits = raw.trim_start_matches(['-', '+']);
    digits.strip_prefix('0').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn describe_data(data: &Data) -> String {
    match data {
        Data::Number(number) => format!("the number {number}"),
        Data::Bool(value) => value.to_string(),
        _ => "a string".to_owned(),
    }
}
