//! Replaces `zstandard.rs` in a build without it: files packed with Zstandard are reported, not read.

use crate::archive::ReadError;

/// Whether a file is packed with Zstandard.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
}

/// Returns a file unchanged.
///
/// # Errors
/// When the file is packed with Zstandard.
pub(crate) fn unpack(path: &str, bytes: Vec<u8>, _most: usize) -> Result<(&str, Vec<u8>), ReadError> {
    match is_packed(&bytes) {
        true => Err(ReadError::Zstandard),
        false => Ok((path, bytes)),
    }
}
