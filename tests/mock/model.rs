//! The model that handlers stand in for.
