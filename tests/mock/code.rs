//! Handlers in code, by the names of the tests in the seed.
