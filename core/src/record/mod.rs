//! Observed facts, in whatever order they come, made into a transcript and a journal.
