//! What holds of every run and every change.
