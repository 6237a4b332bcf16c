//! JMESPath expressions.

use std::ops::Range;

use serde_json::Value;

use super::ast::{Kind, Node, Reads, Variable};
use super::evaluate::evaluate;
use super::functions::FUNCTIONS;
use super::item::{Item, Work};
use super::{Budget, QueryError, read};
use crate::diagnostic::closest;

/// A compiled JMESPath expression.
///
/// The language is that of <https://jmespath.org/specification.html>. Whole numbers stay exact where nothing
/// makes fractions of them. Only text in single quotes is a string: backticks hold JSON.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    node: Node,
    reads: Reads,
}

impl Expression {
    /// Compiles an expression.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::query::{Budget, Expression};
    /// let expression = Expression::compile("calls[?name == 'weather'].city | [0]").unwrap();
    /// let data = json!({"calls": [{"name": "weather", "city": "Paris"}]});
    /// assert_eq!(expression.evaluate(&data, &mut Budget::default()).unwrap(), "Paris");
    /// let error = Expression::compile("lenght(calls)").unwrap_err();
    /// assert_eq!((error.at, error.help.as_str()), (0..6, "did you mean `length`?"));
    /// ```
    ///
    /// # Errors
    /// When it is not JMESPath, or is longer than 16 KiB or nested more than 100 deep.
    pub fn compile(text: &str) -> Result<Self, QueryError> {
        let Inspected { expression, unknown } = Self::inspect(text);
        let expression = expression?;
        match unknown.into_iter().next() {
            None => Ok(expression),
            Some(at) => {
                let name = text.get(at.clone()).unwrap_or("");
                let help = match other_function(name).or_else(|| closest(name, function_names())) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "use a JMESPath function".to_owned(),
                };
                Err(read::fault(at.clone(), format!("unknown function `{name}`"), help))
            }
        }
    }

    /// Reads an expression and reports all that is wrong with it, where [`Self::compile`] reports one thing.
    ///
    /// ```
    /// use transcript_core::query::Expression;
    /// let inspected = Expression::inspect("lenght(a) + 1");
    /// assert_eq!((inspected.unknown, inspected.expression.unwrap_err().at), (vec![0..6], 10..11));
    /// ```
    #[must_use]
    pub fn inspect(text: &str) -> Inspected {
        let mut unknown = Vec::new();
        let expression = read::read(text, &mut unknown).map(|node| {
            let mut reads = Reads::default();
            reads.collect(&node, true);
            Self { text: text.to_owned(), node, reads }
        });
        Inspected { expression, unknown }
    }

    /// Its text as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names it reads from its input data, in written order: not those after a `.` or `|`, and not
    /// those read from each item of a list.
    ///
    /// ```
    /// use transcript_core::query::Expression;
    /// let expression = Expression::compile("max_by(messages, &cost).text || context.text").unwrap();
    /// let names: Vec<_> = expression.variables().iter().map(|variable| variable.name.as_str()).collect();
    /// assert_eq!(names, ["messages", "context"]);
    /// ```
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        &self.reads.variables
    }

    /// Whether it reads the variable `name` of the data it is evaluated on, so that data which costs something to
    /// make is made only when it is needed. A whole-data `@` reads all of them.
    #[must_use]
    pub fn reads(&self, name: &str) -> bool {
        self.reads.all || self.reads.variables.iter().any(|variable| variable.name == name)
    }

    /// Its value over `data`.
    ///
    /// # Errors
    /// When a function gets an argument of the wrong kind, or the budget is used up.
    pub fn evaluate(&self, data: &Value, budget: &mut Budget) -> Result<Value, QueryError> {
        let mut work = Work { budget, length: self.text.len() };
        let item = evaluate(&self.node, &Item::from(data), &mut work)?;
        work.value(&item)
    }

    /// Whether its value over `data` is true, as defined by [`is_true`]; nothing is copied from the data.
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn is_true(&self, data: &Value, budget: &mut Budget) -> Result<bool, QueryError> {
        let mut work = Work { budget, length: self.text.len() };
        Ok(evaluate(&self.node, &Item::from(data), &mut work)?.is_true())
    }
}

impl Expression {
    /// The two sides and the operator of the comparison that makes it false over `data`, if there is one: the
    /// expression itself, or an operand of `&&`.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::query::{Budget, Expression};
    /// let expression = Expression::compile("turns && length(calls) == `2`").unwrap();
    /// let sides = expression.false_comparison(&json!({"turns": 1, "calls": []}), &mut Budget::default());
    /// assert_eq!(sides.unwrap(), Some((json!(0), "==", json!(2))));
    /// ```
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn false_comparison(
        &self,
        data: &Value,
        budget: &mut Budget,
    ) -> Result<Option<(Value, &'static str, Value)>, QueryError> {
        let mut work = Work { budget, length: self.text.len() };
        let data = Item::from(data);
        let mut node = &self.node;
        loop {
            match &node.kind {
                Kind::And(one, two) => {
                    let is_first = !evaluate(one, &data, &mut work)?.is_true();
                    node = if is_first { one } else { two };
                }
                Kind::Compare(comparator, one, two) => {
                    let operator = comparator.text();
                    let (one, two) = (evaluate(one, &data, &mut work)?, evaluate(two, &data, &mut work)?);
                    return Ok(Some((work.value(&one)?, operator, work.value(&two)?)));
                }
                _ => return Ok(None),
            }
        }
    }
}

/// The result of inspecting an expression.
#[derive(Clone, Debug)]
pub struct Inspected {
    /// The expression, or the place of its fault. If `unknown` is not empty, it can only be used to find the
    /// data that it reads.
    pub expression: Result<Expression, QueryError>,
    /// The places of unknown function names.
    pub unknown: Vec<Range<usize>>,
}

/// The names of the functions of JMESPath, in alphabetical order.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|function| function.name)
}

/// The function that is called `name` in other languages.
///
/// ```
/// use transcript_core::query::other_function;
/// assert_eq!(other_function("len"), Some("length"));
/// assert_eq!(other_function("length"), None);
/// ```
#[must_use]
pub fn other_function(name: &str) -> Option<&'static str> {
    Some(match name {
        "len" | "size" | "count" => "length",
        "has" | "includes" | "include" => "contains",
        "str" | "string" => "to_string",
        "int" | "float" | "number" => "to_number",
        "list" => "to_array",
        "average" | "mean" => "avg",
        "typeof" => "type",
        _ => return None,
    })
}

/// Whether a value is true in JMESPath's sense: not null, not false, not an empty text, list or map.
///
/// ```
/// use serde_json::json;
/// use transcript_core::query::is_true;
/// assert!(is_true(&json!(0)) && !is_true(&json!("")));
/// ```
#[must_use]
pub fn is_true(value: &Value) -> bool {
    Item::from(value).is_true()
}
