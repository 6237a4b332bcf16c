//! T614: a composite handler has a strategy that does not exist.

use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::handlers::Strategy;
use crate::model::{Spanned, Text, strategies};

pub(super) fn check(source: &str, named: Option<&Spanned<Text>>, found: &mut Vec<Diagnostic>) {
    let Some(named) = named.filter(|named| Strategy::new(&named.value).is_none()) else { return };
    let message = format!("unknown strategy `{}`", named.value);
    let diagnostic = Diagnostic::new(codes::UNKNOWN_STRATEGY, Severity::Error, named.span, message);
    let help = "use `first_match`, `in_order` or `round_robin`";
    found.push(diagnostic.suggest(
        closest(&named.value.replace('-', "_"), strategies()),
        "write",
        source,
        help,
    ));
}
