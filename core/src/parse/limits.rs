//! Bounds against hostile input.

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Span;

/// How to allow more bytes: the option of the library and that of the command line.
pub(crate) const RAISE_BYTES: &str = "raise `maxBytes` (`--max-bytes` on the command line)";

/// Bounds against hostile input. Each names itself in the diagnostic when it is hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest document, in bytes.
    pub bytes: usize,
    /// The deepest nesting of lists and maps, at most 400 so that no stack overflows.
    pub depth: usize,
    /// The maximum number of nodes that aliases may add.
    pub alias_nodes: usize,
    /// The maximum bytes of texts and keys that aliases may add.
    pub alias_bytes: usize,
    /// The maximum number of references to messages in the full form of a compact document: a call
    /// is sent everything before it, so their number is quadratic in the messages.
    pub expanded: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 32 << 20, depth: 200, alias_nodes: 100_000, alias_bytes: 8 << 20, expanded: 1_000_000 }
    }
}

impl Limits {
    /// The depth in force.
    pub(crate) fn max_depth(&self) -> usize {
        self.depth.min(400)
    }

    /// The diagnostic for a document of `bytes` bytes, if that is too large.
    #[must_use]
    pub fn check_size(&self, bytes: usize) -> Option<Diagnostic> {
        (bytes > self.bytes).then(|| {
            let message = format!("the document has {bytes} bytes; the limit is {}", self.bytes);
            Diagnostic::new(codes::TOO_LARGE, Severity::Error, Span::empty(0), message)
                .help(format!("split the document, or {RAISE_BYTES}"))
        })
    }

    /// The diagnostic for nesting deeper than allowed at `span`.
    pub(crate) fn too_deep(&self, span: Span) -> Diagnostic {
        let message = format!("lists and maps are nested more than {} levels deep", self.max_depth());
        Diagnostic::new(codes::TOO_DEEP, Severity::Error, span, message)
            .help("raise `maxDepth` (`--max-depth` on the command line) to at most 400")
    }

    /// The diagnostic for aliases that have added `nodes` nodes and `bytes` bytes of text up to the
    /// one at `span`, if that exceeds the limits.
    pub(crate) fn too_many_aliases(&self, nodes: usize, bytes: usize, span: Span) -> Option<Diagnostic> {
        let (limit, what, option) = if nodes > self.alias_nodes {
            (self.alias_nodes, "nodes", "`maxAliasNodes` (`--max-alias-nodes` on the command line)")
        } else if bytes > self.alias_bytes {
            (self.alias_bytes, "bytes of text", "`maxAliasBytes` (`--max-alias-bytes` on the command line)")
        } else {
            return None;
        };
        let message = format!("aliases expand to more than {limit} {what}");
        Some(
            Diagnostic::new(codes::ALIAS_LIMIT, Severity::Error, span, message)
                .help(format!("write out the repeated part, or raise {option}")),
        )
    }
}
