//! A document inside a link: `z1:` and base64url of raw deflate of a head and the text.
//!
//! The head is one line: a letter for the kind of file, the number of bytes of the text, and a checksum of them, as
//! in `y3lo.c0ff`. Deflate has no checksum of its own, and a link that was cut should be able to say by how much.

use transcript_core::view::Limits;

use crate::io::packing;
use crate::strings::{fill, group, text};

/// What payloads of this version begin with.
pub(crate) const VERSION: &str = "z1:";

/// The letters of the kinds, with the ends of their file names.
const KINDS: [(char, &str); 3] = [('y', "yaml"), ('j', "json"), ('l', "jsonl")];
/// The longest head, with its line end.
const HEAD: usize = 32;
const BASE: u32 = 36;

/// The payload of a document, or nothing where the browser cannot pack.
pub(crate) async fn pack(name: &str, text: &str) -> Option<String> {
    let ending = name.rsplit('.').next().unwrap_or_default();
    let kind = KINDS.iter().find(|(_, known)| *known == ending).map_or('y', |(letter, _)| *letter);
    let mut bytes = head(kind, text.as_bytes()).into_bytes();
    bytes.extend_from_slice(text.as_bytes());
    packing::to_base64url(&packing::pack(&bytes).await?)
}

/// The file name and the text of a payload.
///
/// # Errors
///
/// Gives a whole sentence about what is wrong with it.
pub(crate) async fn unpack(payload: &str) -> Result<(String, String), String> {
    let packed = packing::from_base64url(payload).ok_or_else(|| text::link_letters().to_owned())?;
    let limit = Limits::default().bytes;
    let unpacked =
        packing::unpack(&packed, limit + HEAD).await.ok_or_else(|| text::link_no_browser().to_owned())?;
    if unpacked.too_large {
        return Err(fill(text::link_too_large(), &[("n", &group(limit))]));
    }
    let read = read(&unpacked.bytes);
    match read {
        Some((kind, length, sum, body)) if unpacked.whole && body.len() == length => {
            match String::from_utf8(body.to_vec()) {
                Ok(text) if checksum(body) == sum => Ok((format!("{}.{kind}", text::shared_name()), text)),
                _ => Err(text::link_changed().to_owned()),
            }
        }
        Some((_, length, _, body)) => {
            let (have, of) = (group(body.len()), group(length));
            Err(fill(text::link_cut(), &[("have", &have), ("of", &of), ("packed", &group(packed.len()))]))
        }
        None => Err(fill(text::link_unreadable(), &[("packed", &group(packed.len()))])),
    }
}

fn head(kind: char, text: &[u8]) -> String {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    format!("{kind}{}.{}\n", digits(length), digits(checksum(text)))
}

/// The end of the file name, the number of bytes, the checksum, and the bytes that are there.
fn read(bytes: &[u8]) -> Option<(&'static str, usize, u32, &[u8])> {
    let end = bytes.iter().take(HEAD).position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(bytes.get(..end)?).ok()?;
    let letter = head.chars().next()?;
    let (length, sum) = head.get(letter.len_utf8()..)?.split_once('.')?;
    let kind = KINDS.iter().find(|(known, _)| *known == letter).map(|(_, ending)| *ending)?;
    let number = |digits: &str| u32::from_str_radix(digits, BASE).ok();
    Some((kind, number(length)? as usize, number(sum)?, bytes.get(end + 1..)?))
}

/// Twenty bits, which are four digits: enough to notice a link that something has rewritten.
fn checksum(bytes: &[u8]) -> u32 {
    // FNV-1a, folded.
    let sum =
        bytes.iter().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    (sum >> 20 ^ sum) & 0xf_ffff
}

fn digits(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(number % BASE, BASE));
        number /= BASE;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_they_are_read() {
        for number in [0, 1, 35, 36, 4668, u32::MAX] {
            assert_eq!(u32::from_str_radix(&digits(number), BASE), Ok(number));
        }
        assert_eq!((digits(0), digits(35), digits(36)), ("0".to_owned(), "z".to_owned(), "10".to_owned()));
    }

    #[test]
    fn a_head_tells_what_follows() {
        let text = "name: é\n";
        let whole = format!("{}{text}", head('j', text.as_bytes()));
        assert_eq!(read(whole.as_bytes()), Some(("json", 9, checksum(text.as_bytes()), text.as_bytes())));
        let cut = &whole.as_bytes()[..whole.len() - 4];
        assert_eq!(read(cut).map(|(_, length, _, body)| (length, body.len())), Some((9, 5)));
    }

    #[test]
    fn what_has_no_head_is_not_read() {
        for bytes in ["", "y3", "y3.z", "x3.z\nabc", "yé.z\nabc", "y3\nabc", "\n", &"y".repeat(40)] {
            assert_eq!(read(bytes.as_bytes()), None, "{bytes}");
        }
    }

    #[test]
    fn one_letter_more_or_less_changes_the_checksum() {
        assert_ne!(checksum(b"count: 1"), checksum(b"count: 2"));
        assert_ne!(checksum(b""), checksum(b"\0"));
    }
}
