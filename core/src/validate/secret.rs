//! T701: a text contains a likely key, token or password.

use super::texts::Placed;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::secrets::SecretKind;

pub(super) fn check(secrets: &[Placed<'_>], found: &mut Vec<Diagnostic>) {
    for secret in secrets.iter().filter(|secret| secret.kind != SecretKind::Email) {
        let message = format!("the document holds {}", secret.kind.title());
        found.push(
            Diagnostic::new(codes::SECRET, Severity::Warning, secret.span, message)
                .label("whoever reads the file can use it")
                .help("revoke it if the file was shared, and redact the document before sharing it"),
        );
    }
}
