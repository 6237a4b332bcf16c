//! When steps began and how long they took, as far as the document says.

use transcript_core::model::{Role, Turn};
use transcript_core::replay::Timeline;
use transcript_core::time::epoch_nanoseconds;

/// The keys under which programs write how long a thing took, with what makes milliseconds of their values.
const DURATIONS: [(&str, f64); 5] = [
    ("duration_ms", 1.0),
    ("latency_ms", 1.0),
    ("execution_time_ms", 1.0),
    ("duration_seconds", 1_000.0),
    ("duration_s", 1_000.0),
];

/// Milliseconds since 1970 of a time as ISO 8601 writes it; a zone may be missing, and is UTC then.
pub(crate) fn instant(text: &str) -> Option<f64> {
    let mut text = text.trim().replacen(',', ".", 1);
    if text.is_char_boundary(16) && text.as_bytes().get(16) != Some(&b':') {
        text.insert_str(16, ":00");
    }
    // An offset without a colon.
    let minutes = text.len().saturating_sub(2);
    if matches!(text.as_bytes().get(minutes.saturating_sub(3)), Some(b'+' | b'-'))
        && text.is_char_boundary(minutes)
    {
        text.insert(minutes, ':');
    }
    let nanoseconds = epoch_nanoseconds(&text)?;
    Some((nanoseconds / 1_000_000) as f64 + (nanoseconds % 1_000_000) as f64 / 1e6)
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
/// when the person is ready, so that the time before it does not count.
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
    use transcript_core::document::{Document, Limits};

    #[test]
    fn times_are_read_with_zones_and_parts_of_a_second() {
        assert_eq!(instant("1970-01-01T00:00:00Z"), Some(0.0));
        assert_eq!(instant("2000-03-01T00:00:00Z"), Some(951_868_800_000.0));
        assert_eq!(instant("2025-01-13T10:30:01.5+02:00"), instant("2025-01-13 08:30:01.500"));
        assert_eq!(instant("2025-01-13T10:30:01,5+0200"), instant("2025-01-13 08:30:01.500"));
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
