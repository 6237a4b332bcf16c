//! T208: a result names another tool than the call it answers.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for result in &facts.results {
        let call = facts.call_of(result);
        let (Some(tool), Some((_, call))) = (result.tool, call) else { continue };
        let called: &str = &call.name.value;
        if tool != called {
            let message = format!("the result is from `{tool}`, but the call is to `{called}`");
            found.push(
                Diagnostic::new(codes::OTHER_TOOL, Severity::Error, result.span, message)
                    .related(call.name.span, "the call")
                    .help(format!("rename the tool to `{called}`, or use the id of another call")),
            );
        }
    }
}
