//! Whether requests are still those of the recording.

use serde::Serialize;
use serde_json::{Map, Value};

use super::super::imported_response::ImportedResponse;
use super::hash::{prompt_hash, prompt_hash_of_messages};
use super::read::Recording;
use crate::text::{JsonMap, Table, json};

/// Whether a request matches the recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Drift {
    /// Which request it is, from 1.
    pub request: usize,
    /// Its step, if the request names one.
    pub step: Option<String>,
    /// `missing` when the recording has no answer; `unchecked` when it has no hash to compare.
    #[cfg_attr(feature = "typescript", ts(type = "'same' | 'changed' | 'missing' | 'unchecked'"))]
    pub status: &'static str,
    /// The line of the answer, from 1.
    pub line: Option<u32>,
    /// The hash in the recording.
    pub recorded_hash: Option<String>,
    /// The hash of the request.
    pub hash: String,
    /// The field that changed, where it is known: the request with the value `before` in it has the recorded hash.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "'messages' | 'model' | 'temperature' | 'max_tokens' | 'extra' | null")
    )]
    pub field: Option<&'static str>,
    /// The recorded value.
    pub before: Option<Value>,
    /// The present value.
    pub after: Option<Value>,
}

/// Compares requests, each `{step_id?, messages, model, temperature?, max_tokens?, extra?}`, with the hashes
/// of a recording. `before` are the former requests, if known: then every changed field that explains the
/// difference alone is found. A hash does not show its input: without `before`, only the usual values of a
/// field are tried.
///
/// ```
/// use serde_json::json;
/// use transcript_core::import::{drift, prompt_hash, recording};
/// let request = json!({"step_id": "greet", "messages": [{"role": "user", "content": "Hi"}], "model": "m"});
/// let text = json!({"greet": {"content": "Hello!", "model": "m", "request_hash": prompt_hash(&request)}});
/// let read = recording(&text.to_string());
/// assert_eq!(drift(&read, &[request.clone()], &[])[0].status, "same");
/// let mut other = request;
/// other["temperature"] = json!(0.5);
/// let found = &drift(&read, &[other], &[])[0];
/// assert_eq!((found.status, found.field), ("changed", Some("temperature")));
/// ```
#[must_use]
pub fn drift(recording: &Recording, requests: &[Value], before: &[Value]) -> Vec<Drift> {
    let mut by_key: Table<&str, &ImportedResponse> = Table::new();
    for row in &recording.rows {
        by_key.entry(row.key.as_str()).or_insert(row);
    }
    let all = requests.iter().enumerate().map(|(at, request)| {
        let step = request.get("step_id").and_then(Value::as_str);
        let hash = prompt_hash(request);
        let mut out = Drift { request: at + 1, step: step.map(str::to_owned), hash, ..Drift::default() };
        let by_step = step.and_then(|step| by_key.get(step).copied());
        let messages = request.get("messages").cloned().unwrap_or_default();
        let v1 = prompt_hash_of_messages(&messages);
        let by_hash =
            || [out.hash.as_str(), v1.as_str()].into_iter().find_map(|hash| by_key.get(hash).copied());
        let Some(row) = by_step.or_else(by_hash) else {
            out.status = "missing";
            return out;
        };
        out.line = Some(row.line);
        // AgentLoom checks no step with several turns: each has another request.
        let recorded = row.request_hash.as_deref().filter(|_| row.turn.is_none());
        let recorded = recorded.or_else(|| row.is_hash.then_some(row.key.as_str()));
        let Some(recorded) = recorded else {
            out.status = "unchecked";
            return out;
        };
        out.recorded_hash = Some(recorded.to_owned());
        let is_same = recorded == out.hash || row.request_hash.is_none() && recorded == v1;
        out.status = if is_same { "same" } else { "changed" };
        if !is_same {
            let of_step =
                |request: &&Value| step.is_some() && request.get("step_id").and_then(Value::as_str) == step;
            let known = before.iter().find(of_step).or_else(|| before.get(at));
            diagnose_field(&mut out, request, known, row);
        }
        out
    });
    all.collect()
}

/// Finds the one field that gives the recorded hash with its former value.
fn diagnose_field(out: &mut Drift, request: &Value, before: Option<&Value>, row: &ImportedResponse) {
    let mut candidates: Vec<(&'static str, Value)> = Vec::new();
    if let Some(before) = before {
        for field in FIELDS {
            candidates.push((field, before.get(field).cloned().unwrap_or_default()));
        }
    }
    if let Some(model) = &row.model {
        candidates.push(("model", model.as_str().into()));
    }
    // From 0 to 2 in steps of a tenth, as is usual.
    candidates.push(("temperature", Value::Null));
    candidates.push(("temperature", json!(0)));
    candidates.push(("temperature", json!(1)));
    candidates.extend((0..=20).map(|tenth| ("temperature", json!(f64::from(tenth) / 10.0))));
    candidates.push(("max_tokens", Value::Null));
    candidates.extend((4..=15).map(|power| ("max_tokens", json!(1_u32 << power))));
    candidates.extend(
        [100, 150, 200, 250, 300, 500, 800, 1000, 1500, 2000, 4000].map(|most| ("max_tokens", json!(most))),
    );
    candidates.push(("extra", json!({})));
    let same: Map<String, Value> = request.as_object().cloned().unwrap_or_default();
    for (field, was) in candidates {
        let is = same.get(field).cloned().unwrap_or_default();
        if is == was {
            continue;
        }
        let mut tried = same.clone();
        tried.put(field, was.clone());
        if Some(prompt_hash(&Value::Object(tried))) == out.recorded_hash {
            (out.field, out.before, out.after) = (Some(field), Some(was), Some(is));
            return;
        }
    }
}

/// The fields that are hashed.
const FIELDS: [&str; 5] = ["messages", "model", "temperature", "max_tokens", "extra"];
