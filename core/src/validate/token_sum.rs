//! T401: the input and output tokens do not add up to their total.

use super::facts::Facts;
use super::usage::{NAMES, usages};
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for usage in usages(facts) {
        for [input, output, total] in NAMES {
            let figure = |key: &str| usage.present(key).and_then(|node| Some((node, node.as_i64()?)));
            let (Some((_, went)), Some((_, came)), Some((node, stated))) =
                (figure(input), figure(output), figure(total))
            else {
                continue;
            };
            let sum = went.saturating_add(came);
            // Some providers count reasoning and cached tokens only in the total.
            let has_more =
                usage.entries().iter().any(|entry| ![input, output, total].contains(&&*entry.key.text));
            if stated == sum || (stated > sum && has_more) {
                continue;
            }
            let message = format!("`{total}` is {stated}, but `{input}` and `{output}` add up to {sum}");
            found.push(
                Diagnostic::new(codes::TOKEN_SUM, Severity::Warning, node.span, message)
                    .help("correct one of the three numbers")
                    .fix(Applicability::Suggested, format!("change to {sum}"), node.span, sum.to_string()),
            );
        }
    }
}
