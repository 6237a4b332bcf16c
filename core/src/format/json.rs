//! JSON: its pieces, and the tree as JSON with two spaces to a level.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde_json::Value;

use super::scalar;
use super::tree::{Data, Node, Tree};
use crate::parse::{self, Piece, PieceKind, Style};
use crate::text::{Span, json_line};

/// The pieces of a text that is known to be JSON. YAML does not include quite all of JSON, so the reader
/// of its layout does not suffice.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or(&[]);
        let (length, kind) = match byte {
            b'{' => (1, Some(PieceKind::MapStart { flow: true })),
            b'}' => (1, Some(PieceKind::MapEnd)),
            b'[' => (1, Some(PieceKind::ListStart { flow: true })),
            b']' => (1, Some(PieceKind::ListEnd)),
            b'"' => {
                let end = parse::closing_quote(text, at + 1, '"').map_or(text.len(), |close| close + 1);
                (end - at, Some(PieceKind::Scalar(Style::Double)))
            }
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' => (1, None),
            _ => {
                let ends = |byte: &u8| b",:]} \t\r\n".contains(byte);
                let length = rest.iter().position(ends).unwrap_or(rest.len());
                (length, Some(PieceKind::Scalar(Style::Plain)))
            }
        };
        pieces.extend(kind.map(|kind| Piece { span: Span::new(at, at + length), kind }));
        at += length;
    }
    pieces
}

/// The document as JSON. Strings and numbers are unchanged if they are valid JSON.
pub(super) fn print(tree: &Tree<'_>) -> String {
    let mut out = String::new();
    if let Some(root) = tree.root() {
        collection(tree, root, 0, &mut out);
    }
    out.push('\n');
    out
}

fn collection(tree: &Tree<'_>, number: usize, depth: usize, out: &mut String) {
    let Some(collection) = tree.collections.get(number) else { return };
    let (open, close) = if collection.is_map { ('{', '}') } else { ('[', ']') };
    out.push(open);
    for (at, number) in collection.entries.iter().enumerate() {
        let Some(entry) = tree.entries.get(*number) else { continue };
        if at > 0 {
            out.push(',');
        }
        line(depth + 1, out);
        if let Some(key) = &entry.key {
            out.push_str(&scalar_text(key, true));
            out.push_str(": ");
        }
        match entry.value.collection() {
            Some(inner) => self::collection(tree, inner, depth + 1, out),
            None => out.push_str(&scalar_text(&entry.value, false)),
        }
    }
    if !collection.entries.is_empty() {
        line(depth, out);
    }
    out.push(close);
}

fn line(depth: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// A scalar as JSON. Anything else that is not JSON is JavaScript style: single quotes, and keys without
/// quotes.
fn scalar_text<'t>(node: &Node<'t>, is_key: bool) -> Cow<'t, str> {
    let Data::Scalar(style, source) = node.data else { return Cow::Borrowed("null") };
    let is_json = (style == Style::Double || !is_key) && serde_json::from_str::<IgnoredAny>(source).is_ok();
    if is_json {
        return Cow::Borrowed(source);
    }
    if style == Style::Double {
        return Cow::Owned(without_controls(source));
    }
    let text = scalar::key_text(&node.data).unwrap_or(Cow::Borrowed(source)).into_owned();
    let value = match parse::plain_scalar(source).0 {
        parse::Data::Number(number) if style == Style::Plain && !is_key => Value::Number(number),
        parse::Data::Null if style == Style::Plain && !is_key => Value::Null,
        parse::Data::Bool(value) if style == Style::Plain && !is_key => Value::Bool(value),
        _ => Value::String(text),
    };
    Cow::Owned(json_line(&value))
}

/// A string with escapes for the control characters that the reader accepts.
fn without_controls(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + 8);
    for c in source.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push(c),
        }
    }
    out
}
