//! The test suites: those of cargo, and the JavaScript ones below `tests`.

pub(crate) mod cargo;
pub(crate) mod javascript;
pub(crate) mod test_environment;
