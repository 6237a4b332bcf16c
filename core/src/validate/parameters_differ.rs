//! T212: a tool ran with other parameters than the call has that it answers.

use super::facts::Facts;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::parse::difference;
use crate::text::json_line;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let Some(run) = &turn.tool else { continue };
        // Only written parameters can differ; a partial document may omit them.
        let Some(written) = facts.written(index, &["tool_call", "parameters"]) else { continue };
        let Some((_, call)) = run.id.as_ref().and_then(|id| facts.call(&id.value)) else { continue };
        // Another rule reports values that are not a map.
        if !(run.parameters.is_object() && call.arguments.is_object()) {
            continue;
        }
        let Some(way) = difference(&run.parameters, &call.arguments) else { continue };
        let message = format!(
            "the parameters of `{}` differ from the arguments of the call at `{}`",
            run.name.value,
            way.trim_start_matches('.'),
        );
        found.push(
            Diagnostic::new(codes::PARAMETERS_DIFFER, Severity::Warning, written.span, message)
                .related(call.span, "the call")
                .help("a tool runs with the arguments of its call")
                .fix(
                    Applicability::Suggested,
                    "use the arguments of the call",
                    written.span,
                    json_line(&call.arguments),
                ),
        );
    }
}
