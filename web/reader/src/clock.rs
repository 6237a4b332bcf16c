//! When steps began and how long they took, as far as the document says.

use transcript_core::document::Document;
use transcript_core::model::{Message, Role, Turn, TurnKind};
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

/// The formats of logs whose entries have the time they were written: a step ends at its timestamp.
const WRITTEN_AT_END: &str = " claude-code codex copilot-cli factory-droid gemini-cli google-adk iflow kimi \
    langgraph letta managed-agents openhands pi pydantic-ai qbit qwen-code tau-bench ";

/// What the timestamps of a document mean.
#[derive(Clone, Copy)]
pub(crate) struct Clock {
    /// Whether a model or tool call has the time of its end.
    is_end: bool,
}

impl Clock {
    pub(crate) fn of(document: &Document) -> Self {
        let recording =
            document.timeline().and_then(|timeline| timeline.transcript().metadata.get("recording"));
        let format = recording.and_then(|recording| recording.get("format")?.as_str());
        Self { is_end: format.is_some_and(|format| WRITTEN_AT_END.contains(&format!(" {format} "))) }
    }

    /// When a step began.
    pub(crate) fn began(self, timeline: &Timeline, step: usize) -> Option<f64> {
        let turn = timeline.turn_at(step)?;
        let time = timestamp(turn)?;
        match self.is_end && is_call(turn) {
            true => Some(time - self.took(timeline, step).unwrap_or(0.0)),
            false => Some(time),
        }
    }

    /// How long a step took, in milliseconds: as it says, else the time to the next step, or from the one before if
    /// timestamps are ends. A turn that a person wrote begins when the person is ready: the time before it does not count.
    pub(crate) fn took(self, timeline: &Timeline, step: usize) -> Option<f64> {
        let turn = timeline.turn_at(step)?;
        let rests = [Some(&turn.rest), turn.tool.as_ref().map(|tool| &tool.rest)];
        let reported = rests.into_iter().flatten().find_map(|rest| {
            DURATIONS.iter().find_map(|(key, factor)| Some(rest.get(key)?.as_f64()? * factor))
        });
        let between = || match self.is_end {
            true => Some(timestamp(turn).filter(|_| is_call(turn))? - end_before(timeline, step)?),
            false => {
                let next = timeline.turn_at(step + 1).filter(|next| !is_of_person(next))?;
                Some(timestamp(next)? - timestamp(turn)?)
            }
        };
        reported.or_else(between).filter(|took| *took >= 0.0)
    }
}

/// The most steps without a timestamp in sequence: the results of parallel calls that came in another order.
const UNTIMED: usize = 64;

/// The timestamp of the step before that has one, or of the last message before the run.
fn end_before(timeline: &Timeline, step: usize) -> Option<f64> {
    for before in (step.saturating_sub(UNTIMED).max(1)..step).rev() {
        let time = timeline.turn_at(before).and_then(timestamp);
        if time.is_some() {
            return time;
        }
    }
    message_time(timeline.transcript().initial.last()?)
}

fn timestamp(turn: &Turn) -> Option<f64> {
    let own = turn.timestamp.as_ref().and_then(|time| instant(&time.value));
    own.or_else(|| message_time(turn.created.as_ref()?))
}

fn message_time(message: &Message) -> Option<f64> {
    instant(&message.details.as_ref()?.timestamp.as_ref()?.value)
}

/// Whether a turn is a call of a model or a tool, which takes time.
fn is_call(turn: &Turn) -> bool {
    matches!(turn.kind.value, TurnKind::LlmCall | TurnKind::ToolCall)
}

/// Whether a person wrote what the turn holds.
pub(crate) fn is_of_person(turn: &Turn) -> bool {
    turn.created.as_ref().is_some_and(|message| message.role.value == Role::User)
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::document::Limits;

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
        let (clock, timeline) = (Clock::of(&document), document.timeline().unwrap());
        let all: Vec<Option<f64>> = (0..=4).map(|step| clock.took(timeline, step)).collect();
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
        let (clock, timeline) = (Clock::of(&document), document.timeline().unwrap());
        let all: Vec<Option<f64>> = (0..=3).map(|step| clock.took(timeline, step)).collect();
        assert_eq!(all, [None, Some(2_000.0), Some(12.0), None]);
        assert_eq!(clock.began(timeline, 3), instant("2025-01-13T10:31:02Z"));
    }

    #[test]
    fn the_steps_of_a_session_log_end_at_their_timestamps() {
        let text = "metadata: {recording: {format: claude-code}}\n\
            initial_state:\n  message_store: [{role: user, content: Hi, timestamp: '2025-01-13T10:30:00Z'}]\n\
            execution:\n\
            - {turn: 1, type: llm_call, timestamp: '2025-01-13T10:30:07Z', llm_response: {role: assistant, content: Hello}}\n\
            - {turn: 2, type: tool_call, timestamp: '2025-01-13T10:30:37Z', tool_call: {tool_name: a, result: 1}}\n\
            - {turn: 3, type: tool_call, timestamp: '2025-01-13T10:30:39Z', tool_call: {tool_name: a, result: 1, duration_ms: 500}}\n\
            - {turn: 4, type: message, timestamp: '2025-01-14T08:00:00Z', message_created: {role: user, content: Bye}}\n\
            - {turn: 5, type: llm_call, timestamp: '2025-01-14T08:00:03Z', llm_response: {role: assistant, content: Bye}}\n";
        let document = Document::open(text, &Limits::default());
        let (clock, timeline) = (Clock::of(&document), document.timeline().unwrap());
        let all: Vec<Option<f64>> = (0..=5).map(|step| clock.took(timeline, step)).collect();
        assert_eq!(all, [None, Some(7_000.0), Some(30_000.0), Some(500.0), None, Some(3_000.0)]);
        let began: Vec<Option<f64>> = (1..=5).map(|step| clock.began(timeline, step)).collect();
        let times = ["13T10:30:00", "13T10:30:07", "13T10:30:38.5", "14T08:00:00", "14T08:00:00"];
        assert_eq!(began, times.map(|time| instant(&format!("2025-01-{time}Z"))));
    }

    #[test]
    fn the_formats_exist() {
        let known: Vec<&str> =
            transcript_core::import::formats().iter().flat_map(|format| format.names).copied().collect();
        for name in WRITTEN_AT_END.split_whitespace() {
            assert!(known.contains(&name), "{name}: {known:?}");
        }
    }
}
