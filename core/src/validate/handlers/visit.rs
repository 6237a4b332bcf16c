//! The way through a handler and those inside it, innermost first.

use super::{
    Surroundings, arguments_schema, bad_expression, contradictory_condition, empty_handler, incomplete,
    interpolation, never_fires, no_fallback, strategy, unknown_state, unknown_tool, unknown_type, ways,
};
use crate::diagnostic::Diagnostic;
use crate::model::ToolCall;
use crate::model::handlers::{
    Condition, ConditionKind, Handler, HandlerKind, MockResponse, Strategy, TestKind,
};
use crate::text::Span;
use crate::validate::arguments::{not_a_map, place};

/// Checks the handler of an agent. `name` names it in messages.
pub(super) fn top(
    surroundings: &Surroundings<'_>,
    handler: &Handler,
    name: &str,
    found: &mut Vec<Diagnostic>,
) {
    if !visit(surroundings, handler, name, found) {
        no_fallback::check(handler, name, found);
    }
}

/// Checks a handler; returns whether it has an answer to every call, however many there are.
///
/// The nesting is bounded by the depth that the parser allows.
fn visit(
    surroundings: &Surroundings<'_>,
    handler: &Handler,
    name: &str,
    found: &mut Vec<Diagnostic>,
) -> bool {
    unknown_type::check(surroundings, handler, name, found);
    incomplete::check(surroundings, handler, name, found);
    empty_handler::check(handler, name, found);
    responses(handler, &mut |response| {
        interpolation::check(surroundings, response, found);
        empty_handler::response(response, found);
        response.tool_calls.iter().for_each(|made| call(surroundings, made, found));
    });
    calls(handler).iter().for_each(|made| call(surroundings, made, found));
    conditions(handler, &mut |condition| contradictory_condition::check(condition, found));
    expressions(handler, &mut |text, span| bad_expression::condition(surroundings, text, span, found));
    match &handler.kind {
        HandlerKind::Queue { .. }
        | HandlerKind::Transcript { .. }
        | HandlerKind::ToolSequence { .. }
        | HandlerKind::Unknown => false,
        HandlerKind::Conditional { rules, default } => {
            let rules = rules.as_ref().map(|rules| rules.value.as_slice()).unwrap_or_default();
            let answers: Vec<bool> = rules
                .iter()
                .map(|rule| match &rule.handler {
                    Some(inner) if rule.respond.is_none() => visit(surroundings, inner, "the handler", found),
                    _ => true,
                })
                .collect();
            let answering = rules.iter().zip(&answers).filter(|(_, answers)| **answers);
            let always =
                never_fires::in_rules(surroundings, answering.map(|(rule, _)| rule), default.as_ref(), found);
            always || default.is_some()
        }
        HandlerKind::StateMachine { initial, states } => {
            let Some(states) = states.as_ref().map(|states| states.value.as_slice()) else { return false };
            unknown_state::check(surroundings, initial.as_ref(), states, found);
            for state in states {
                never_fires::in_transitions(surroundings, state, found);
            }
            ways::check(initial.as_ref(), states, found);
            !states.is_empty()
        }
        HandlerKind::Composite { strategy: named, handlers } => {
            strategy::check(surroundings.source, named.as_ref(), found);
            let handlers = handlers.as_ref().map(|handlers| handlers.value.as_slice()).unwrap_or_default();
            let answers: Vec<bool> =
                handlers.iter().map(|inner| visit(surroundings, inner, "the handler", found)).collect();
            let strategy =
                named.as_ref().map_or(Some(Strategy::FirstMatch), |name| Strategy::new(&name.value));
            match strategy {
                Some(Strategy::FirstMatch | Strategy::InOrder) => {
                    never_fires::in_handlers(handlers, &answers, found);
                    answers.contains(&true)
                }
                Some(Strategy::RoundRobin) => !answers.is_empty() && !answers.contains(&false),
                // The effect of an unknown strategy is undefined.
                None => true,
            }
        }
        HandlerKind::Repeat { respond, times } => respond.is_some() && times.is_none(),
        HandlerKind::Fail { times, then, .. } => {
            let after = then.as_ref().is_some_and(|then| visit(surroundings, then, "the handler", found));
            never_fires::after_failing(times.as_ref(), then.as_deref(), found);
            times.is_none() || after
        }
        HandlerKind::Recording { handler, .. } => {
            handler.as_ref().is_some_and(|inner| visit(surroundings, inner, "the handler", found))
        }
    }
}

/// Hands every response of the handler itself to `each`.
fn responses(handler: &Handler, each: &mut impl FnMut(&MockResponse)) {
    match &handler.kind {
        HandlerKind::Queue { responses: list } | HandlerKind::Transcript { entries: list, .. } => {
            list.iter().flat_map(|list| &list.value).for_each(each);
        }
        HandlerKind::Conditional { rules, default } => {
            let rules = rules.iter().flat_map(|rules| &rules.value);
            rules.filter_map(|rule| rule.respond.as_ref()).chain(default).for_each(each);
        }
        HandlerKind::StateMachine { states, .. } => {
            let states = states.iter().flat_map(|states| &states.value);
            states.filter_map(|state| state.respond.as_ref()).for_each(each);
        }
        HandlerKind::ToolSequence { then: response, .. } | HandlerKind::Repeat { respond: response, .. } => {
            response.iter().for_each(each);
        }
        _ => {}
    }
}

fn call(surroundings: &Surroundings<'_>, call: &ToolCall, found: &mut Vec<Diagnostic>) {
    unknown_tool::check(surroundings, call, found);
    arguments_schema::check(surroundings, call, found);
    // The result of an expression in the text may be JSON.
    let is_wrong =
        !call.arguments.is_object() && call.arguments.as_str().is_none_or(|text| !text.contains("{{"));
    if is_wrong {
        let written = arguments_schema::written(surroundings.root, call);
        let place = place(surroundings.source, &call.arguments, written, call.span);
        found.extend(not_a_map("arguments", &call.name.value, &call.arguments, place));
    }
}

fn calls(handler: &Handler) -> &[ToolCall] {
    match &handler.kind {
        HandlerKind::ToolSequence { calls: Some(calls), .. } => &calls.value,
        _ => &[],
    }
}

/// Hands every expression in the conditions of the handler itself to `each`.
fn expressions(handler: &Handler, each: &mut impl FnMut(&str, Span)) {
    match &handler.kind {
        HandlerKind::Conditional { rules: Some(rules), .. } => {
            rules.value.iter().filter_map(|rule| rule.when.as_ref()).for_each(|when| expression(when, each));
        }
        HandlerKind::StateMachine { states: Some(states), .. } => {
            let transitions = states.value.iter().flat_map(|state| &state.transitions);
            transitions
                .filter_map(|transition| transition.when.as_ref())
                .for_each(|when| expression(when, each));
        }
        _ => {}
    }
}

fn expression(when: &Condition, each: &mut impl FnMut(&str, Span)) {
    match &when.kind {
        ConditionKind::Expression(text) => each(text, when.span),
        ConditionKind::Tests(tests) => tests.iter().for_each(|test| match &test.kind {
            TestKind::All(parts) | TestKind::Any(parts) => {
                parts.iter().for_each(|part| expression(part, each));
            }
            TestKind::Not(part) => expression(part, each),
            _ => {}
        }),
        ConditionKind::Unknown => {}
    }
}

/// Passes every condition of the handler itself to `each`, nested ones included.
fn conditions(handler: &Handler, each: &mut impl FnMut(&Condition)) {
    match &handler.kind {
        HandlerKind::Conditional { rules: Some(rules), .. } => {
            rules.value.iter().filter_map(|rule| rule.when.as_ref()).for_each(|when| condition(when, each));
        }
        HandlerKind::StateMachine { states: Some(states), .. } => {
            let transitions = states.value.iter().flat_map(|state| &state.transitions);
            transitions
                .filter_map(|transition| transition.when.as_ref())
                .for_each(|when| condition(when, each));
        }
        _ => {}
    }
}

/// `all` is part of the condition around it, not a condition of its own.
fn condition(when: &Condition, each: &mut impl FnMut(&Condition)) {
    each(when);
    below(when, each);
}

fn below(when: &Condition, each: &mut impl FnMut(&Condition)) {
    let ConditionKind::Tests(tests) = &when.kind else { return };
    for test in tests {
        match &test.kind {
            TestKind::All(parts) => parts.iter().for_each(|part| below(part, each)),
            TestKind::Any(parts) => parts.iter().for_each(|part| condition(part, each)),
            TestKind::Not(part) => condition(part, each),
            _ => {}
        }
    }
}
