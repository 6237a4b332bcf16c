//! T211: arguments of a call do not match the schema of its tool.

use std::cell::Cell;

use serde_json::Value;

use super::facts::{Facts, at};
use super::schema::{self, Fault, Step};
use super::{fixes, shorthand};
use crate::diagnostic::{Applicability, Diagnostic, Severity, closest, codes};
use crate::model::ToolCall;
use crate::parse::Node;
use crate::text::Span;

/// A call with the declaration of its tool.
pub(super) struct Called<'c> {
    pub source: &'c str,
    /// The tool.
    pub tool: &'c str,
    pub arguments: &'c Value,
    /// The span of the call.
    pub span: Span,
    /// The written arguments; none in a compact line.
    pub node: Option<&'c Node>,
}

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (step, call) in &facts.calls {
        let turn = step.checked_sub(1).and_then(|index| facts.transcript.turns.get(index));
        let Some(tools) = facts.tools.at(*step, turn.and_then(|turn| turn.agent.as_deref())) else {
            continue;
        };
        let Some(Some(schema)) = tools.by_name.get(&*call.name.value) else { continue };
        let faults = faults(schema, &call.arguments, &facts.work);
        if faults.is_empty() {
            continue;
        }
        let called = Called {
            source: facts.source,
            tool: &call.name.value,
            arguments: &call.arguments,
            span: call.span,
            node: arguments(facts, *step, call),
        };
        found.extend(faults.iter().map(|fault| called.diagnostic(schema, fault)));
    }
}

/// The mismatches. Another rule reports arguments that are not a map.
pub(super) fn faults(schema: &Value, arguments: &Value, work: &Cell<usize>) -> Vec<Fault> {
    if arguments.is_object() { schema::check(schema, arguments, work) } else { Vec::new() }
}

impl Called<'_> {
    pub(super) fn diagnostic(&self, schema: &Value, fault: &Fault) -> Diagnostic {
        let path = fault.path();
        let subject = match &*path {
            "" => format!("the call to `{}`", self.tool),
            path => format!("the argument `{path}` of `{}`", self.tool),
        };
        let (key, place) = match (self.node, fault.way.first()) {
            (Some(arguments), _) => {
                let (key, place) = schema::place(arguments, &fault.way);
                (key, Some(place))
            }
            (None, Some(Step::Key(name))) => shorthand::argument(self.source, self.span, name),
            (None, _) => (None, None),
        };
        let span = match (key, place) {
            (Some(key), _) if fault.what == NOT_DECLARED => key,
            (_, Some(place)) => place,
            _ => self.span,
        };
        let message = format!("{subject} {}", fault.what);
        let diagnostic = Diagnostic::new(codes::ARGUMENTS_SCHEMA, Severity::Warning, span, message);
        let known = schema.get("properties").and_then(Value::as_object).filter(|_| fault.way.len() == 1);
        let help = "see the parameters of the tool in `tools`";
        let (Some(known), Some(Step::Key(name)), NOT_DECLARED) = (known, fault.way.first(), &*fault.what)
        else {
            return diagnostic.help(help);
        };
        let free = known.keys().map(String::as_str).filter(|key| self.arguments.get(*key).is_none());
        let Some(meant) = closest(name, free) else { return diagnostic.help(help) };
        let diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
        match key {
            Some(key) => diagnostic.fix(
                Applicability::Suggested,
                format!("rename to `{meant}`"),
                key,
                fixes::scalar(self.source, key, meant),
            ),
            None => diagnostic,
        }
    }
}

/// The schema's message for a key that it does not allow.
const NOT_DECLARED: &str = "is not declared";

/// The written arguments of a call, in a full or partial document.
pub(super) fn arguments<'t>(facts: &Facts<'t>, step: usize, call: &ToolCall) -> Option<&'t Node> {
    let turn = facts.turn_node(step.checked_sub(1)?)?;
    let lists = [at(turn, &["llm_response", "tool_calls"]), at(turn, &["message_created", "tool_calls"])];
    let node = lists.into_iter().flatten().find_map(|list| Facts::call_node(list, call))?;
    at(node, &["function", "arguments"]).or_else(|| node.present("arguments"))
}
