//! Logs of events and their replays, which live on the Rust side.

use serde::Serialize;
use serde_json::{Value, json};
use transcript_core::diagnostic::InvalidInput;
use transcript_core::diagnostic::render::TerminalStyle;
use transcript_core::events;
use transcript_core::order::OrderKind;
use transcript_core::verify::{
    Outcome, Replay, ReplayRequest, Settings, TRACE_BLOCK, TraceRetention, compare,
};
use transcript_core::view::EventLog;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// An opened log with the replays of it that are under way. Few methods, for each takes glue that every program
/// of the package carries.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EventLogHandle {
    log: EventLog,
    file: String,
    /// Those that have ended are empty.
    replays: Vec<Option<Replay>>,
}

#[wasm_bindgen]
impl EventLogHandle {
    /// Opens the bytes of a file of at most `limit` bytes, or of as many as usual.
    #[must_use]
    pub fn open(bytes: Vec<u8>, file: &str, limit: Option<u32>) -> Self {
        let log = EventLog::open_owned(bytes, limit.map(|limit| limit as usize));
        Self { log, file: file.to_owned(), replays: Vec::new() }
    }

    /// The bytes of the log with its events in an order that `seed` decides.
    #[must_use]
    pub fn shuffled(&self, seed: u32) -> Vec<u8> {
        self.log.shuffled(u64::from(seed)).into_bytes()
    }

    /// Carries out a call by name with a map in JSON; the answer is JSON, save for texts that may be long.
    ///
    /// # Errors
    /// When there is no such call, or its argument is wrong.
    pub fn call(&mut self, method: &str, argument: &str) -> Result<Option<String>, JsError> {
        answer(self, method, argument).map_err(JsError::from)
    }
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Answers a call on a log:
///
/// | call | argument | answer |
/// | --- | --- | --- |
/// | `ok`, `diagnostics`, `overview`, `layers`, `tools`, `agents` | | JSON |
/// | `render` | `color` | text |
/// | `order` | `order` | ids, one a line |
/// | `rows` | `order`, `from`, `count` | JSON |
/// | `explain` | `order`, `place` | JSON, or nothing |
/// | `event`, `past`, `future` | `id` | JSON, or nothing |
/// | `lanes` | | what is drawn, as JSON |
/// | `rowsOf` | `events`, by their places in the text from 0 | rows, as JSON |
/// | `placeOf` | `id` | such a place, or nothing |
/// | `about`, `cone` | `event`, by such a place | JSON, or nothing |
/// | `fingerprint` | | text in JSON, or nothing of a log with errors |
/// | `shuffled` | `seed` | the log with its events in another order of lines, as a text in JSON |
/// | `between` | `order`, `one`, `other` | JSON, or nothing |
/// | `nest` | `recording`, `replace` | the recording with the events as `text`, or the `problem`, as JSON |
/// | `begin` | `order`, `live`, `agents`, `prints` or `from` and `count` | the number of a replay |
/// | `advance` | `replay` | the tool to run or the agent to answer, or nothing at the end |
/// | `answer` | `replay`, `outcome` as JSON in a text | |
/// | `trace` | `replay` | text, which is taken out |
/// | `prints` | `replay` | the fingerprints of the trace |
/// | `summary` | `replay` | JSON |
/// | `end` | `replay` | nothing; its number may be of a later replay |
///
/// # Errors
/// When there is no such call, or its argument is wrong.
pub fn answer(
    handle: &mut EventLogHandle,
    method: &str,
    argument: &str,
) -> Result<Option<String>, InvalidInput> {
    let fields: Value = serde_json::from_str(argument).map_err(|error| error.to_string())?;
    let word = |key: &str| fields.get(key).and_then(Value::as_str).unwrap_or_default();
    let number = |key: &str| {
        let number = fields.get(key).and_then(Value::as_u64).unwrap_or_default();
        usize::try_from(number).unwrap_or(usize::MAX)
    };
    let event = || u32::try_from(fields.get("event")?.as_u64()?).ok();
    let order = || {
        let name = word("order");
        OrderKind::new(name).ok_or_else(|| format!("unknown order `{name}`; use `kahn` or `layers`"))
    };
    let EventLogHandle { log, file, replays } = handle;
    Ok(Some(match method {
        "ok" => text(&log.is_ok()),
        "diagnostics" => text(&log.problems(file)),
        "overview" => text(&log.overview()),
        "layers" => text(&log.layers()),
        "tools" => text(&log.tools()),
        "agents" => text(&log.agents()),
        "render" => {
            let is_colored = fields.get("color") == Some(&Value::Bool(true));
            log.render(file, if is_colored { TerminalStyle::Ansi } else { TerminalStyle::Plain })
        }
        "order" => log.order(order()?).join("\n"),
        "rows" => text(&log.rows(order()?, number("from"), number("count"))),
        "explain" => return Ok(log.explain(order()?, number("place")).map(|tie| text(&tie))),
        "event" => return Ok(log.event(word("id")).map(|event| event.to_string())),
        "past" => return Ok(log.past(word("id")).map(|ids| text(&ids))),
        "future" => return Ok(log.future(word("id")).map(|ids| text(&ids))),
        "lanes" => text(&log.lanes()),
        "rowsOf" => {
            let events = fields.get("events").and_then(Value::as_array).into_iter().flatten();
            let events: Vec<u32> = events.filter_map(|event| u32::try_from(event.as_u64()?).ok()).collect();
            text(&log.rows_of(&events))
        }
        "placeOf" => return Ok(log.place_of(word("id")).map(|event| event.to_string())),
        "about" => return Ok(event().and_then(|event| log.about(event)).map(|about| text(&about))),
        "cone" => {
            let cone = event().and_then(|event| log.cone(event));
            return Ok(cone.map(|cone| text(&cone)));
        }
        "fingerprint" => return Ok(log.fingerprint().map(|print| text(&print))),
        "shuffled" => text(&log.shuffled(fields.get("seed").and_then(Value::as_u64).unwrap_or_default())),
        "between" => {
            return Ok(log.between(order()?, word("one"), word("other")).map(|pair| text(&pair)));
        }
        "nest" => match log.nest_in(word("recording"), fields.get("replace") == Some(&Value::Bool(true))) {
            Ok(nested) => json!({ "text": nested, "problem": null }).to_string(),
            Err(problem) => json!({ "text": null, "problem": problem }).to_string(),
        },
        "begin" => {
            let names = |key: &str| {
                let list = fields.get(key).and_then(Value::as_array).into_iter().flatten();
                list.filter_map(Value::as_str).map(str::to_owned).collect()
            };
            let keep = match (fields.get("prints"), fields.get("count")) {
                (Some(Value::Bool(true)), _) => TraceRetention::Prints,
                (_, Some(_)) => TraceRetention::Lines { from: number("from"), count: number("count") },
                _ => TraceRetention::All,
            };
            let settings = Settings { order: order()?, live: names("live"), agents: names("agents"), keep };
            let replay = log.replay_with(settings).ok_or("a log with errors cannot be replayed")?;
            let at = replays.iter().position(Option::is_none).unwrap_or(replays.len());
            match replays.get_mut(at) {
                Some(slot) => *slot = Some(replay),
                None => replays.push(Some(replay)),
            }
            text(&at)
        }
        "advance" => match replay_mut(replays, number("replay"))?.advance() {
            ReplayRequest::Done => return Ok(None),
            ReplayRequest::Tool { event, agent, tool, call, arguments } => {
                let request = json!({ "event": event, "agent": agent, "tool": tool, "call": call, "arguments": arguments });
                request.to_string()
            }
            ReplayRequest::Response { event, agent, messages } => {
                json!({ "event": event, "agent": agent, "messages": messages }).to_string()
            }
        },
        "answer" => {
            let outcome = Outcome::read(word("outcome")).map_err(|fault| fault.why)?;
            replay_mut(replays, number("replay"))?.answer(outcome);
            return Ok(None);
        }
        "trace" => replay_mut(replays, number("replay"))?.take_trace(),
        "prints" => text(&replay_mut(replays, number("replay"))?.prints()),
        "summary" => text(replay_mut(replays, number("replay"))?.summary()),
        "end" => {
            replays.get_mut(number("replay")).and_then(Option::take).ok_or(NO_REPLAY)?;
            return Ok(None);
        }
        _ => return Err(format!("unknown call `{method}`").into()),
    }))
}

const NO_REPLAY: &str = "unknown replay";

fn replay_mut(replays: &mut [Option<Replay>], at: usize) -> Result<&mut Replay, &'static str> {
    replays.get_mut(at).and_then(Option::as_mut).ok_or(NO_REPLAY)
}

/// Carries out a call that needs no log: `compare` of two traces, the length of a `block` with one fingerprint, the `hash` of a payload, the `line` of an event.
///
/// # Errors
/// When there is no such call, or its argument is wrong.
#[wasm_bindgen(js_name = eventCall)]
pub fn event_call(method: &str, first: &str, second: &str) -> Result<Option<String>, JsError> {
    match method {
        "compare" => Ok(compare(first, second).map(|found| text(&found))),
        "block" => Ok(Some(TRACE_BLOCK.to_string())),
        "hash" => match events::payload_hash(first) {
            Ok(hash) => Ok(Some(hash.to_string())),
            Err(fault) => Err(JsError::new(fault.why)),
        },
        "line" => events::event_line(first).map(Some).map_err(|problem| JsError::new(&problem.0)),
        _ => Err(JsError::new(&format!("unknown call `{method}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::{EventLogHandle, answer};
    use serde_json::json;

    #[test]
    fn calls_go_by_name() {
        let line = concat!(
            r#"{"event_id": "46bd969b-9530-4e7e-a4af-29b2a01eb7a2", "type": "state_transition", "agent_id": "bob", "#,
            r#""timestamp_ns": 1, "parent_event_id": null, "payload_hash": "518326b679f26820", "#,
            r#""from_state": "idle", "to_state": "running"}"#,
        );
        let mut log = EventLogHandle::open(line.as_bytes().to_vec(), "run.jsonl", None);
        let mut call = |method: &str, argument: &str| answer(&mut log, method, argument);
        assert_eq!(call("ok", "{}"), Ok(Some("true".to_owned())));
        assert_eq!(
            call("order", r#"{"order": "kahn"}"#),
            Ok(Some("46bd969b-9530-4e7e-a4af-29b2a01eb7a2".to_owned()))
        );
        assert!(
            call("order", r#"{"order": "clock"}"#)
                .unwrap_err()
                .to_string()
                .starts_with("unknown order `clock`")
        );
        assert_eq!(call("placeOf", r##"{"id": "#1"}"##), Ok(Some("0".to_owned())));
        assert_eq!(call("cone", r#"{"event": 0}"#), Ok(Some(json!({"past": "", "future": ""}).to_string())));
        assert_eq!(call("about", r#"{"event": 1}"#), Ok(None));
        assert!(call("lanes", "{}").unwrap().unwrap().contains(r#""agents":["bob"]"#));
        assert!(call("rowsOf", r#"{"events": [0, 7]}"#).unwrap().unwrap().starts_with(r#"[{"place":1,"#));
        assert_eq!(call("fingerprint", "{}").unwrap().unwrap().len(), 66);
        assert_eq!(
            call("shuffled", r#"{"seed": 3}"#),
            Ok(Some(serde_json::to_string(&format!("{line}\n")).unwrap()))
        );
        assert_eq!(call("begin", r#"{"order": "layers", "live": []}"#), Ok(Some("0".to_owned())));
        assert_eq!(call("advance", r#"{"replay": 0}"#), Ok(None));
        assert!(
            call("trace", r#"{"replay": 0}"#)
                .unwrap()
                .unwrap()
                .starts_with(r#"{"events":1,"order":"layers""#)
        );
        assert_eq!(call("advance", r#"{"replay": 1}"#), Err("unknown replay".into()));
        assert_eq!(call("end", r#"{"replay": 0}"#), Ok(None));
        for ended in ["advance", "summary", "end"] {
            assert_eq!(call(ended, r#"{"replay": 0}"#), Err("unknown replay".into()));
        }
        assert_eq!(call("begin", r#"{"order": "kahn", "live": []}"#), Ok(Some("0".to_owned())));
        assert_eq!(call("sort", "{}"), Err("unknown call `sort`".into()));
    }
}
