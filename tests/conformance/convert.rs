//! The input of a golden as the input of a simulation.

use serde_json::{Map, Value, json};

use crate::difference::Difference;

/// The input.
///
/// # Errors
/// When something of it has no counterpart.
pub(crate) fn input(golden: &Value) -> Result<Value, Box<Difference>> {
    let agents = list(golden, "agents");
    let agents = agents.iter().map(|found| agent(found, agents)).collect::<Result<Vec<_>, _>>()?;
    let steps = list(golden, "steps").iter().map(step).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({"profile": "good-agent", "agents": agents, "steps": steps}))
}

pub(crate) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

pub(crate) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

fn agent(golden: &Value, others: &[Value]) -> Result<Value, Box<Difference>> {
    let mut out = Map::new();
    for key in ["key", "name", "system"] {
        if let Some(value) = golden.get(key).filter(|value| !value.is_null()) {
            out.insert(key.to_owned(), value.clone());
        }
    }
    for (key, value) in golden.get("config").and_then(Value::as_object).into_iter().flatten() {
        let ours = match key.as_str() {
            "message_validation_mode" => "validation",
            "context" | "model" => key,
            _ => continue,
        };
        out.insert(ours.to_owned(), value.clone());
    }
    let tools: Vec<Value> = list(golden, "tools").iter().map(|found| tool(found, others)).collect();
    out.insert("tools".to_owned(), tools.into());
    if let Some(found) = golden.get("handler") {
        let (key, value) = handler(found)?;
        out.insert(key.to_owned(), value);
    }
    Ok(Value::Object(out))
}

fn tool(golden: &Value, agents: &[Value]) -> Value {
    if let Some(Value::String(key)) = golden.get("agent_as_tool") {
        // The tool has the agent's name.
        let other = agents.iter().find(|agent| text(agent, "key") == key);
        let name = other.and_then(|other| other.get("name")).cloned();
        return json!({"agent": key, "name": name.unwrap_or_else(|| key.as_str().into())});
    }
    let mut properties = Map::new();
    let mut required = Vec::new();
    for param in list(golden, "params") {
        let mut schema = Map::new();
        let kind = match text(param, "type") {
            "str" => "string",
            "int" => "integer",
            "float" => "number",
            "bool" => "boolean",
            "list" => "array",
            "dict" => "object",
            _ => "",
        };
        if !kind.is_empty() {
            schema.insert("type".to_owned(), kind.into());
        }
        let name = text(param, "name");
        match param.get("default") {
            Some(default) => {
                schema.insert("default".to_owned(), default.clone());
            }
            None => required.push(name),
        }
        properties.insert(name.to_owned(), Value::Object(schema));
    }
    let result = |result: &Value| {
        let mut out = Map::new();
        for (key, value) in result.as_object().into_iter().flatten() {
            out.insert(if key == "raise" { "error" } else { key }.to_owned(), value.clone());
        }
        Value::Object(out)
    };
    let results: Vec<Value> = list(golden, "results").iter().map(result).collect();
    json!({
        "name": golden["name"],
        "parameters": {"type": "object", "properties": properties, "required": required},
        "results": results,
    })
}

/// The key of the answers, and the answers.
fn handler(golden: &Value) -> Result<(&'static str, Value), Box<Difference>> {
    let responses = || golden.get("responses").cloned().unwrap_or_else(|| json!([]));
    Ok(match text(golden, "type") {
        "queue" => ("mock", responses()),
        "queued_handler" => ("mock", json!([{"type": "queue", "responses": responses()}])),
        "conditional" => {
            let rules = list(golden, "rules").iter().map(|rule| {
                let when = condition(&rule["when"])?;
                Ok(json!({"when": when, "respond": rule["respond"]}))
            });
            let rules = rules.collect::<Result<Vec<_>, Box<Difference>>>()?;
            let mut out = json!({"type": "conditional", "rules": rules});
            if let (Some(default), Some(out)) = (golden.get("default"), out.as_object_mut()) {
                out.insert("default".to_owned(), default.clone());
            }
            ("handler", out)
        }
        "transcript" => {
            let entries: Vec<Value> = list(golden, "entries").iter().map(entry).collect();
            ("handler", json!({"type": "transcript", "entries": entries}))
        }
        // Code of the host, which the harness plays.
        "function" => ("external", true.into()),
        "raw" => ("mock", json!([golden["value"]])),
        "raw_many" => {
            let value = |value: &Value| match value.as_str() {
                Some("handler") => json!({"type": "queue", "responses": []}),
                _ => value.clone(),
            };
            ("mock", list(golden, "values").iter().map(value).collect())
        }
        other => {
            return Err(Box::new(Difference::NoCounterpart {
                kind: "handler of type",
                name: other.to_owned(),
            }));
        }
    })
}

/// `(role, content, extras)` makes `MockResponse(content=content, role=role, **extras)`.
fn entry(golden: &Value) -> Value {
    let mut fields = golden.get(2).and_then(Value::as_object).cloned().unwrap_or_default();
    if let Some(tuples) = fields.shift_remove("tool_calls_as_tuples") {
        fields.insert("tool_calls".to_owned(), tuples);
    }
    fields.insert("role".to_owned(), golden[0].clone());
    fields.insert("content".to_owned(), golden[1].clone());
    json!({ "mock_response": fields })
}

/// A condition of the goldens' own words in ours.
fn condition(golden: &Value) -> Result<Value, Box<Difference>> {
    let mut all = Vec::new();
    for (name, value) in golden.as_object().into_iter().flatten() {
        all.push(match name.as_str() {
            "always" => json!({}),
            "last_user_contains_ci" => json!({"last_user_contains": value, "ignore_case": true}),
            "call_count_gte" => json!({"call_count": {"at_least": value}}),
            "last_message_role" => json!({"last_role": value}),
            "assistant_count" => json!(format!("length(messages[?role=='assistant']) == `{value}`")),
            "last_user_contains" | "call_count" | "iteration" | "last_tool_contains" => json!({name: value}),
            other => {
                return Err(Box::new(Difference::NoCounterpart {
                    kind: "condition",
                    name: other.to_owned(),
                }));
            }
        });
    }
    Ok(json!({ "all": all }))
}

fn step(golden: &Value) -> Result<Value, Box<Difference>> {
    let mut out = golden.as_object().cloned().unwrap_or_default();
    out.insert("op".to_owned(), op(golden).into());
    if let Some(Value::Object(kwargs)) = out.get_mut("kwargs")
        && let Some(model) = kwargs.shift_remove("response_model")
    {
        out.insert("output_schema".to_owned(), json!({"type": "object", "title": model["name"]}));
    }
    // These the library takes for itself and passes on to no model.
    for name in ["auto_execute_tools", "role", "context"] {
        let kwargs = out.get_mut("kwargs").and_then(Value::as_object_mut);
        if let Some(value) = kwargs.and_then(|kwargs| kwargs.shift_remove(name))
            && name == "role"
        {
            out.insert("role".to_owned(), value);
        }
    }
    Ok(Value::Object(out))
}

/// The name of a step in ours.
pub(crate) fn op(golden: &Value) -> &str {
    let runs_tools = golden.get("kwargs").and_then(|kwargs| kwargs.get("auto_execute_tools"));
    match (text(golden, "op"), runs_tools.and_then(Value::as_bool)) {
        ("mock.call", Some(true)) => return "call",
        ("call", Some(false)) => return "mock_call",
        _ => {}
    }
    match text(golden, "op") {
        "mock.call" => "mock_call",
        "mock.execute" => "mock_execute",
        "reenter_mock" => "reenter",
        other => other,
    }
}
