//! Compares messages and calls of a golden with ours.

use serde_json::{Map, Value, json};
use transcript_core::simulate::{ModelAnswer, SimMessage};
use transcript_core::wire::ToolCall;

use crate::convert::text;
use crate::difference::Difference;
use crate::ids::Ids;

/// What keeps two things from being the same, or nothing.
pub(crate) type Same = Result<(), Box<Difference>>;

pub(crate) fn same(place: &str, golden: &Value, ours: &Value, ids: &Ids) -> Same {
    if ids.same_data(golden, ours) {
        return Ok(());
    }
    Err(Box::new(Difference::Value { place: place.to_owned(), ours: ours.clone(), observed: golden.clone() }))
}

/// Whether there are as many things of that kind.
pub(crate) fn count(place: &str, kind: &'static str, observed: usize, ours: usize) -> Same {
    match ours == observed {
        true => Ok(()),
        false => Err(Box::new(Difference::Count { place: place.to_owned(), kind, ours, observed })),
    }
}

pub(crate) fn id(place: &str, golden: &Value, ours: &str, ids: &mut Ids) -> Same {
    let golden = golden.as_str().unwrap_or("");
    // The library's ids of answers have a beginning of their own.
    let golden = golden.strip_prefix("mock-").unwrap_or(golden);
    if ids.same(golden, ours) {
        return Ok(());
    }
    let (ours, observed) = (ours.to_owned(), golden.to_owned());
    Err(Box::new(Difference::Id { place: place.to_owned(), ours, observed }))
}

pub(crate) fn messages(place: &str, golden: &Value, ours: &[SimMessage], ids: &mut Ids) -> Same {
    let golden = golden.as_array().map(Vec::as_slice).unwrap_or_default();
    for (at, (golden, ours)) in golden.iter().zip(ours).enumerate() {
        message(&format!("{place}[{at}]"), golden, ours, ids)?;
    }
    count(place, "messages", golden.len(), ours.len())
}

pub(crate) fn message(place: &str, golden: &Value, ours: &SimMessage, ids: &mut Ids) -> Same {
    same(&format!("{place}.role"), &golden["role"], &json!(ours.role), ids)?;
    same(&format!("{place}.content"), &golden["content"], &ours.content, ids)?;
    calls(&format!("{place}.tool_calls"), &golden["tool_calls"], &ours.tool_calls, ids)?;
    id(&format!("{place}.id"), &golden["id"], &ours.id, ids)?;
    same(&format!("{place}.i"), &golden["i"], &json!(ours.i), ids)?;
    if let Some(agent) = golden.get("agent") {
        same(&format!("{place}.agent"), agent, &json!(ours.agent), ids)?;
    }
    if let Some(call) = golden.get("tool_call_id") {
        let own = ours.tool_call_id.as_deref().unwrap_or("");
        id(&format!("{place}.tool_call_id"), call, own, ids)?;
        same(&format!("{place}.tool_name"), &golden["tool_name"], &json!(ours.tool_name), ids)?;
        let own = ours.tool_response.as_ref().map(|response| json!(response)).unwrap_or_default();
        let (tool, call) = (&golden["tool_response"]["tool_name"], &golden["tool_response"]["tool_call_id"]);
        same(&format!("{place}.tool_response.tool_name"), tool, &json!(ours.tool_name), ids)?;
        same(&format!("{place}.tool_response.tool_call_id"), call, &json!(ours.tool_call_id), ids)?;
        for key in ["response", "parameters", "success", "error"] {
            let golden = &golden["tool_response"][key];
            same(&format!("{place}.tool_response.{key}"), golden, &own[key], ids)?;
        }
    }
    for key in ["usage", "citations", "annotations"] {
        let own = ours.carries.get(key).cloned().unwrap_or_default();
        same(&format!("{place}.{key}"), golden.get(key).unwrap_or(&Value::Null), &own, ids)?;
    }
    let none = json!({});
    let extra = golden.get("extra_fields").filter(|extra| !extra.is_null()).unwrap_or(&none);
    same(&format!("{place}.extra_fields"), extra, &json!(ours.extra), ids)
}

/// Tool calls; the library has the arguments as JSON text.
pub(crate) fn calls(place: &str, golden: &Value, ours: &[ToolCall], ids: &mut Ids) -> Same {
    let golden = match golden {
        Value::Null => &[],
        Value::Array(golden) => golden.as_slice(),
        other => {
            return Err(Box::new(Difference::NoList { place: place.to_owned(), observed: other.clone() }));
        }
    };
    count(place, "calls", golden.len(), ours.len())?;
    for (at, (golden, ours)) in golden.iter().zip(ours).enumerate() {
        let place = format!("{place}[{at}]");
        id(&format!("{place}.id"), &golden["id"], &ours.id, ids)?;
        same(&format!("{place}.name"), &golden["name"], &json!(ours.name), ids)?;
        let own = json!(ours.arguments.to_string());
        same(&format!("{place}.arguments"), &golden["arguments"], &own, ids)?;
    }
    Ok(())
}

/// What a model was sent: who says what, and the calls.
pub(crate) fn sent(place: &str, golden: &Value, ours: &[SimMessage], ids: &mut Ids) -> Same {
    let golden = golden.as_array().map(Vec::as_slice).unwrap_or_default();
    for (at, (golden, ours)) in golden.iter().zip(ours).enumerate() {
        let place = format!("{place}[{at}]");
        same(&format!("{place}.role"), &golden["role"], &json!(ours.role), ids)?;
        same(&format!("{place}.content"), &golden["content"], &ours.content, ids)?;
        if let Some(found) = golden.get("tool_calls") {
            calls(&format!("{place}.tool_calls"), found, &ours.tool_calls, ids)?;
        }
    }
    count(place, "messages", golden.len(), ours.len())
}

/// What the mock answered on the wire.
pub(crate) fn answer(place: &str, golden: &Value, ours: &ModelAnswer, ids: &mut Ids) -> Same {
    id(&format!("{place}.id"), &golden["id"], &ours.id, ids)?;
    let message = &golden["message"];
    same(&format!("{place}.content"), &message["content"], &ours.content, ids)?;
    calls(&format!("{place}.tool_calls"), &message["tool_calls"], &ours.tool_calls, ids)?;
    let own = |key: &str| ours.carries.get(key).cloned().unwrap_or_default();
    for key in ["citations", "annotations", "refusal", "reasoning"] {
        same(&format!("{place}.{key}"), &message[key], &own(key), ids)?;
    }
    same(&format!("{place}.metadata"), &message["model_extra"], &own("metadata"), ids)?;
    same(&format!("{place}.usage"), &golden["usage"], &own("usage"), ids)
}

/// Events in their order, save for those that the library sends in the background.
pub(crate) fn events(place: &str, golden: &Value, ours: &[Value], ids: &mut Ids) -> Same {
    const LATE: &str = "tool:call:after";
    let golden: Vec<Value> = golden.as_array().into_iter().flatten().map(named).collect();
    let split = |events: &[Value]| -> (Vec<Value>, Vec<Value>) {
        events.iter().cloned().partition(|event| text(event, "event") == LATE)
    };
    let ((golden_late, golden), (our_late, ours)) = (split(&golden), split(ours));
    for (at, (golden, ours)) in golden.iter().zip(&ours).enumerate() {
        event(&format!("{place}[{at}]"), golden, ours, ids)?;
    }
    count(place, "events", golden.len(), ours.len())?;
    count(place, LATE, golden_late.len(), our_late.len())?;
    let mut left = our_late;
    for golden in &golden_late {
        let found = left.iter().position(|ours| ids.renamed(&golden.to_string()) == *ours.to_string());
        let Some(found) = found else {
            return Err(Box::new(Difference::Missing { place: place.to_owned(), observed: golden.clone() }));
        };
        left.remove(found);
    }
    Ok(())
}

fn event(place: &str, golden: &Value, ours: &Value, ids: &mut Ids) -> Same {
    if let (Some(golden), Some(ours)) = (golden.get("toolCallId"), ours.get("toolCallId")) {
        id(&format!("{place}.toolCallId"), golden, ours.as_str().unwrap_or(""), ids)?;
    }
    same(place, golden, ours, ids)
}

/// An event with its keys as we write them, and in one order.
pub(crate) fn named(event: &Value) -> Value {
    let mut keys: Vec<(String, Value)> = Vec::new();
    for (key, value) in event.as_object().into_iter().flatten() {
        let mut words = key.split('_');
        let mut name = words.next().unwrap_or("").to_owned();
        for word in words {
            let (first, rest) = word.split_at(1);
            name.push_str(&first.to_uppercase());
            name.push_str(rest);
        }
        keys.push((name, value.clone()));
    }
    keys.sort_by(|(a, _), (b, _)| a.cmp(b));
    Value::Object(keys.into_iter().collect::<Map<_, _>>())
}
