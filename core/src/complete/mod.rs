//! What may stand at a place of a text, and what stands there.
