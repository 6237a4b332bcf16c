//! The value of a tool line: one YAML flow value when the text is one, else the text.

use serde_json::Value;

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::{self, Data, Limits, Node};
use crate::text::Span;

/// The deepest nesting of a value, so that the full form stays within the limit of documents.
const DEPTH: usize = 100;

/// Reads the text that stands at `span`. An empty text is an empty text, not null.
///
/// A value has no anchors: with an allowance for each line, a few lines could grow without bound.
pub(super) fn value(text: &str, span: Span, limits: &Limits, found: &mut Vec<Diagnostic>) -> Value {
    let body = text.trim();
    if body.is_empty() {
        return Value::String(text.to_owned());
    }
    if !body.starts_with(['{', '[', '"', '\'']) {
        let (data, loss) = parse::plain_scalar(body);
        if let Some(loss) = loss {
            found.push(Diagnostic::new(
                codes::LOSSY_SCALAR,
                Severity::Warning,
                span,
                format!("`{body}` {loss}"),
            ));
        }
        return match data {
            Data::Str(_) => Value::String(text.to_owned()),
            data => Node { span, data }.to_value(),
        };
    }
    let limits = Limits { depth: limits.depth.min(DEPTH), alias_nodes: 0, ..limits.clone() };
    let parsed = parse::parse_flow(body, &limits);
    let whole = parsed.root.filter(|root| parsed.well_formed && root.span.len() == body.len());
    if let Some(root) =
        whole.filter(|_| parsed.diagnostics.iter().all(|fault| fault.severity != Severity::Error))
    {
        let losses = parsed.diagnostics.into_iter().filter(|fault| fault.code == codes::LOSSY_SCALAR);
        found.extend(losses.map(|loss| Diagnostic { span, fixes: Vec::new(), related: Vec::new(), ..loss }));
        return root.to_value();
    }
    // JSON has characters in its texts that readers of YAML refuse, and `json.dumps` writes them.
    if let Some(value) = parse::json_text(body) {
        return value;
    }
    // Text may begin with a bracket or a quote; only what also ends as data does was meant as data.
    let close = match body.chars().next() {
        Some('{') => '}',
        Some('[') => ']',
        Some(quote) => quote,
        None => return Value::String(text.to_owned()),
    };
    let is_bracket = matches!(close, '}' | ']');
    let why = if body.len() > 1 && body.ends_with(close) {
        "it begins and ends as data does, and is none in between"
    } else if is_bracket && !body.contains(close) && body.contains(": ") {
        "the bracket is not closed"
    } else {
        return Value::String(text.to_owned());
    };
    let message = format!("the result looks like data but is read as text: {why}");
    let help = "mend the data; if it is a text, write `{tool: NAME, result: \"the text\"}`";
    found.push(Diagnostic::new(codes::BAD_SHORTHAND, Severity::Warning, span, message).help(help));
    Value::String(text.to_owned())
}
