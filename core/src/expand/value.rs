//! The value of a tool line: one YAML flow value when the text is one, else the text.

use serde_json::Value;

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::{self, Data, Limits, Node};
use crate::text::Span;

/// The maximum nesting depth of a value, so that the full form stays within the limit of documents.
const DEPTH: usize = 100;

/// Reads the text at `span`. An empty text is an empty text, not null.
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
    // Text may begin with a bracket or a quote; only if it also ends like data was it meant as
    // data.
    let close = match body.chars().next() {
        Some('{') => '}',
        Some('[') => ']',
        Some(quote) => quote,
        None => return Value::String(text.to_owned()),
    };
    let why = if is_unclosed(body) {
        "the bracket is not closed"
    } else if body.len() > 1 && body.ends_with(close) {
        "it is not valid inside"
    } else {
        return Value::String(text.to_owned());
    };
    let message = format!("the result looks like data, but is read as text: {why}");
    let help = "fix the data; for text, write `{tool: NAME, result: \"the text\"}`";
    found.push(Diagnostic::new(codes::BAD_SHORTHAND, Severity::Warning, span, message).help(help));
    Value::String(text.to_owned())
}

/// Whether a text begins like a map or a list, and ends before its brackets are closed.
fn is_unclosed(body: &str) -> bool {
    begins_as_data(body) && is_open(body)
}

fn begins_as_data(body: &str) -> bool {
    if let Some(rest) = body.strip_prefix('{').map(str::trim_start) {
        return match rest.chars().next() {
            None => true,
            Some(quote @ ('"' | '\'')) => {
                let behind = rest.get(1..).and_then(|rest| rest.split_once(quote)).map(|(_, behind)| behind);
                behind.is_some_and(|behind| behind.is_empty() || behind.trim_start().starts_with(':'))
            }
            // The colon of an address has no blank after it.
            _ => {
                let (key, value) = rest.split_once(':').unwrap_or_default();
                !key.is_empty()
                    && !key.contains([',', '{', '}', '[', ']'])
                    && (value.is_empty() || value.starts_with(char::is_whitespace))
            }
        };
    }
    let Some(rest) = body.strip_prefix('[').map(str::trim_start) else { return false };
    let is_data = |item: &str| {
        let is_quoted = |quote: char| item.len() > 1 && item.starts_with(quote) && item.ends_with(quote);
        item.parse::<f64>().is_ok() || is_quoted('"') || is_quoted('\'')
    };
    let mut items = rest.split(',').map(str::trim);
    let last = items.next_back().unwrap_or_default();
    let is_cut = rest.contains(',') && (last.is_empty() || last.starts_with(['"', '\'']));
    rest.is_empty() || begins_as_data(rest) || (items.all(is_data) && (is_data(last) || is_cut))
}

/// Whether the first bracket of a text is open at its end. Those inside of quotes do not count.
fn is_open(body: &str) -> bool {
    let mut open = 0_usize;
    let mut quote = None;
    let mut before = ' ';
    let mut characters = body.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some('"'), '\\') => drop(characters.next()),
            (Some('\''), '\'') if characters.peek() == Some(&'\'') => drop(characters.next()),
            (Some(end), _) if end == character => quote = None,
            (Some(_), _) => {}
            // Within a word it is an apostrophe.
            (None, '"' | '\'') if before.is_whitespace() || "{[,:".contains(before) => {
                quote = Some(character)
            }
            (None, '{' | '[') => open += 1,
            (None, '}' | ']') if open == 1 => return false,
            (None, '}' | ']') => open = open.saturating_sub(1),
            (None, _) => {}
        }
        before = character;
    }
    open > 0
}
