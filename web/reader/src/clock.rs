//! When steps began and how long they took, as far as the document tells.

use transcript_core::model::{Role, Turn};
use transcript_core::replay::Timeline;

/// The keys under which programs write how long a thing took, with what makes milliseconds of their values.
const DURATIONS: [(&str, f64); 5] = [
    ("duration_ms", 1.0),
    ("latency_ms", 1.0),
    ("execution_time_ms", 1.0),
    ("duration_seconds", 1_000.0),
    ("duration_s", 1_000.0),
];

/// Milliseconds since 1970 of a time as RFC 3339 writes it; a zone may be missing, and is UTC then.
pub(crate) fn instant(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let sign = |at: usize| text.as_bytes().get(at).copied();
    let shaped =
        sign(4) == Some(b'-') && sign(7) == Some(b'-') && matches!(sign(10), Some(b'T' | b't' | b' '));
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute) = (number(11, 13)?, number(14, 16)?);
    if !shaped || sign(13) != Some(b':') || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let mut at = 16;
    let mut seconds = 0.0;
    if sign(at) == Some(b':') {
        seconds = number(17, 19)? as f64;
        at = 19;
        if matches!(sign(at), Some(b'.' | b',')) {
            let length = text.get(at + 1..)?.bytes().take_while(u8::is_ascii_digit).count();
            seconds += format!("0.{}", text.get(at + 1..at + 1 + length)?).parse::<f64>().ok()?;
            at += 1 + length;
        }
    }
    let zone = match (text.get(at..)?, sign(at)) {
        ("" | "Z" | "z", _) => 0,
        (_, Some(sign @ (b'+' | b'-'))) => {
            let minutes =
                number(at + 1, at + 3)? * 60 + number(at + 4, at + 6).or_else(|| number(at + 3, at + 5))?;
            if sign == b'+' { minutes } else { -minutes }
        }
        _ => return None,
    };
    let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - zone;
    Some(minutes as f64 * 60_000.0 + seconds * 1_000.0)
}

/// The days from 1970 to a day of the Gregorian calendar, counted in years that begin in March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - 719_468
}

/// When a turn began.
pub(crate) fn began(turn: &Turn) -> Option<f64> {
    let own = turn.timestamp.as_ref().map(|time| &time.value);
    let created = || turn.created.as_ref()?.details.as_ref()?.timestamp.as_ref().map(|time| &time.value);
    instant(own.or_else(created)?)
}

/// Whether a person wrote what the turn holds.
fn is_of_person(turn: &Turn) -> bool {
    turn.created.as_ref().is_some_and(|message| message.role.value == Role::User)
}

/// How long a turn took, in milliseconds: as it says, else until the next one began. A turn that a person wrote begins
/// when the person is ready, so that the time before it is nobody's work.
pub(crate) fn took(timeline: &Timeline, step: usize) -> Option<f64> {
    let turn = timeline.turn_at(step)?;
    let rests = [Some(&turn.rest), turn.tool.as_ref().map(|tool| &tool.rest)];
    let reported = rests
        .into_iter()
        .flatten()
        .find_map(|rest| DURATIONS.iter().find_map(|(key, factor)| Some(rest.get(key)?.as_f64()? * factor)));
    let until_next = || {
        let next = timeline.turn_at(step + 1).filter(|next| !is_of_person(next))?;
        Some(began(next)? - began(turn)?)
    };
    reported.or_else(until_next).filter(|took| *took >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::view::{Document, Limits};

    #[test]
    fn times_are_read_with_zones_and_parts_of_a_second() {
        assert_eq!(instant("1970-01-01T00:00:00Z"), Some(0.0));
        assert_eq!(instant("2000-03-01T00:00:00Z"), Some(951_868_800_000.0));
        assert_eq!(instant("2025-01-13T10:30:01.5+02:00"), instant("2025-01-13 08:30:01.500"));
        assert_eq!(instant("2025-01-13T10:30"), instant("2025-01-13T10:30:00Z"));
        for no in ["", "yesterday", "2025-13-01T00:00:00Z", "2025-01-13", "2025-01-13T10:30:01 later"] {
            assert_eq!(instant(no), None, "{no}");
        }
    }

    #[test]
    fn the_pause_of_a_person_is_nobodys_time() {
        let text = "execution:\n\
            - {turn: 1, type: message, timestamp: '2025-01-13T10:30:00Z', message_created: {role: user, content: Hi}}\n\
            - {turn: 2, type: llm_call, timestamp: '2025-01-13T10:30:02Z', llm_response: {role: assistant, content: Hello}}\n\
            - {turn: 3, type: message, timestamp: '2025-01-14T08:21:02Z', message_created: {role: user, content: Bye}}\n\
            - {turn: 4, type: llm_call, timestamp: '2025-01-14T08:21:05Z', llm_response: {role: assistant, content: Bye}}\n";
        let document = Document::open(text, &Limits::default());
        let timeline = document.timeline().unwrap();
        let all: Vec<Option<f64>> = (0..=4).map(|step| took(timeline, step)).collect();
        // 21 hours and 51 minutes pass between the answer and the next message.
        assert_eq!(all, [None, Some(2_000.0), None, Some(3_000.0), None]);
    }

    #[test]
    fn a_turn_takes_what_it_says_or_lasts_until_the_next() {
        let text = "execution:\n\
            - {turn: 1, type: message, timestamp: '2025-01-13T10:30:00Z', message_created: {role: user, content: Hi}}\n\
            - {turn: 2, type: tool_call, timestamp: '2025-01-13T10:30:02Z', tool_call: {tool_name: a, result: 1, duration_ms: 12}}\n\
            - {turn: 3, type: message, message_created: {role: user, content: Bye, timestamp: '2025-01-13T10:31:02Z'}}\n";
        let document = Document::open(text, &Limits::default());
        let timeline = document.timeline().unwrap();
        let all: Vec<Option<f64>> = (0..=3).map(|step| took(timeline, step)).collect();
        assert_eq!(all, [None, Some(2_000.0), Some(12.0), None]);
        assert_eq!(began(timeline.turn_at(3).unwrap()), instant("2025-01-13T10:31:02Z"));
    }
}
