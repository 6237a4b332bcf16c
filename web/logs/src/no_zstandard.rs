//! What stands for Zstandard where the module goes without it: files that are packed so are told, and not read.

use crate::messages;

/// A file as it is.
///
/// # Errors
/// Tells in words that it is packed.
pub(crate) fn unpack(path: &str, bytes: Vec<u8>, _most: usize) -> Result<(&str, Vec<u8>), String> {
    match bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        true => Err(messages::ZSTANDARD.to_owned()),
        false => Ok((path, bytes)),
    }
}
