//! The events of a rollout: what was shown, which is part of the run if no item repeats it.

use serde_json::{Map, Value};

use super::{Reader, Record, assistant_item};
use crate::import::conversation::ToolOutcome;
use crate::import::items::{At, ResponseBuilder};
use crate::import::steps::{Step, StepKind};
use crate::text::JsonMap;
use crate::wire::{self, Message};
use crate::write::Entries;

impl Reader {
    pub(super) fn event(&mut self, record: Record) {
        let text = |key: &str| record.payload.get(key).and_then(Value::as_str).map(str::to_owned);
        match record.inner() {
            kind @ ("user_message" | "agent_message" | "agent_reasoning" | "agent_reasoning_raw_content") => {
                let content = text("message").or_else(|| text("text")).unwrap_or_default();
                if content.trim().is_empty() {
                    return self.keep_unmapped(record);
                }
                if self.mirror.has(kind, &content) {
                    return match has_other_content(&record.payload) {
                        true => self.keep_unmapped(record),
                        false => self.log.report.streamed.push(record.line),
                    };
                }
                match kind {
                    "user_message" => {
                        let mut others = wire::non_empty_except(&record.payload, &["type", "message"]);
                        others.put("line", record.line.into());
                        let message = Message { others, ..Message::new("user", content) };
                        self.add_message(message, ToolOutcome::default(), &record);
                    }
                    "agent_message" => {
                        let at = record.position();
                        let mut item = assistant_item(&content);
                        if let Some(item) = item.as_object_mut() {
                            item.extend(wire::non_empty_except(&record.payload, &["type", "message"]));
                        }
                        self.gathered.get_or_insert_with(|| ResponseBuilder::new(at.clone())).add(&item, &at);
                        self.mark_used(&record);
                    }
                    _ => self.keep_unmapped(record),
                }
            }
            "token_count" => self.tokens(record),
            "task_started" | "turn_started" | "task_complete" | "turn_complete" | "turn_aborted" => {
                self.flush();
                self.keep_unmapped(record);
            }
            "error" => {
                let more = wire::non_empty_except(&record.payload, &["type", "message"]);
                self.fail(&record, text("message"), more);
            }
            kind if kind.ends_with("_end") => {
                let id = text("call_id").unwrap_or_default();
                if self.mirror.has_result(&id) {
                    // It is reported with the result, which may come later.
                    return;
                }
                match kind == "exec_command_end" && self.mirror.is_called(&id) {
                    true => self.ended(record, &id),
                    false => self.keep_unmapped(record),
                }
            }
            _ => self.keep_unmapped(record),
        }
    }

    /// Adds a call of the model that failed.
    pub(super) fn fail(&mut self, record: &Record, message: Option<String>, more: Map<String, Value>) {
        self.flush();
        let error = Entries::default()
            .with("type", Value::from("api_error"))
            .with("message", message.map(Value::from))
            .with("line", Value::from(record.line));
        let mut error = error.0;
        error.extend(more);
        self.mark_used(record);
        let At { line, span, time } = record.position();
        self.steps.push(Step { line, span, time, kind: StepKind::Failed(error) });
    }

    /// The result of a command that no item has.
    fn ended(&mut self, record: Record, id: &str) {
        let text =
            |key: &str| record.payload.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let out = text("aggregated_output").map(str::to_owned);
        let out = out.unwrap_or_else(|| [text("stdout"), text("stderr")].into_iter().flatten().collect());
        let is_error = record.payload.get("exit_code").and_then(Value::as_i64).is_some_and(|code| code != 0);
        let mut others = Map::new();
        let content = Value::from(out);
        for (_, about) in self.mirror.extra_call_events(id, &content) {
            others.extend(about);
        }
        others.put("line", record.line.into());
        let message = Message { is_error, others, ..Message::result(Some(id), content) };
        self.answer_to(message, record);
    }

    /// The tokens of the last answer.
    fn tokens(&mut self, record: Record) {
        self.flush();
        let usage = record.payload.get("info").and_then(|info| info.get("last_token_usage"));
        let usage = usage.filter(|usage| usage.is_object()).cloned();
        let step = self.answer.and_then(|at| self.steps.get_mut(at));
        let (Some(usage), Some(Step { kind: StepKind::Response(answer, _, about), .. })) = (usage, step)
        else {
            return self.keep_unmapped(record);
        };
        if answer.usage.is_some() {
            let is_again = answer.usage.as_ref() == Some(&usage);
            let known = about.get("token_count").and_then(Value::as_object);
            let is_known = is_again
                && known.is_some_and(|known| {
                    without_usage(&record).iter().all(|(key, value)| known.get(key) == Some(value))
                });
            return match is_known {
                true => self.log.report.streamed.push(record.line),
                false => self.keep_unmapped(record),
            };
        }
        answer.usage = Some(usage);
        let mut rest = without_usage(&record);
        rest.put("line", record.line.into());
        about.put("token_count", Value::Object(rest));
        self.mark_used(&record);
    }
}

/// The other data of a token count, without the usage of the last answer.
fn without_usage(record: &Record) -> Map<String, Value> {
    let mut out = wire::non_empty_except(&record.payload, &["type"]);
    if let Some(Value::Object(info)) = out.get_mut("info") {
        info.shift_remove("last_token_usage");
        info.retain(|_, value| !value.is_null());
        if info.is_empty() {
            out.shift_remove("info");
        }
    }
    out
}

/// Whether an event that repeats an item has other content as well.
fn has_other_content(payload: &Value) -> bool {
    !wire::non_empty_except(payload, &["type", "message", "text", "kind"]).is_empty()
}
