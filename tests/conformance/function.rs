//! The functions of the goldens, which are code of the host: rules over what a handler sees of a call.

use serde_json::{Value, json};
use transcript_core::simulate::{ResponseContext, SimMessage, Simulation};

use crate::compare::Same;
use crate::convert::{list, text};
use crate::difference::Difference;

/// Answers one call as the function does.
pub(crate) fn answer(
    simulation: &mut Simulation,
    handler: &Value,
    context: &ResponseContext,
    history: &[SimMessage],
) -> Same {
    let rule = list(handler, "rules").iter().find(|rule| holds(&rule["when"], context, history));
    let Some(rule) = rule else { return Err(Box::new(Difference::NoRule)) };
    let respond = &rule["respond"];
    let filled = |template: &Value| Value::String(fill(template.as_str().unwrap_or(""), context, history));
    let replied = if let Some(template) = respond.get("template") {
        simulation.response(&json!({"content": filled(template)}))
    } else if let Some(template) = respond.get("template_str") {
        simulation.response(&filled(template))
    } else if let Some(number) = respond.get("return_int") {
        simulation.response(number)
    } else if let Some(error) = respond.get("raise") {
        simulation.response_error(text(error, "type"), text(error, "message"))
    } else {
        simulation.response(respond)
    };
    replied.map_err(|error| Box::new(Difference::Refused(error)))
}

fn last<'m>(history: &'m [SimMessage], role: &str) -> &'m str {
    let found = history.iter().rfind(|message| message.role == role);
    found.and_then(|message| message.content.as_str()).unwrap_or("")
}

fn holds(when: &Value, context: &ResponseContext, history: &[SimMessage]) -> bool {
    when.as_object().into_iter().flatten().all(|(name, value)| {
        let wanted = value.as_str().unwrap_or("");
        match name.as_str() {
            "always" => true,
            "last_user_contains" => last(history, "user").contains(wanted),
            "last_user_contains_ci" => last(history, "user").to_lowercase().contains(&wanted.to_lowercase()),
            "call_count" => value.as_u64() == Some(context.call_count),
            "call_count_gte" => value.as_u64().is_some_and(|least| context.call_count >= least),
            "iteration" => value.as_u64() == Some(context.iteration),
            "last_message_role" => history.last().is_some_and(|message| message.role == wanted),
            "last_tool_contains" => last(history, "tool").contains(wanted),
            "assistant_count" => {
                let count = history.iter().filter(|message| message.role == "assistant").count();
                value.as_u64() == Some(count as u64)
            }
            _ => false,
        }
    })
}

fn fill(template: &str, context: &ResponseContext, history: &[SimMessage]) -> String {
    let last_ctx = context.messages.last().and_then(|message| message.content.as_str()).unwrap_or("");
    let values = [
        ("call_count", context.call_count.to_string()),
        ("iteration", context.iteration.to_string()),
        ("n_messages", context.messages.len().to_string()),
        ("last_user", last(history, "user").to_owned()),
        ("last_tool", last(history, "tool").to_owned()),
        ("last_assistant", last(history, "assistant").to_owned()),
        ("last_ctx_message", last_ctx.to_owned()),
    ];
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, after)) = after.split_once('}') else { break };
        out.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = after;
    }
    out + rest
}
