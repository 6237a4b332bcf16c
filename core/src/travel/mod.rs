//! A run changed at a step, and what follows of it worked out again.
