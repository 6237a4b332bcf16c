//! Assertions that are JMESPath expressions, and the run as the data that they see.

use serde_json::{Map, Value};

use super::evidence::{Evidence, truncate_value};
use super::excerpt::{self, one_line_excerpt};
use super::texts::no_message_verdict;
use super::{Fault, Fields, Run, Subject, Verdict, VerdictResult};
use crate::diagnostic::{closest, codes, did_you_mean};
use crate::model::{Content, RUN_VARIABLES, Text, ToolCall};
use crate::parse::{json_text, same};
use crate::query::Expression;
use crate::text::{JsonMap, json, json_line};

impl Subject<'_> {
    pub(super) fn json_path(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let unusable = |error| Fault::from_query_error("path", error);
        let path = Expression::compile(fields.required_text("path")).map_err(unusable)?;
        let Some(at) = self.message(fields)? else { return Ok(no_message_verdict(false)) };
        let Some(message) = self.run.messages.get(at) else { return Ok(no_message_verdict(false)) };
        let text = self.text_of(at);
        self.spend(text.len().saturating_mul(16))?;
        let place = self.run.at_message(at).path(one_line_excerpt(path.text()));
        let data = match &message.stored.content {
            Some(Content::Data(data)) => json_text(&text).unwrap_or_else(|| data.clone()),
            _ => match json_text(&text) {
                Some(data) => data,
                None => {
                    self.evidences.add(|| place.actual(&excerpt::beginning(&text).into()));
                    return Ok(Verdict::new(false, format!("`{}` is not JSON", message.stored.id.value)));
                }
            },
        };
        let value = path.evaluate(&data, &mut self.budget).map_err(unusable)?;
        let wanted = fields.value("value").or_else(|| fields.raw("value"));
        let holds = match wanted {
            Some(wanted) => same(&value, wanted),
            None => !matches!(value, Value::Null | Value::Bool(false)),
        };
        let place = place.actual(&value);
        self.evidences.add(|| wanted.into_iter().fold(place, Evidence::expected));
        let line = one_line_excerpt(&json_line(&truncate_value(&value)));
        Ok(Verdict::new(holds, format!("the path returns `{line}` for `{}`", message.stored.id.value)))
    }

    pub(super) fn expression(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let unusable = |error| Fault::from_query_error("expr", error);
        let expression = Expression::compile(fields.required_text("expr")).map_err(unusable)?;
        let known = || RUN_VARIABLES.iter().map(|known| known.name);
        if let Some(variable) = expression.variables().iter().find(|it| !known().any(|name| name == it.name))
        {
            let help = closest(&variable.name, known()).map(did_you_mean);
            let message = format!("unknown variable `{}`", one_line_excerpt(&variable.name));
            let mut fault = Fault::new(codes::ASSERTION_QUERY, Some("expr"), message, help);
            fault.at = Some(variable.at.clone());
            return Err(fault);
        }
        let read: Vec<&'static str> =
            RUN_VARIABLES.iter().map(|known| known.name).filter(|name| expression.reads(name)).collect();
        if read.is_empty() {
            let message = "the expression does not use the run";
            let names: Vec<String> = known().map(|name| format!("`{name}`")).collect();
            let help = format!("use one of {}", names.join(", "));
            return Err(Fault::new(codes::ASSERTION_QUERY, Some("expr"), message, Some(help)));
        }
        for name in read.iter().copied() {
            self.load_variable(name);
        }
        let data = self.data.get_or_insert_default();
        let value = expression.evaluate(data, &mut self.budget).map_err(unusable)?;
        let holds = crate::query::is_true(&value);
        // Where a comparison decides, its two sides are more useful than that it is false.
        let sides = match holds {
            true => None,
            false => expression.false_comparison(data, &mut self.budget).map_err(unusable)?,
        };
        let place = Evidence::default().path(one_line_excerpt(expression.text()));
        self.evidences.add(|| match &sides {
            Some((left, "==", right)) => place.expected(right).actual(left),
            // The other side alone would read as the expected value.
            Some((left, operator, right)) => place.expected(&json!({ (*operator): right })).actual(left),
            None => place.actual(&value),
        });
        for name in read {
            let Some(value) = self.data.as_ref().and_then(|data| data.get(name)) else { continue };
            self.evidences.add(|| Evidence::default().path(name).actual(value));
        }
        let line = one_line_excerpt(&json_line(&truncate_value(&value)));
        Ok(Verdict::new(holds, format!("the expression returns `{line}`")))
    }

    /// Makes a variable that no expression has read before.
    fn load_variable(&mut self, name: &'static str) {
        let data = self.data.get_or_insert_with(|| {
            let mut all = Map::new();
            all.extend(RUN_VARIABLES.iter().map(|known| (known.name.to_owned(), Value::Null)));
            Value::Object(all)
        });
        if !self.read.contains(&name)
            && let Some(place) = data.get_mut(name)
        {
            self.read.push(name);
            *place = variable_value(self.run, name);
        }
    }
}

/// A variable of [`RUN_VARIABLES`].
fn variable_value(run: &Run, name: &str) -> Value {
    match name {
        "messages" => messages_value(run),
        "calls" => calls_value(run),
        "context" => Value::Object(run.context.clone()),
        "answer" => {
            let content = run.answer.as_ref().and_then(|answer| answer.content.as_ref());
            content.map_or(Value::Null, |content| content.to_text().into())
        }
        "turns" => run.turns.map_or(Value::Null, Value::from),
        "tokens" => run.tokens.map_or(Value::Null, Value::from),
        "errors" => {
            let error = |error: &super::RunError| {
                let mut map = Map::new();
                insert_text(&mut map, "step", error.step.as_ref());
                map.put("message", error.message.as_str().into());
                insert_text(&mut map, "tool", error.tool.as_ref());
                Value::Object(map)
            };
            Value::Array(run.errors.iter().map(error).collect())
        }
        _ => {
            let mut all = Map::new();
            for (step, run) in &run.nested {
                let mut variables = Map::new();
                for known in &RUN_VARIABLES {
                    variables.put(known.name, variable_value(run, known.name));
                }
                all.put(step, Value::Object(variables));
            }
            Value::Object(all)
        }
    }
}

fn insert_text(map: &mut Map<String, Value>, key: &str, text: Option<&Text>) {
    if let Some(text) = text {
        map.put(key, Value::String(text.to_string()));
    }
}

fn messages_value(run: &Run) -> Value {
    let message = |super::RunMessage { stored: message, step }: &super::RunMessage| {
        let text = message.content.as_ref().map(Content::to_text);
        let data = match (&message.content, text.as_deref().and_then(json_text)) {
            (_, Some(data)) => data,
            (Some(Content::Data(data)), None) => data.clone(),
            _ => Value::Null,
        };
        let mut map = Map::new();
        insert_text(&mut map, "id", Some(&message.id.value));
        map.put("role", message.role.value.name().into());
        map.put("content", text.map_or(Value::Null, Value::String));
        map.put("data", data);
        map.put("visible", message.visible.into());
        insert_text(&mut map, "step", step.as_ref());
        if !message.tool_calls.is_empty() {
            let call = |call: &ToolCall| {
                let id = call.id.as_ref().map_or("", |id| &id.value);
                json!({"id": id, "name": &*call.name.value, "arguments": call.arguments})
            };
            map.put("tool_calls", message.tool_calls.iter().map(call).collect());
        }
        let answered = message.tool_call_id.as_ref().map(|id| &id.value);
        insert_text(&mut map, "tool_call_id", answered);
        insert_text(&mut map, "name", message.tool_name.as_ref());
        insert_text(&mut map, "agent", message.agent.as_ref());
        Value::Object(map)
    };
    run.messages.iter().map(message).collect()
}

fn calls_value(run: &Run) -> Value {
    let call = |call: &super::RunCall| {
        let mut map = Map::new();
        insert_text(&mut map, "id", call.call.id.as_ref().map(|id| &id.value));
        insert_text(&mut map, "name", Some(&call.call.name.value));
        map.put("arguments", call.call.arguments.clone());
        insert_text(&mut map, "step", call.step.as_ref());
        insert_text(&mut map, "message", call.message.as_ref());
        map.put("failed", call.failed.into());
        if let Some(result) = &call.result {
            map.put("result", result.clone());
        }
        Value::Object(map)
    };
    run.calls.iter().map(call).collect()
}
