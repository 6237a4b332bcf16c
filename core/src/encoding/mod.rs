//! Data and bytes as other programs write them, to the last character.

pub mod base64;
pub mod exact;
pub(crate) mod python;
