//! MessagePack as JSON, with the extensions that LangGraph writes (`langgraph/checkpoint/serde/jsonplus.py`).

use serde_json::{Map, Value};

use crate::encoding::base64;
use crate::text::{json, text_or_json};

/// How deep values may be nested.
const DEPTH: usize = 100;

/// The value that the bytes are; `None` if they are none.
pub(super) fn read(bytes: &[u8]) -> Option<Value> {
    let mut rest = bytes;
    value(&mut rest, DEPTH).filter(|_| rest.is_empty())
}

/// The next bytes.
fn take<'b>(rest: &mut &'b [u8], size: usize) -> Option<&'b [u8]> {
    let (taken, after) = rest.split_at_checked(size)?;
    *rest = after;
    Some(taken)
}

/// The number in the next bytes.
fn number(rest: &mut &[u8], size: usize) -> Option<u64> {
    Some(take(rest, size)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// The size in the next `1 << log` bytes.
fn size(rest: &mut &[u8], log: u8) -> Option<usize> {
    usize::try_from(number(rest, 1 << log)?).ok()
}

fn value(rest: &mut &[u8], depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    let kind = *take(rest, 1)?.first()?;
    let low = usize::from(kind & 0x0f);
    Some(match kind {
        0..=0x7f => kind.into(),
        0x80..=0x8f => map(rest, low, depth)?,
        0x90..=0x9f => list(rest, low, depth)?,
        0xa0..=0xbf => text(rest, usize::from(kind & 0x1f))?,
        0xc2 | 0xc3 => (kind == 0xc3).into(),
        0xc4..=0xc6 => {
            let size = size(rest, kind - 0xc4)?;
            json!({ "base64": base64::encode(take(rest, size)?) })
        }
        0xc7..=0xc9 => {
            let size = size(rest, kind - 0xc7)?;
            extension(rest, size, depth)?
        }
        0xca => f64::from(f32::from_bits(u32::try_from(number(rest, 4)?).ok()?)).into(),
        0xcb => f64::from_bits(number(rest, 8)?).into(),
        0xcc..=0xcf => number(rest, 1 << (kind - 0xcc))?.into(),
        0xd0..=0xd3 => {
            let size = 1 << (kind - 0xd0);
            let unused = 64 - 8 * size;
            ((number(rest, size)?.cast_signed() << unused) >> unused).into()
        }
        0xd4..=0xd8 => extension(rest, 1 << (kind - 0xd4), depth)?,
        0xd9..=0xdb => {
            let size = size(rest, kind - 0xd9)?;
            text(rest, size)?
        }
        0xdc | 0xdd => {
            let size = size(rest, kind - 0xdb)?;
            list(rest, size, depth)?
        }
        0xde | 0xdf => {
            let size = size(rest, kind - 0xdd)?;
            map(rest, size, depth)?
        }
        0xe0.. => kind.cast_signed().into(),
        0xc0 => Value::Null,
        _ => return None,
    })
}

fn text(rest: &mut &[u8], size: usize) -> Option<Value> {
    std::str::from_utf8(take(rest, size)?).ok().map(Value::from)
}

fn list(rest: &mut &[u8], size: usize, depth: usize) -> Option<Value> {
    let mut out = Vec::new();
    for _ in 0..size {
        out.push(value(rest, depth)?);
    }
    Some(out.into())
}

fn map(rest: &mut &[u8], size: usize, depth: usize) -> Option<Value> {
    let mut out = Map::new();
    for _ in 0..size {
        let key = text_or_json(&value(rest, depth)?);
        out.insert(key, value(rest, depth)?);
    }
    Some(out.into())
}

/// An object of Python: a list of its module, its class and what makes it, which stands for it. The other extensions are a
/// value, and bytes.
fn extension(rest: &mut &[u8], size: usize, depth: usize) -> Option<Value> {
    let code = *take(rest, 1)?.first()?;
    let bytes = take(rest, size)?;
    let mut inner = bytes;
    let read = if code <= 7 { value(&mut inner, depth) } else { None };
    let read = match code {
        0..=5 => read.and_then(|mut parts| parts.get_mut(2).map(Value::take)),
        _ => read,
    };
    Some(read.unwrap_or_else(|| json!({ "extension": code, "base64": base64::encode(bytes) })))
}
