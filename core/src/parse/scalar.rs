//! Plain scalars by the core schema of YAML 1.2.2, section 10.3.2.

use serde_json::Number;

use super::exact::Numbers;
use super::node::Data;

/// The data of a plain scalar, and whether JSON's kinds of data lose part of it.
pub(super) struct Resolved {
    pub data: Data,
    /// Why the data is not exactly the text.
    pub loss: Option<&'static str>,
}

/// Resolves the text of an untagged plain scalar.
pub(super) fn resolve(text: &str, numbers: Numbers) -> Resolved {
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
    if let Some(number) = radix(text) {
        return exact(Data::Number(number));
    }
    if is_decimal(text) {
        let (data, loss) = numbers.read(text);
        return Resolved { data, loss };
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let loss = matches!(unsigned, ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN")
        .then_some("is not a JSON number and is kept as a string");
    Resolved { data: Data::Str(text.into()), loss }
}

/// Reads a whole number in octal or hexadecimal digits.
fn radix(text: &str) -> Option<Number> {
    let (digits, radix) = match text.strip_prefix("0o") {
        Some(digits) => (digits, 8),
        None => (text.strip_prefix("0x")?, 16),
    };
    let digits = Some(digits).filter(|digits| !digits.starts_with('+'))?;
    u64::from_str_radix(digits, radix).ok().map(Number::from)
}

/// Whether a text is `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
pub(super) fn is_decimal(text: &str) -> bool {
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
    mantissa_ok && exponent_ok
}
