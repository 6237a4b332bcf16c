//! Secrets replaced by consistent placeholders.
