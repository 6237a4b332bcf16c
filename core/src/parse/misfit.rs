//! Whether a value is of the kind that the tables of the format require.

use serde_json::Value;

use super::node::{Data, Node};
use super::plain_scalar;
use crate::diagnostic::{Applicability, Diagnostic};
use crate::model::Shape;
use crate::time::from_epoch;

/// The expected kind of `node`, in the author's words, if it is of another; its items and values are
/// not checked. Null is of the kind of every key.
///
/// ```
/// use transcript_core::{model::Shape, parse};
/// let parsed = parse::parse("[1, two]", &parse::Limits::default());
/// assert_eq!(parse::misfit(&parsed.root.unwrap(), &Shape::Text).as_deref(), Some("a string"));
/// ```
#[must_use]
pub fn misfit(node: &Node, shape: &Shape) -> Option<String> {
    (!node.is_null() && !fits(node, shape)).then(|| wanted(shape))
}

fn fits(node: &Node, shape: &Shape) -> bool {
    let is_text = matches!(node.data, Data::Str(_));
    let is_list = matches!(node.data, Data::Seq(_));
    match shape {
        // The content of these has rules of its own, which report the kind as well.
        Shape::Any | Shape::Item | Shape::Expect => true,
        // This word is an alternative to another shape, so anything else is no slip of it.
        Shape::OneOf([word]) => node.text().is_some_and(|text| &**text == word.name),
        Shape::Text | Shape::OneOf(_) | Shape::Known(_) | Shape::Name(_) => is_text,
        Shape::Content => is_text || is_list || node.get("$binary").is_some(),
        Shape::Number => matches!(node.data, Data::Number(_)),
        Shape::Integer => node.as_i64().is_some(),
        Shape::Bool => matches!(node.data, Data::Bool(_)),
        Shape::List(_) => is_list,
        Shape::TextOr(_) => node.is_map() || is_text,
        Shape::Either(options) => options.iter().any(|option| fits(node, option)),
        _ => node.is_map(),
    }
}

fn wanted(shape: &Shape) -> String {
    match shape {
        Shape::Any | Shape::Item | Shape::Expect => "anything",
        Shape::OneOf([word]) => return format!("`{}`", word.name),
        Shape::Text | Shape::OneOf(_) | Shape::Known(_) | Shape::Name(_) => "a string",
        Shape::Content => "a string or a list of parts",
        Shape::Number => "a number",
        Shape::Integer => "an integer",
        Shape::Bool => "a boolean",
        Shape::List(_) => "a list",
        Shape::TextOr(_) => "a string or a map",
        Shape::Either(options) => {
            return options.iter().map(|option| wanted(option)).collect::<Vec<_>>().join(" or ");
        }
        _ => "a map",
    }
    .to_owned()
}

/// Adds the remedy to `diagnostic`, which reports that `node` is of another kind, if the remedy is certain. `place`
/// names the value as messages do: a key in backticks, or `a sent message` and the like.
#[must_use]
pub(crate) fn with_remedy(
    diagnostic: Diagnostic,
    source: &str,
    node: &Node,
    shape: &Shape,
    place: &str,
) -> Diagnostic {
    let written = node.span.slice(source);
    let is_number = matches!(node.data, Data::Number(_));
    if place == "`timestamp`" && is_number {
        let Some(time) =
            node.as_i64().filter(|seconds| *seconds >= 0).and_then(|seconds| from_epoch(seconds, ""))
        else {
            return diagnostic.help("write `\"2025-01-13T02:43:25Z\"`");
        };
        let text = Value::from(time).to_string();
        return diagnostic.help(format!("write `{text}`")).fix(
            Applicability::Suggested,
            "write the time in UTC",
            node.span,
            text,
        );
    }
    if (is_number || matches!(node.data, Data::Bool(_))) && wanted(shape).starts_with("a string") {
        let diagnostic = diagnostic.help("put it in quotes");
        // The written text is quoted, not the data it was read as: `001` is not `1`. An alias, and quoted
        // text behind a tag, are read as something else.
        if plain_scalar(written).0 != node.data {
            return diagnostic;
        }
        let quoted = Value::from(written).to_string();
        return diagnostic.fix(Applicability::Safe, "put it in quotes", node.span, quoted);
    }
    let Data::Str(text) = &node.data else {
        return match shape {
            Shape::List(_) if node.entries().is_empty() => {
                diagnostic.help("write a list: `[]`, or items with `- `")
            }
            Shape::List(_) => diagnostic.help("write a list of items with `- `"),
            Shape::Bool => diagnostic.help("write `true` or `false`"),
            _ => diagnostic,
        };
    };
    if let Some(meant) = truth(text).filter(|_| matches!(shape, Shape::Bool)) {
        // Without quotes, readers of YAML 1.1 read it so; in quotes, it was meant as text.
        let is_sure = written == &**text;
        let applicability = if is_sure { Applicability::Safe } else { Applicability::Suggested };
        let title = format!("write `{meant}`");
        return diagnostic.help(title.clone()).fix(applicability, title, node.span, meant.to_string());
    }
    let is_quoted = written.len() == text.len() + 2 && written.starts_with(['"', '\'']);
    let meant = Node { span: node.span, data: plain_scalar(text).0 };
    if is_quoted && !matches!(meant.data, Data::Str(_) | Data::Null) && fits(&meant, shape) {
        let title = "remove the quotes";
        return diagnostic.help(title).fix(Applicability::Safe, title, node.span, text.to_string());
    }
    // A word needs no quotes in brackets, and has the same meaning there.
    let is_word = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let is_whole = is_quoted || written == &**text;
    let wrapped = match shape {
        Shape::List(inner) if is_whole && is_word && fits(node, inner) => format!("[{written}]"),
        _ if is_whole && is_word && place == "a sent message" => {
            let key = if written.starts_with('"') { "\"ref\"" } else { "ref" };
            format!("{{{key}: {written}}}")
        }
        _ => return diagnostic,
    };
    diagnostic.help(format!("write `{wrapped}`")).fix(
        Applicability::Safe,
        format!("change to `{wrapped}`"),
        node.span,
        wrapped,
    )
}

/// The truth value of a word for readers of YAML 1.1.
pub(crate) fn truth(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "yes" | "y" | "on" => Some(true),
        "no" | "n" | "off" => Some(false),
        _ => None,
    }
}
