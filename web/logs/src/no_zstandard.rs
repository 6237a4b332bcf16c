//! What stands for Zstandard where the module goes without it: files that are packed so are told, and not read.

use crate::words;

/// A file as it is.
///
/// # Errors
/// Tells in words that it is packed.
pub(crate) fn unpacked(path: &str, bytes: Vec<u8>, _most: usize) -> Result<(&str, Vec<u8>), String> {
    match bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        true => Err(words::ZSTANDARD.to_owned()),
        false => Ok((path, bytes)),
    }
}
