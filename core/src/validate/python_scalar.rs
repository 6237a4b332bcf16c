//! PyYAML's reading of a plain scalar: the types of YAML 1.1 in its resolver.

use crate::parse::Data;

/// A YAML 1.1 reading of a scalar that differs from that of YAML 1.2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reading {
    Bool(bool),
    Number(f64),
    Date,
    Text,
    /// `=` and `<<` have special types, which its safe loader refuses.
    Refused,
}

impl Reading {
    /// The reading as a phrase.
    pub(super) fn describe(self) -> String {
        match self {
            Reading::Bool(value) => value.to_string(),
            Reading::Number(value) => format!("the number {value}"),
            Reading::Date => "a date".to_owned(),
            Reading::Text => "a string".to_owned(),
            Reading::Refused => "an error".to_owned(),
        }
    }
}

/// How `text` is read, if not as `ours`.
pub(super) fn read(text: &str, ours: &Data) -> Option<Reading> {
    let reading = match text {
        "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Reading::Bool(true),
        "no" | "No" | "NO" | "off" | "Off" | "OFF" => Reading::Bool(false),
        "=" | "<<" => Reading::Refused,
        _ if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) => return None,
        _ => integer(text)
            .or_else(|| float(text))
            .map_or_else(|| if is_date(text) { Reading::Date } else { Reading::Text }, Reading::Number),
    };
    match (ours, reading) {
        (Data::Str(_), Reading::Text) => None,
        (Data::Number(number), Reading::Number(value)) if number.as_f64() == Some(value) => None,
        _ => Some(reading),
    }
}

fn sign(text: &str) -> (f64, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// The digits of `text` to a base, without underscores; `None` for any other character, or for
/// underscores alone.
fn digits(text: &str, radix: u32) -> Option<f64> {
    let mut value = None;
    for c in text.chars().filter(|c| *c != '_') {
        let digit = c.to_digit(radix)?;
        value = Some(value.unwrap_or(0.0) * f64::from(radix) + f64::from(digit));
    }
    value
}

fn integer(text: &str) -> Option<f64> {
    let (sign, body) = sign(text);
    let value = if let Some(bits) = body.strip_prefix("0b") {
        digits(bits, 2)
    } else if let Some(hex) = body.strip_prefix("0x") {
        digits(hex, 16)
    } else if body == "0" {
        Some(0.0)
    } else if body.starts_with('0') {
        if body.contains(':') { None } else { digits(body, 8) }
    } else if body.contains(':') {
        sexagesimal(body)
    } else if body.starts_with('_') {
        None
    } else {
        // The value as a double of all its digits at once, so that long ones compare equal.
        let plain: String = body.chars().filter(|c| *c != '_').collect();
        plain.bytes().all(|byte| byte.is_ascii_digit()).then(|| plain.parse().ok()).flatten()
    };
    value.map(|value: f64| sign * value)
}

/// `12:30:00` in base sixty.
fn sexagesimal(body: &str) -> Option<f64> {
    let mut parts = body.split(':');
    let first = parts.next().filter(|first| first.starts_with(|c: char| c.is_ascii_digit()))?;
    let mut value = digits(first, 10)?;
    for part in parts {
        let fits = matches!(part.len(), 1 | 2) && part.bytes().all(|byte| byte.is_ascii_digit());
        let number: f64 = part.parse().ok().filter(|number| fits && *number < 60.0)?;
        value = value * 60.0 + number;
    }
    Some(value)
}

fn float(text: &str) -> Option<f64> {
    let (sign, body) = sign(text);
    let (mantissa, exponent) = match body.find(['e', 'E']) {
        Some(at) => (body.get(..at)?, body.get(at + 1..)),
        None => (body, None),
    };
    let (whole, fraction) = mantissa.split_once('.')?;
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let starts = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    if whole.contains(':') {
        let plain: String = format!("0.{fraction}").chars().filter(|c| *c != '_').collect();
        let fits = exponent.is_none() && are_digits(fraction);
        return sexagesimal(whole)
            .filter(|_| fits)
            .map(|value| sign * (value + plain.parse().unwrap_or(0.0)));
    }
    // Without digits before the point, a sign is no part of a number, and an exponent needs its
    // sign.
    let begins = if whole.is_empty() { starts(fraction) && body.len() == text.len() } else { starts(whole) };
    let exponent_fits = exponent.is_none_or(|exponent| {
        exponent
            .strip_prefix(['-', '+'])
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    });
    if !begins || !are_digits(whole) || !are_digits(fraction) || !exponent_fits {
        return None;
    }
    let plain: String = body.chars().filter(|c| *c != '_').collect();
    plain.parse::<f64>().ok().map(|value| sign * value)
}

/// `2025-01-13`, or with a time behind it.
fn is_date(text: &str) -> bool {
    let time_at = text.find(['T', 't', ' ', '\t']);
    let (date, time) = text.split_at_checked(time_at.unwrap_or(text.len())).unwrap_or((text, ""));
    let parts: Vec<&str> = date.split('-').collect();
    let are_digits = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let [year, month, day] = parts.as_slice() else { return false };
    if year.len() != 4 || month.len() > 2 || day.len() > 2 || !parts.iter().all(are_digits) {
        return false;
    }
    if time.is_empty() {
        return month.len() == 2 && day.len() == 2;
    }
    let time = time.strip_prefix(['T', 't']).unwrap_or_else(|| time.trim_start_matches([' ', '\t']));
    let clock_end = time.find(|c: char| !(c.is_ascii_digit() || c == ':')).unwrap_or(time.len());
    let (clock, zone) = time.split_at_checked(clock_end).unwrap_or((time, ""));
    let lengths: Vec<usize> = clock.split(':').map(str::len).collect();
    let zone =
        zone.strip_prefix('.').map_or(zone, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    matches!(lengths.as_slice(), [1 | 2, 2, 2]) && is_zone(zone.trim_start_matches([' ', '\t']))
}

fn is_zone(zone: &str) -> bool {
    if matches!(zone, "" | "Z") {
        return true;
    }
    let Some(offset) = zone.strip_prefix(['-', '+']) else { return false };
    let (hours, minutes) = offset.split_once(':').unwrap_or((offset, "00"));
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(hours.len(), 1 | 2) && minutes.len() == 2 && are_digits(hours) && are_digits(minutes)
}
