//! The bodies of requests and responses in cassettes: as text, in base64, compressed.

use serde_json::Value;

use crate::encoding::base64;
use crate::parse::json_exactly;
use crate::wire::bedrock::frames_as_events;

/// A body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Body {
    #[default]
    None,
    Text(String),
    /// A cassette may hold JSON as data.
    Data(Value),
    /// An unreadable one, with the reason and its form in the cassette.
    Unread(Unreadable, Value),
}

/// Why a body cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unreadable {
    NotBase64,
    NotUtf8,
    /// The data does not match its declared encoding.
    Broken(&'static str),
    BrokenOrLarge(&'static str),
    /// It is packed in a way that is not read.
    Packing(String),
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotBase64 => f.write_str("it is not base64"),
            Self::NotUtf8 => f.write_str("it is not UTF-8 text"),
            Self::Broken(packing) => write!(f, "its {packing} data is damaged"),
            Self::BrokenOrLarge(packing) => write!(f, "its {packing} data is damaged or too large"),
            Self::Packing(packing) => write!(f, "its encoding {packing} is not supported"),
        }
    }
}

/// The maximum size of an unpacked body in bytes.
const MOST: usize = 64 << 20;

impl Body {
    /// The body as data, where it is JSON.
    pub(super) fn data(&self) -> Option<Value> {
        match self {
            Body::Text(text) => json_exactly(text.trim_start_matches('\u{feff}')),
            Body::Data(value) => Some(value.clone()),
            Body::None | Body::Unread(..) => None,
        }
    }

    /// The body to be kept: JSON as data, other text as text.
    pub(super) fn to_value(&self) -> Value {
        match self {
            Body::None => Value::Null,
            Body::Text(text) => self.data().unwrap_or_else(|| text.as_str().into()),
            Body::Data(value) => value.clone(),
            Body::Unread(_, written) => written.clone(),
        }
    }

    /// A body of bytes, encoded according to the header `encoding`. `written` is its form in the cassette.
    pub(super) fn from_bytes(bytes: Vec<u8>, encoding: &str, written: Value) -> Self {
        match unpacked(bytes, encoding) {
            Ok(bytes) => match frames_as_events(&bytes).map_or_else(|| String::from_utf8(bytes), Ok) {
                Ok(text) if text.is_empty() => Body::None,
                Ok(text) => Body::Text(text),
                Err(_) => Body::Unread(Unreadable::NotUtf8, written),
            },
            Err(why) => Body::Unread(why, written),
        }
    }

    /// A body in base64.
    pub(super) fn from_base64(text: &str, encoding: &str) -> Self {
        match base64::decode(text) {
            Some(bytes) => Self::from_bytes(bytes, encoding, text.into()),
            None => Body::Unread(Unreadable::NotBase64, text.into()),
        }
    }
}

/// Unpacks a body. An unpacked one is unchanged, whatever the header is: many cassettes have unpacked bodies
/// under the headers of packed ones.
fn unpacked(bytes: Vec<u8>, encoding: &str) -> Result<Vec<u8>, Unreadable> {
    let encoding = encoding.trim().to_ascii_lowercase();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return gzip(&bytes).ok_or(Unreadable::BrokenOrLarge("gzip"));
    }
    if std::str::from_utf8(&bytes).is_ok_and(|text| !text.contains('\0')) {
        return Ok(bytes);
    }
    match encoding.as_str() {
        "deflate" => inflate(&bytes).ok_or(Unreadable::BrokenOrLarge("deflate")),
        "" | "identity" => Ok(bytes),
        "gzip" | "x-gzip" => Err(Unreadable::Broken("gzip")),
        "br" => Err(Unreadable::Packing("Brotli".to_owned())),
        other => Err(Unreadable::Packing(format!("`{other}`"))),
    }
}

fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};
    decompress_to_vec_zlib_with_limit(bytes, MOST).or_else(|_| decompress_to_vec_with_limit(bytes, MOST)).ok()
}

/// RFC 1952: ten bytes, the optional fields of the flags, the data, and a sum at the end.
fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let flags = *bytes.get(3)?;
    let mut at = 10;
    if flags & 4 != 0 {
        let length = bytes.get(at..at + 2)?;
        at += 2 + usize::from(*length.first()?) + (usize::from(*length.get(1)?) << 8);
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += bytes.get(at..)?.iter().position(|byte| *byte == 0)? + 1;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    miniz_oxide::inflate::decompress_to_vec_with_limit(bytes.get(at..)?, MOST).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The examples of RFC 4648, section 10.
    #[test]
    fn packed_bodies_are_unpacked_within_bounds() {
        let of = |bytes: &[u8], encoding: &str| Body::from_bytes(bytes.to_vec(), encoding, Value::Null);
        // Written by `python3 -c "import gzip; print(gzip.compress(b'{\"a\": 1}', mtime=0))"`.
        let packed = base64::decode("H4sIAAAAAAACA6tWSlSyUjCsBQCXjqH7CAAAAA==").unwrap();
        assert_eq!(of(&packed, "gzip").data(), Some(json!({"a": 1})));
        assert_eq!(of(&packed, "").data(), Some(json!({"a": 1})));
        let raw = miniz_oxide::deflate::compress_to_vec(b"[1]", 6);
        let zlib = miniz_oxide::deflate::compress_to_vec_zlib(b"[1, 2, 3, 4, 5, 6, 7]", 6);
        assert_eq!(of(&zlib, "deflate").data(), Some(json!([1, 2, 3, 4, 5, 6, 7])));
        assert_eq!(of(&raw, "deflate").data(), Some(json!([1])));
        // Unpacked already.
        assert_eq!(of(b"{}", "gzip").data(), Some(json!({})));
        let brotli = of(&[0x0b, 0x01, 0x80, 0xff, 0x03], "br");
        assert_eq!(brotli, Body::Unread(Unreadable::Packing("Brotli".to_owned()), Value::Null));
        assert!(matches!(of(&packed[..14], "gzip"), Body::Unread(..)));
        assert!(matches!(of(&[0xff, 0xfe, 0x00], ""), Body::Unread(..)));
    }
}
