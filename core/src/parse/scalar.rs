//! Plain scalars by the core schema of YAML 1.2.2, section 10.3.2.

use serde_json::Number;

use super::exact::LAST_DIGITS;
use super::node::Data;

/// What a plain scalar is, and whether it lost something on the way to JSON's kinds of data.
pub(super) struct Resolved {
    pub data: Data,
    /// Why the data is not quite what the text says.
    pub loss: Option<&'static str>,
}

/// Resolves the text of an untagged plain scalar.
pub(super) fn resolve(text: &str) -> Resolved {
    let exact = |data| Resolved { data, loss: None };
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return exact(Data::Null),
        "true" | "True" | "TRUE" => return exact(Data::Bool(true)),
        "false" | "False" | "FALSE" => return exact(Data::Bool(false)),
        _ => {}
    }
    let first = text.as_bytes().first().copied().unwrap_or(b' ');
    if !(first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.')) {
        return exact(Data::Str(text.into()));
    }
    if let Some(resolved) = integer(text).or_else(|| float(text)) {
        return resolved;
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let loss = matches!(unsigned, ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN")
        .then_some("is not a number that JSON knows, so it is kept as a text");
    Resolved { data: Data::Str(text.into()), loss }
}

fn integer(text: &str) -> Option<Resolved> {
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok().map(Number::from);
    let plain = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = if let Some(digits) = text.strip_prefix("0o").filter(|digits| !digits.starts_with('+')) {
        radix(digits, 8)
    } else if let Some(digits) = text.strip_prefix("0x").filter(|digits| !digits.starts_with('+')) {
        radix(digits, 16)
    } else if plain(text.strip_prefix(['-', '+']).unwrap_or(text)) {
        let digits = text.strip_prefix('+').unwrap_or(text);
        match digits.parse::<i64>() {
            Ok(value) => Some(value.into()),
            Err(_) => digits
                .parse::<u64>()
                .ok()
                .map(Number::from)
                .or_else(|| digits.parse::<f64>().ok().and_then(Number::from_f64)),
        }
    } else {
        None
    }?;
    let loss = number.is_f64().then_some(LAST_DIGITS);
    Some(Resolved { data: Data::Number(number), loss })
}

/// Reads `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
fn float(text: &str) -> Option<Resolved> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mantissa_ok = digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty());
    let exponent_ok = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    if !(mantissa_ok && exponent_ok) {
        return None;
    }
    let value: f64 = text.strip_prefix('+').unwrap_or(text).parse().ok()?;
    match Number::from_f64(value) {
        Some(number) => Some(Resolved { data: Data::Number(number), loss: None }),
        None => Some(Resolved {
            data: Data::Str(text.into()),
            loss: Some("is too large for a number, so it is kept as a text"),
        }),
    }
}
