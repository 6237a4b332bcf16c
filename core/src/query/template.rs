//! Texts with expressions between `{{` and `}}`.

use std::ops::Range;

use serde_json::Value;

use super::ast::Variable;
use super::{Budget, Expression, QueryError};
use crate::text::json_line;

/// A compiled template.
#[derive(Clone, Debug)]
pub struct Template {
    text: String,
    parts: Vec<Part>,
}

/// A piece of a template, in order.
#[derive(Clone, Debug)]
enum Part {
    Text(Range<usize>),
    /// An expression, and its place without its braces.
    Filled(Expression, Range<usize>),
}

impl Template {
    /// Compiles a text.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::query::{Budget, Template};
    /// let template = Template::compile("It is {{ last_tool.temp }}° in {{ city }}").unwrap();
    /// let data = json!({"last_tool": {"temp": 22}, "city": "Paris"});
    /// assert_eq!(template.fill(&data, &mut Budget::default()).unwrap(), "It is 22° in Paris");
    /// ```
    ///
    /// # Errors
    /// When braces do not fit together or an expression is not JMESPath; the place is in the whole text.
    pub fn compile(text: &str) -> Result<Self, QueryError> {
        let mut parts = Vec::new();
        let mut at = 0;
        for place in placeholders(text) {
            if let Some((message, help)) = place.fault {
                let at = place.braces..place.braces + 2;
                return Err(QueryError {
                    at,
                    message: message.to_owned(),
                    help: help.to_owned(),
                    meant: None,
                });
            }
            if place.braces > at {
                parts.push(Part::Text(at..place.braces));
            }
            let written = text.get(place.inside.clone()).unwrap_or("");
            let expression =
                Expression::compile(written).map_err(|error| error.shifted(place.inside.start))?;
            at = place.end;
            parts.push(Part::Filled(expression, place.inside));
        }
        if at < text.len() {
            parts.push(Part::Text(at..text.len()));
        }
        Ok(Self { text: text.to_owned(), parts })
    }

    /// Its text as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it has no expression, and so is always the same.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        !self.parts.iter().any(|part| matches!(part, Part::Filled(..)))
    }

    /// Whether one of its expressions reads the variable `name`.
    #[must_use]
    pub fn reads(&self, name: &str) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Text(_) => false,
            Part::Filled(expression, _) => expression.reads(name),
        })
    }

    /// The names that its expressions read, as in [`Expression::variables`]; the places are in the whole
    /// text.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.parts.iter().flat_map(|part| {
            let (variables, start) = match part {
                Part::Text(_) => (&[] as &[Variable], 0),
                Part::Filled(expression, at) => (expression.variables(), at.start),
            };
            variables.iter().map(move |variable| Variable {
                name: variable.name.clone(),
                at: variable.at.start + start..variable.at.end + start,
            })
        })
    }

    /// The text filled in: a text is unchanged, null is empty, other data is JSON on one line.
    ///
    /// # Errors
    /// As [`super::Expression::evaluate`]; the place is in the whole text.
    pub fn fill(&self, data: &Value, budget: &mut Budget) -> Result<String, QueryError> {
        let mut filled = String::new();
        for part in &self.parts {
            match part {
                Part::Text(at) => filled.push_str(self.text.get(at.clone()).unwrap_or("")),
                Part::Filled(expression, at) => {
                    let worked_out = expression.evaluate(data, budget);
                    match worked_out.map_err(|error| error.shifted(at.start))? {
                        Value::Null => {}
                        Value::String(text) => filled.push_str(&text),
                        value => filled.push_str(&json_line(&value)),
                    }
                }
            }
        }
        Ok(filled)
    }

    /// Its data: the value of the expression if it is one `{{ }}` and nothing else, and otherwise the text
    /// filled in. It is for places that take any data, such as the arguments of a call.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::query::{Budget, Template};
    /// let value = |text| Template::compile(text).unwrap().value(&json!({"days": 3}), &mut Budget::default());
    /// assert_eq!(value("{{ days }}").unwrap(), 3);
    /// assert_eq!(value("{{ days }} days").unwrap(), "3 days");
    /// ```
    ///
    /// # Errors
    /// As [`Self::fill`].
    pub fn value(&self, data: &Value, budget: &mut Budget) -> Result<Value, QueryError> {
        match self.parts.as_slice() {
            [Part::Filled(expression, at)] => {
                expression.evaluate(data, budget).map_err(|error| error.shifted(at.start))
            }
            _ => self.fill(data, budget).map(Value::String),
        }
    }
}

/// A pair of braces in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The place of its `{{`.
    pub braces: usize,
    /// The bytes of the expression, spaces around it included.
    pub inside: Range<usize>,
    /// The position after it.
    pub end: usize,
    /// The problem with the braces: message and help.
    pub fault: Option<(&'static str, &'static str)>,
}

/// The expressions of a text, in order. They end at the first `}}` outside of quotes that closes no brace
/// of theirs.
///
/// ```
/// use transcript_core::query::placeholders;
/// let text = "a {{ b }} c";
/// let found: Vec<_> = placeholders(text).map(|place| &text[place.inside]).collect();
/// assert_eq!(found, [" b "]);
/// ```
pub fn placeholders(text: &str) -> impl Iterator<Item = Placeholder> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let braces = at + rest.find("{{")?;
        let inside = text.get(braces + 2..)?;
        let (length, end, fault) = expression(inside);
        at = braces + 2 + end;
        Some(Placeholder { braces, inside: braces + 2..braces + 2 + length, end: at, fault })
    })
}

type Fault = (&'static str, &'static str);

const OPEN: Fault = ("`{{` is not closed", "add `}}`; write `{{ '{{' }}` for literal braces");
const EMPTY: Fault =
    ("expected an expression between `{{` and `}}`", "add an expression, such as `{{ last_user }}`");
const QUOTE: Fault =
    ("a quote in the expression after `{{` is not closed", "close it; write strings in single quotes");

/// The length of the expression at the beginning of a text, the position after it, and its fault.
fn expression(text: &str) -> (usize, usize, Option<Fault>) {
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let mut open = 0_usize;
    // The first `}}` outside of quotes; it ends an expression with an open brace.
    let mut first = None;
    let closed = |at: usize| {
        let is_empty = text.get(..at).is_some_and(|expression| expression.trim().is_empty());
        (at, at + 2, is_empty.then_some(EMPTY))
    };
    for (at, c) in text.char_indices() {
        let rest = text.get(at..).unwrap_or("");
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '\'' | '"' | '`') => quote = Some(c),
            None if rest.starts_with("}}") && open == 0 => return closed(at),
            // A second one begins before the end of this one.
            None if rest.starts_with("{{") => {
                return first.map_or((at, at, Some(OPEN)), closed);
            }
            None if c == '{' => open += 1,
            None if c == '}' => {
                if rest.starts_with("}}") {
                    first = first.or(Some(at));
                }
                open = open.saturating_sub(1);
            }
            None => {}
        }
    }
    if let Some(at) = first {
        return closed(at);
    }
    match text.find("}}") {
        Some(end) => (end, end + 2, Some(QUOTE)),
        None => (text.len(), text.len(), Some(OPEN)),
    }
}
