//! Decompression of Zstandard, within bounds.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::archive::ReadError;

/// The window that every decoder has to have, in bytes, by RFC 8878, 3.1.1.1.2.
const WINDOW: usize = 8 << 20;
/// What a frame begins with, by RFC 8878, 3.1.1.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Whether a file is packed with Zstandard.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Unpacks a file that is packed with Zstandard, to at most `most` bytes. Any other file is returned unchanged.
///
/// # Errors
/// When the content is larger or broken.
pub(crate) fn unpack(path: &str, bytes: Vec<u8>, most: usize) -> Result<(&str, Vec<u8>), ReadError> {
    if !is_packed(&bytes) {
        return Ok((path, bytes));
    }
    Ok((path.strip_suffix(".zst").unwrap_or(path), decompress(&bytes, most)?))
}

/// Decompresses consecutive frames of Zstandard, to at most `most` bytes. Checksums are ignored: a zip file has its own.
///
/// # Errors
/// When there is more, or a frame is broken.
pub(crate) fn decompress(packed: &[u8], most: usize) -> Result<Vec<u8>, ReadError> {
    const BROKEN: ReadError = ReadError::Broken;
    let (mut rest, mut out) = (packed, Vec::new());
    let mut decoder = FrameDecoder::new();
    // A window is held in memory, so that one larger than all that may come out is refused.
    decoder.set_max_window_size(most.max(WINDOW) as u64);
    while !rest.is_empty() {
        match decoder.init(&mut rest) {
            Ok(()) => {}
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                rest = rest.get(length as usize..).ok_or(BROKEN)?;
                continue;
            }
            Err(FrameDecoderError::WindowSizeTooBig { .. }) => return Err(ReadError::FileTooLarge(most)),
            Err(_) => return Err(BROKEN),
        }
        // One block gives at most 128 KiB, so a bomb is noticed early.
        while !decoder.is_finished() {
            decoder.decode_blocks(&mut rest, BlockDecodingStrategy::UptoBlocks(1)).map_err(|_| BROKEN)?;
            if out.len() + decoder.can_collect() > most {
                return Err(ReadError::FileTooLarge(most));
            }
            out.extend(decoder.collect().unwrap_or_default());
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame by RFC 8878 of one segment: its magic number, its size in one byte, and blocks.
    fn frame(size: u8, blocks: &[&[u8]]) -> Vec<u8> {
        let mut out = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, size];
        out.extend(blocks.concat());
        out
    }

    /// The header of a block: whether it is the last one, its kind (0 raw, 1 one byte many times), its size.
    fn block(is_last: bool, kind: u32, size: u32) -> [u8; 3] {
        let [a, b, c, _] = (u32::from(is_last) | kind << 1 | size << 3).to_le_bytes();
        [a, b, c]
    }

    #[test]
    fn frames_one_behind_the_other_are_one_content() {
        let raw = frame(3, &[&block(true, 0, 3), b"one"]);
        let many = frame(5, &[&block(false, 1, 3), b"x", &block(true, 0, 2), b"yz"]);
        let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], b"note"].concat();
        assert_eq!(decompress(&[raw.clone(), skipped, many].concat(), 8), Ok(b"onexxxyz".to_vec()));
        assert_eq!(decompress(&raw, 2), Err(ReadError::FileTooLarge(2)));
        assert_eq!(decompress(b"", 0), Ok(Vec::new()));
    }

    #[test]
    fn a_packed_file_is_known_by_its_first_bytes() {
        let raw = frame(3, &[&block(true, 0, 3), b"one"]);
        assert_eq!(unpack("a/log.jsonl.zst", raw.clone(), 8), Ok(("a/log.jsonl", b"one".to_vec())));
        assert_eq!(unpack("log.jsonl", raw.clone(), 2), Err(ReadError::FileTooLarge(2)));
        assert_eq!(unpack("log.zst", raw[..8].to_vec(), 8), Err(ReadError::Broken));
        assert_eq!(unpack("log.zst", b"plain".to_vec(), 8), Ok(("log.zst", b"plain".to_vec())));
    }

    #[test]
    fn cut_or_broken_frames_are_errors() {
        let whole = frame(3, &[&block(true, 0, 3), b"one"]);
        for end in 1..whole.len() {
            assert_eq!(decompress(&whole[..end], 100), Err(ReadError::Broken), "{end}");
        }
        for packed in [&b"no frame"[..], &[0x50, 0x2a, 0x4d, 0x18, 255, 255, 255, 255, 1]] {
            assert_eq!(decompress(packed, 100), Err(ReadError::Broken));
        }
        // A block of the kind that is reserved.
        assert!(decompress(&frame(3, &[&block(true, 3, 3), b"one"]), 100).is_err());
    }

    #[test]
    fn a_bomb_is_recognized_by_its_unpacked_size() {
        // Each block is four bytes and gives 128 KiB, which is as much as the window has.
        let blocks = [&block(false, 1, 128 << 10)[..], b"x"].concat().repeat(10_000);
        let bomb = [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 7 << 3][..], &blocks, &block(true, 1, 1), b"x"].concat();
        assert!(bomb.len() < 50_000);
        assert_eq!(decompress(&bomb, 1 << 20), Err(ReadError::FileTooLarge(1 << 20)));
        // A block is no larger than the window.
        assert!(decompress(&frame(1, &[&block(true, 1, 2), b"x"]), 100).is_err());
        // A window of 2 GiB, for nothing in it.
        let wide = [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3][..], &block(true, 0, 0)].concat();
        assert_eq!(decompress(&wide, 1 << 20), Err(ReadError::FileTooLarge(1 << 20)));
    }
}
