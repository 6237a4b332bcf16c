//! Diagnostics of requests: repeated or late results, and responses without a call.

use serde_json::Value;

use super::receive::may_answer;
use super::{Conversation, ToolOutcome, message_key, result_and_error};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::import::unanswered;
use crate::text::{JsonMap, Set, Span, Table, json};
use crate::wire::{self, Message, ToolCall};
use crate::write::Entries;

/// A call without a result so far: a turn holds the place of the result until all is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingResult {
    /// The place of its run among the turns, and of its message.
    pub turn: usize,
    pub known: usize,
    /// How often models were called when it was made.
    pub call_count: usize,
    /// Whether its result came later.
    pub is_resolved: bool,
}

/// The notes so far.
#[derive(Debug, Default)]
pub(super) struct Notes {
    list: Vec<Diagnostic>,
    /// Data without a place in the run.
    pub unmapped: Vec<Value>,
    /// What is already kept in `metadata`, as every later request repeats it.
    again: Set<String>,
    /// The roles that were reported.
    roles: Set<String>,
    /// How many pending results have come so far.
    pub(super) resolved_count: usize,
}

/// Calls without a result when the model went on, by their ids.
pub(super) type PendingResults = Table<String, PendingResult>;

impl Conversation {
    /// Returns and clears the diagnostics.
    pub(in crate::import) fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.notes.list)
    }

    /// Sets the place of the entry added next.
    pub(in crate::import) fn set_place(&mut self, span: Span) {
        self.span = span;
    }

    /// Returns the model calls before which results are missing: how many, and the place of the call.
    pub(in crate::import) fn missing_results(&mut self) -> Vec<(usize, Span)> {
        self.missing.iter().copied().filter(|(lost, _)| *lost > 0).collect()
    }

    /// Excludes that many missing results before the last model call: the log gives a reason for them.
    pub(in crate::import) fn excuse_missing_results(&mut self, count: usize) {
        if let Some((lost, _)) = self.missing.last_mut() {
            *lost = lost.saturating_sub(count);
        }
    }

    pub(super) fn note(&mut self, severity: Severity, message: String, help: &'static str) {
        self.diagnose(codes::LOG_PAIR, severity, message, help);
    }

    fn diagnose(&mut self, code: &'static str, severity: Severity, message: String, help: &'static str) {
        self.notes.list.push(Diagnostic::new(code, severity, self.span, message).help(help));
    }

    /// Notes an unknown role; once for each.
    pub(super) fn note_role(&mut self, original_id: &str, has_calls: bool, help: &'static str) {
        if self.notes.roles.insert(original_id.to_owned()) {
            let message = match has_calls && wire::role(original_id).is_some() {
                true => {
                    format!("a message with the role `{original_id}` has calls")
                }
                false => format!("unknown role `{original_id}`"),
            };
            self.diagnose(codes::LOG_ENTRY, Severity::Warning, message, help);
        }
    }

    pub(super) fn note_renamed(&mut self, original_id: &str, id: &str) {
        let message = format!("another conversation of the log has a call `{original_id}`");
        let message = format!("{message}, so this one is `{id}`");
        self.note(Severity::Info, message, "the request starts differently, so it is another conversation");
    }

    pub(super) fn note_unrecorded_answers(&mut self, count: usize) {
        let message = match count {
            1 => "the request has a response that is not from a call of the log".to_owned(),
            count => format!("the request has {count} responses that are not from a call of the log"),
        };
        self.note(Severity::Warning, message, "it is imported as a message");
    }

    /// Keeps a second result of a call in the same request in `metadata.recording`.
    pub(super) fn keep_repeated_result(&mut self, message: &Message) {
        if self.notes.again.insert(message_key(message)) {
            self.keep_extra_result(message);
        }
    }

    /// Keeps the facts about a tool run without a known result in the metadata of the transcript.
    pub(super) fn keep_run(&mut self, call: &ToolCall, run: ToolOutcome) {
        let kept = Entries::default()
            .with("tool_call_id", Some(Value::from(call.id.as_str())))
            .with("tool_name", Some(Value::from(call.name.as_str())))
            .with("timestamp", run.time.map(Value::from))
            .with("metadata", (!run.about.is_empty()).then(|| run.about.into()));
        self.notes.unmapped.push(kept.into_value());
    }

    /// Keeps a second result of a call in `metadata.recording`.
    pub(super) fn keep_extra_result(&mut self, message: &Message) {
        let id = message.tool_call_id.clone().unwrap_or_default();
        let text = format!("the call `{id}` already has a result");
        self.note(Severity::Warning, text, "this one is kept in `metadata`");
        let others = (!message.others.is_empty()).then(|| Value::Object(message.others.clone()));
        let kept = Entries::default()
            .with("tool_call_id", Some(Value::from(id)))
            .with("tool_name", message.name.as_deref().map(Value::from))
            .with("content", message.content.clone())
            .with("metadata", others);
        self.notes.unmapped.push(kept.into_value());
    }

    /// Takes a result for a call with a placeholder, and returns the id of the stored message that it
    /// becomes; `None` for any other message.
    pub(super) fn take_pending_result(&mut self, message: &Message) -> Option<&str> {
        let is_tool = message.role == "tool";
        let id = match &message.tool_call_id {
            _ if !is_tool => return None,
            Some(id) => id.clone(),
            None => self.pending_call_by_name(message)?,
        };
        let known = self.pending.get(&id).filter(|pending| !pending.is_resolved)?.known;
        self.fill_pending_result(
            &Message { tool_call_id: Some(id), ..message.clone() },
            ToolOutcome::default(),
        );
        if message.tool_call_id.is_none() {
            self.lane_mut().by_key.entry(message_key(message)).or_default().push(known);
        }
        Some(self.stored.get(known)?.id.as_str())
    }

    /// The first call with a placeholder result that the message, which lacks an id, may answer.
    pub(super) fn pending_call_by_name(&self, message: &Message) -> Option<String> {
        let lane = self.lane()?;
        if self.pending.len() == self.notes.resolved_count
            || lane.open.iter().chain(&lane.history_calls).any(|call| may_answer(call, message))
        {
            return None;
        }
        let is_of = |turn: usize| {
            let tool =
                self.run.turns.get(turn).and_then(|turn| turn.get("tool_call")?.get("tool_name")?.as_str());
            message.name.as_deref().is_none_or(|name| tool == Some(name))
        };
        let pending = self.pending.iter().filter(|(_, pending)| !pending.is_resolved && is_of(pending.turn));
        pending.min_by_key(|(_, pending)| pending.turn).map(|(id, _)| id.clone())
    }

    /// Whether a message is a second result of a call.
    pub(super) fn is_answered(&self, message: &Message) -> bool {
        let id = message.tool_call_id.as_ref().filter(|_| message.role == "tool");
        id.is_some_and(|id| self.answered_calls.contains(id))
    }

    /// Replaces the placeholder of a call by its late result; `false` if the call already has a real one.
    pub(in crate::import) fn fill_pending_result(
        &mut self,
        message: &Message,
        tool_outcome: ToolOutcome,
    ) -> bool {
        let id = message.tool_call_id.clone().unwrap_or_default();
        let Some(pending) = self.pending.get_mut(&id).filter(|pending| !pending.is_resolved) else {
            return false;
        };
        pending.is_resolved = true;
        let PendingResult { turn, known, call_count, .. } = *pending;
        if let Some((lost, _)) = call_count.checked_sub(1).and_then(|at| self.missing.get_mut(at)) {
            *lost = lost.saturating_sub(1);
        }
        self.notes.resolved_count += 1;
        let (result, error) = result_and_error(message, tool_outcome.result, tool_outcome.error);
        if let Some(turn) = self.run.turns.get_mut(turn) {
            if let Some(Value::Object(run)) = turn.get_mut("tool_call") {
                run.put("success", error.is_none().into());
                run.put("result", result);
                run.put("error", json!(error));
            }
            if let Some(Value::Object(created)) = turn.get_mut("message_created") {
                created.put("content", message.content.clone());
                if !message.others.is_empty() {
                    created.put("metadata", Value::Object(message.others.clone()));
                }
            }
        }
        self.lane_mut().by_key.entry(message_key(message)).or_default().push(known);
        let text = format!("the result of the call `{id}` comes after another model response");
        self.note(Severity::Warning, text, "in the run it comes before that response");
        true
    }

    /// Removes placeholders for results that never came: their calls are unanswered, and the answers that
    /// made the calls are marked.
    pub(super) fn remove_placeholders(&mut self) {
        let absent = || self.pending.iter().filter(|(_, pending)| !pending.is_resolved);
        let ids: Set<String> = absent().map(|(id, _)| id.clone()).collect();
        if ids.is_empty() {
            return;
        }
        let turns: Set<usize> = absent().map(|(_, pending)| pending.turn).collect();
        let known: Set<usize> = absent().map(|(_, pending)| pending.known).collect();
        remove_at(&mut self.run.turns, &turns);
        remove_at(&mut self.stored, &known);
        unanswered::number(&mut self.run.turns);
        self.run.mark_unanswered(&ids);
    }

    /// The metadata of a run, with data that has no place in it.
    pub(super) fn with_unmapped(&mut self, mut metadata: Value) -> Value {
        let unmapped = std::mem::take(&mut self.notes.unmapped);
        if unmapped.is_empty() {
            return metadata;
        }
        if !metadata.is_object() {
            metadata = json!({});
        }
        if let Some(metadata) = metadata.as_object_mut()
            && let Value::Object(recording) = metadata.entry("recording").or_insert_with(|| json!({}))
            && let Value::Array(results) = recording.entry("results").or_insert_with(|| json!([]))
        {
            results.extend(unmapped);
        }
        metadata
    }
}

/// The message for a result without a call.
pub(super) fn no_call(id: &str) -> String {
    match id {
        "" => "this result has no earlier call".to_owned(),
        id => format!("the call `{id}` is missing before its result"),
    }
}

/// Removes the items at some indexes from a list.
fn remove_at<T>(items: &mut Vec<T>, places: &Set<usize>) {
    let mut at = 0;
    items.retain(|_| {
        at += 1;
        !places.contains(&(at - 1))
    });
}
