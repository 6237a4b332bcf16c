//! The steps of a simulation, read from plain data.

use serde_json::{Map, Value};

use super::input::{
    InputError, Read, count, flag, join, list, map, open, reject_unknown_keys, schema, text, unknown_agent,
};
use super::shape::{OPENING, STEP};
use crate::text::kind_name;

/// One step of the input.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub op: Op,
    /// Its agents, by index in the input: one, or those of a conversation.
    pub agents: Vec<usize>,
    /// The message of the user.
    pub content: Option<Value>,
    /// The role of the message.
    pub role: String,
    /// Options for the model, such as a temperature.
    pub kwargs: Map<String, Value>,
    pub max_iterations: Option<u64>,
    /// The answer has to fit this schema.
    pub output_schema: Option<Value>,
    /// After how many messages the consumer stops listening.
    pub break_after: Option<u64>,
    /// The initial messages of a conversation: agent, role, content.
    pub inside: Vec<(usize, String, Value)>,
    /// Keys of the context to set and to remove.
    pub context: Map<String, Value>,
    pub remove: Vec<String>,
    /// Whether a handler is reset when its mock is entered again.
    pub reset: bool,
}

/// The operation of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// Sends a message and waits for the last answer.
    Call,
    /// Sends a message and listens to all messages.
    Execute,
    /// A conversation between agents.
    Conversation,
    /// Leaves the mock and enters it again.
    Reenter,
    /// Adds a message to an agent's history.
    Append,
    /// Changes an agent's context.
    SetContext,
    /// `MockAgent.call`: one model call, without tools.
    MockCall,
    /// `MockAgent.execute`.
    MockExecute,
    /// Lists the tool calls without an answer.
    Pending,
    /// Lists what models would refuse about the sequence of messages.
    Validate,
}

impl Op {
    pub(super) const NAMES: [(&'static str, Op); 10] = [
        ("call", Op::Call),
        ("execute", Op::Execute),
        ("conversation", Op::Conversation),
        ("reenter", Op::Reenter),
        ("append", Op::Append),
        ("set_context", Op::SetContext),
        ("mock_call", Op::MockCall),
        ("mock_execute", Op::MockExecute),
        ("pending", Op::Pending),
        ("validate", Op::Validate),
    ];

    pub(super) fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, op)| *op == self).map_or("", |(name, _)| name)
    }
}

pub(super) fn steps(values: &[Value], agents: &[&str]) -> Read<Vec<Step>> {
    values.iter().enumerate().map(|(index, value)| step(value, &format!("steps[{index}]"), agents)).collect()
}

fn step(value: &Value, path: &str, agents: &[&str]) -> Read<Step> {
    let entries = map(value, path)?;
    let name = text(entries, path, "op")?.ok_or_else(|| InputError::new(path, "a step needs an `op`"))?;
    let Some((_, op)) = Op::NAMES.into_iter().find(|(known, _)| *known == name) else {
        let names: Vec<String> = Op::NAMES.iter().map(|(name, _)| format!("`{name}`")).collect();
        let message = format!("unknown op `{name}`; use one of {}", names.join(", "));
        let names = Op::NAMES.iter().map(|(name, _)| *name);
        return Err(InputError::new(join(path, "op"), message).with_suggestion(name, names));
    };
    let fields = STEP.iter().find(|step| step.name == name).map_or(&[][..], |step| step.shape.fields());
    reject_unknown_keys(entries, path, fields)?;
    let mut kwargs = open(entries, path, "kwargs")?;
    let inner = count(&kwargs, &join(path, "kwargs"), "max_iterations")?;
    kwargs.shift_remove("max_iterations");
    let role = text(entries, path, "role")?.unwrap_or("user").to_owned();
    role_of(&role, path)?;
    Ok(Step {
        op,
        agents: parse_agents(entries, path, op, agents)?,
        content: content(entries, path)?,
        role,
        max_iterations: count(entries, path, "max_iterations")?.or(inner),
        kwargs,
        output_schema: schema(entries, path, "output_schema")?,
        break_after: count(entries, path, "break_after")?,
        inside: parse_append_inside(entries, path, agents)?,
        context: open(entries, path, "context")?,
        remove: texts(entries, path, "remove")?,
        reset: flag(entries, path, "reset")?,
    })
}

fn parse_agents(entries: &Map<String, Value>, path: &str, op: Op, agents: &[&str]) -> Read<Vec<usize>> {
    let find = |name: &str, path: String| {
        agents
            .iter()
            .position(|agent| *agent == name)
            .ok_or_else(|| unknown_agent(&path, name, agents.iter().copied()))
    };
    if op != Op::Conversation {
        return match (text(entries, path, "agent")?, agents) {
            (Some(name), _) => Ok(vec![find(name, join(path, "agent"))?]),
            (None, [_]) => Ok(vec![0]),
            (None, _) => Err(InputError::new(path, "a step needs an `agent` if there are several")),
        };
    }
    let mut found = Vec::new();
    for (index, name) in texts(entries, path, "agents")?.iter().enumerate() {
        let place = format!("{path}.agents[{index}]");
        let agent = find(name, place.clone())?;
        if found.contains(&agent) {
            return Err(InputError::new(place, format!("`{name}` is already a participant")));
        }
        found.push(agent);
    }
    if found.len() < 2 {
        return Err(InputError::new(join(path, "agents"), "a conversation needs at least two agents"));
    }
    Ok(found)
}

fn parse_append_inside(
    entries: &Map<String, Value>,
    path: &str,
    agents: &[&str],
) -> Read<Vec<(usize, String, Value)>> {
    let mut found = Vec::new();
    for (index, value) in list(entries, path, "append_inside")?.iter().enumerate() {
        let path = format!("{path}.append_inside[{index}]");
        let entries = map(value, &path)?;
        reject_unknown_keys(entries, &path, OPENING.fields())?;
        let name = text(entries, &path, "agent")?.unwrap_or_default();
        let agent = agents.iter().position(|agent| *agent == name);
        let agent =
            agent.ok_or_else(|| unknown_agent(&join(&path, "agent"), name, agents.iter().copied()))?;
        let role = text(entries, &path, "role")?.unwrap_or("user").to_owned();
        role_of(&role, &path)?;
        found.push((agent, role, content(entries, &path)?.unwrap_or_default()));
    }
    Ok(found)
}

fn content(entries: &Map<String, Value>, path: &str) -> Read<Option<Value>> {
    match entries.get("content") {
        None | Some(Value::Null) => Ok(None),
        Some(content @ (Value::String(_) | Value::Array(_))) => Ok(Some(content.clone())),
        Some(other) => {
            let message = format!("must be a string or a list of parts, found {}", kind_name(other));
            Err(InputError::new(join(path, "content"), message))
        }
    }
}

fn role_of(role: &str, path: &str) -> Read<()> {
    if ["system", "user", "assistant"].contains(&role) {
        return Ok(());
    }
    let message = format!("unknown role `{role}`; use `system`, `user` or `assistant`");
    Err(InputError::new(join(path, "role"), message).with_suggestion(role, ["system", "user", "assistant"]))
}

fn texts(entries: &Map<String, Value>, path: &str, key: &str) -> Read<Vec<String>> {
    let mut found = Vec::new();
    for (index, value) in list(entries, path, key)?.iter().enumerate() {
        match value.as_str() {
            Some(text) => found.push(text.to_owned()),
            None => return Err(InputError::new(format!("{path}.{key}[{index}]"), "must be a string")),
        }
    }
    Ok(found)
}
