//! The npm package of the core: conversions only.
