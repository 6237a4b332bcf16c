//! Exact JSON as data.

use serde_json::Value;

use super::scan::{self, Fault, Raw};

/// A JSON value with numbers as their text; its texts may hold half a surrogate pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exact {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was written; `NaN` and `Infinity` as well.
    Number(String),
    /// A text in UTF-8, halves of surrogate pairs spelled out by three bytes each.
    Text(Vec<u8>),
    /// A list.
    List(Vec<Exact>),
    /// A map. The last value of a duplicate key counts.
    Map(Vec<(Vec<u8>, Exact)>),
}

/// Reads a JSON text whole.
///
/// # Errors
/// When it is no JSON, or something follows.
///
/// ```
/// use transcript_core::encoding::exact::{python_json, read};
/// assert_eq!(python_json(&read("{\"b\": 1e16, \"a\": 1.0}").unwrap()), "{\"a\": 1.0, \"b\": 1e+16}");
/// ```
pub fn read(text: &str) -> Result<Exact, Fault> {
    let end = scan::value(text, 0)?;
    let rest = text.get(end..).unwrap_or_default();
    let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    if blank < rest.len() {
        return Err(Fault { at: end + blank, why: "unexpected text after the value", is_end: false });
    }
    Ok(Exact::from(Raw { text: text.get(..end).unwrap_or_default().trim_ascii_start(), start: 0 }))
}

impl From<Raw<'_>> for Exact {
    /// Scanned text is JSON of bounded depth.
    fn from(raw: Raw<'_>) -> Self {
        match raw.text.as_bytes().first() {
            Some(b'"') => Exact::Text(string(raw.text)),
            Some(b'{') => {
                let mut entries: Vec<(Vec<u8>, Exact)> = Vec::new();
                // It was read over once and has no fault.
                _ = scan::members(raw.text, 0, &mut |key, value| {
                    entries.push((string(key.text), Exact::from(value)));
                });
                Exact::Map(without_doubles(entries))
            }
            Some(b'[') => {
                let mut items = Vec::new();
                _ = scan::items(raw.text, 0, &mut |item| items.push(Exact::from(item)));
                Exact::List(items)
            }
            Some(b't') => Exact::Bool(true),
            Some(b'f') => Exact::Bool(false),
            Some(b'n') => Exact::Null,
            _ => Exact::Number(raw.text.to_owned()),
        }
    }
}

impl From<&Value> for Exact {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Exact::Null,
            Value::Bool(bool) => Exact::Bool(*bool),
            Value::Number(number) => Exact::Number(number.to_string()),
            Value::String(text) => Exact::Text(text.clone().into_bytes()),
            Value::Array(items) => Exact::List(items.iter().map(Exact::from).collect()),
            Value::Object(entries) => {
                let entry = |(key, value): (&String, &Value)| (key.clone().into_bytes(), Exact::from(value));
                Exact::Map(entries.iter().map(entry).collect())
            }
        }
    }
}

impl Exact {
    /// A text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Exact::Text(text.as_bytes().to_vec())
    }

    /// The value of a key of a map.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Exact> {
        let Exact::Map(entries) = self else { return None };
        entries.iter().find(|(own, _)| own == key.as_bytes()).map(|(_, value)| value)
    }
}

/// Sorts the entries by their keys, bytewise, which is by code points; the last value of a duplicate
/// key stays.
fn without_doubles(mut entries: Vec<(Vec<u8>, Exact)>) -> Vec<(Vec<u8>, Exact)> {
    crate::text::sort_by(&mut entries, |(one, _), (other, _)| one.cmp(other));
    let mut kept: Vec<(Vec<u8>, Exact)> = Vec::with_capacity(entries.len());
    for entry in entries {
        match kept.last_mut().filter(|(key, _)| *key == entry.0) {
            Some(last) => *last = entry,
            None => kept.push(entry),
        }
    }
    kept
}

fn string(quoted: &str) -> Vec<u8> {
    let inner = Raw { text: quoted, start: 0 }.quoted().unwrap_or_default();
    if inner.as_bytes().contains(&b'\\') { unescaped(inner) } else { inner.as_bytes().to_vec() }
}

/// The text between the quotes of a JSON text, unescaped.
pub(super) fn unescaped(inner: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(inner.len());
    let mut bytes = inner.bytes();
    // The first half of a surrogate pair, which waits for the second.
    let mut half = None;
    while let Some(byte) = bytes.next() {
        let point = match byte {
            b'\\' => match bytes.next() {
                Some(b'u') => hex(&mut bytes),
                Some(b'b') => 8,
                Some(b'f') => 12,
                Some(b'n') => 10,
                Some(b'r') => 13,
                Some(b't') => 9,
                Some(other) => u32::from(other),
                None => break,
            },
            byte => {
                flush(&mut half, &mut out);
                out.push(byte);
                continue;
            }
        };
        match (half, point) {
            (Some(high), 0xdc00..=0xdfff) => {
                half = None;
                push_point(0x1_0000 + ((high - 0xd800) << 10) + (point - 0xdc00), &mut out);
            }
            (_, 0xd800..=0xdbff) => {
                flush(&mut half, &mut out);
                half = Some(point);
            }
            _ => {
                flush(&mut half, &mut out);
                push_point(point, &mut out);
            }
        }
    }
    flush(&mut half, &mut out);
    out
}

fn flush(half: &mut Option<u32>, out: &mut Vec<u8>) {
    if let Some(point) = half.take() {
        push_point(point, out);
    }
}

fn hex(bytes: &mut std::str::Bytes<'_>) -> u32 {
    let digits = bytes.by_ref().take(4);
    digits.fold(0, |sum, byte| sum * 16 + char::from(byte).to_digit(16).unwrap_or(0))
}

/// Appends a code point in UTF-8, extended to halves of surrogate pairs.
fn push_point(point: u32, out: &mut Vec<u8>) {
    let tail = |shift: u32| 0x80 | u8::try_from(point >> shift & 0x3f).unwrap_or(0);
    let head = |mark: u8, shift: u32| mark | u8::try_from(point >> shift).unwrap_or(0);
    match point {
        0..=0x7f => out.push(head(0, 0)),
        0x80..=0x7ff => out.extend([head(0xc0, 6), tail(0)]),
        0x800..=0xffff => out.extend([head(0xe0, 12), tail(6), tail(0)]),
        _ => out.extend([head(0xf0, 18), tail(12), tail(6), tail(0)]),
    }
}

/// The code points of such a text.
pub(super) fn points(text: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let mut bytes = text.iter().copied();
    std::iter::from_fn(move || {
        let first = bytes.next()?;
        let (count, mut point) = match first {
            0..=0x7f => (0, u32::from(first)),
            0x80..=0xdf => (1, u32::from(first & 0x1f)),
            0xe0..=0xef => (2, u32::from(first & 0x0f)),
            _ => (3, u32::from(first & 0x07)),
        };
        for byte in bytes.by_ref().take(count) {
            point = point << 6 | u32::from(byte & 0x3f);
        }
        Some(point)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_pairs_and_halves() {
        let text = |source: &str| points(&string(source)).collect::<Vec<_>>();
        assert_eq!(text(r#""a\u00e9\n\/é""#), [0x61, 0xe9, 10, 0x2f, 0xe9]);
        assert_eq!(text(r#""\ud83d\ude00😀""#), [0x1f600, 0x1f600]);
        assert_eq!(text(r#""\ud83dx\ude00\ud83d""#), [0xd83d, 0x78, 0xde00, 0xd83d]);
        assert_eq!(text(r#""\ud83d\ud83d\ude00""#), [0xd83d, 0x1f600]);
    }

    #[test]
    fn the_last_of_two_values_counts() {
        assert_eq!(read(r#"{"b": 1, "a": 2, "b": 3}"#), read(r#"{"a": 2, "b": 3}"#));
        assert_eq!(read("1 2").unwrap_err().at, 2);
    }
}
