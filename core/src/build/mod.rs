//! A transcript built step by step in code.
