//! A document inside a link: `z1:` and base64url of raw deflate of a head and the text.
//!
//! The head is one line: a letter for the kind of file, the number of bytes of the text, a checksum of them, and after
//! a blank the name of the file without its usual ending, as in `y3lo.c0ff weather_query`. Without a name it is the one that
//! the text gives itself.
//! Deflate has no checksum of its own, and a link that was cut should be able to say by how much.

use std::fmt;

use transcript_core::document::Limits;

use crate::io::compression;
use crate::strings::{fill, group, text};

/// What payloads of this version begin with.
pub(crate) const VERSION: &str = "z1:";

/// The letters of the kinds, with the ends of their file names.
const KINDS: [(char, &str); 3] = [('y', "yaml"), ('j', "json"), ('l', "jsonl")];
/// The most characters of a name in a link.
const LONGEST: usize = 48;
/// What the names of documents end in.
const ENDINGS: [&str; 7] = ["yaml", "yml", "json", "jsonl", "ndjson", "txt", "log"];
/// The longest head, with its line end.
const HEAD: usize = 32 + 4 * LONGEST;
const BASE: u32 = 36;

/// Why there is no document in a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinkError {
    /// It has characters that no payload has.
    Characters,
    /// This browser cannot unpack.
    NoCompression,
    /// The document has more bytes than this limit.
    TooLarge(usize),
    /// All of the document is there, but it is not the one that was packed.
    Changed,
    /// Some bytes of the document are there; all numbers are of bytes.
    Cut { have: usize, of: usize, packed: usize },
    /// Not even the head can be read of so many packed bytes.
    Unreadable { packed: usize },
}

/// A whole sentence.
impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match *self {
            Self::Characters => text::link_letters().to_owned(),
            Self::NoCompression => text::link_no_browser().to_owned(),
            Self::TooLarge(limit) => fill(text::link_too_large(), &[("n", &group(limit))]),
            Self::Changed => text::link_changed().to_owned(),
            Self::Cut { have, of, packed } => fill(
                text::link_cut(),
                &[("have", &group(have)), ("of", &group(of)), ("packed", &group(packed))],
            ),
            Self::Unreadable { packed } => fill(text::link_unreadable(), &[("packed", &group(packed))]),
        })
    }
}

/// The payload of a document, or nothing where the browser cannot pack.
pub(crate) async fn pack(name: &str, text: &str) -> Option<String> {
    let ending = name.rsplit('.').next().unwrap_or_default();
    let known = KINDS.iter().find(|(_, known)| *known == ending);
    let (kind, ending) = known.copied().unwrap_or(('y', "yaml"));
    let short = Some(short_name(name, ending)).filter(|short| own_name(text) != Some(short));
    let mut bytes = head(kind, &short.unwrap_or_default(), text.as_bytes()).into_bytes();
    bytes.extend_from_slice(text.as_bytes());
    compression::to_base64url(&compression::pack(&bytes).await?)
}

/// The file name and the text of a payload.
///
/// # Errors
///
/// When it is no payload, was cut or changed, is too large, or cannot be unpacked in this browser.
pub(crate) async fn unpack(payload: &str) -> Result<(String, String), LinkError> {
    let packed = compression::from_base64url(payload).ok_or(LinkError::Characters)?;
    let limit = Limits::default().bytes;
    let unpacked = compression::unpack(&packed, limit + HEAD).await.ok_or(LinkError::NoCompression)?;
    if unpacked.too_large {
        return Err(LinkError::TooLarge(limit));
    }
    let packed = packed.len();
    let read = read(&unpacked.bytes);
    match read {
        Some(Read { kind, length, sum, name, body }) if unpacked.whole && body.len() == length => {
            match String::from_utf8(body.to_vec()) {
                Ok(text) if checksum(body) == sum => {
                    let name = if name.is_empty() { own_name(&text).unwrap_or_default() } else { name };
                    Ok((clean_name(name, &format!("{}.{kind}", text::shared_name())), text))
                }
                _ => Err(LinkError::Changed),
            }
        }
        Some(Read { length, body, .. }) => Err(LinkError::Cut { have: body.len(), of: length, packed }),
        None => Err(LinkError::Unreadable { packed }),
    }
}

/// A file name that a link may contain: a bare name of letters, digits and few signs, not
/// long, with an ending of documents. One without such an ending gets that of `usual`; of nothing that can be
/// a name `usual` is made.
fn clean_name(name: &str, usual: &str) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let clean = |c: char| if c.is_alphanumeric() || "-_. ()".contains(c) { c } else { '_' };
    let base: String = base.chars().map(clean).collect();
    let base = base.trim_matches([' ', '.', '_']);
    let (stem, ending) = match base.rsplit_once('.') {
        Some((stem, ending)) if ENDINGS.contains(&ending) => (stem, ending),
        _ => (base, usual.rsplit('.').next().unwrap_or_default()),
    };
    let stem: String = stem.chars().take(LONGEST.saturating_sub(1 + ending.len())).collect();
    match stem.trim_matches([' ', '.', '_']) {
        "" => usual.to_owned(),
        stem => format!("{stem}.{ending}"),
    }
}

/// The name that a text in YAML gives itself in one of its first lines; a link need not say it once more.
fn own_name(text: &str) -> Option<&str> {
    let names = text.lines().take(12).filter_map(|line| line.trim_start().strip_prefix("name:"));
    names.map(|name| name.trim().trim_matches(['"', '\''])).find(|name| !name.is_empty())
}

/// The name as a head has it: without the ending of its kind, if the name comes back without it too.
fn short_name(name: &str, ending: &str) -> String {
    let usual = format!(".{ending}");
    let clean = clean_name(name, &usual);
    let short = clean.strip_suffix(&usual).filter(|short| clean_name(short, &usual) == clean);
    short.unwrap_or(&clean).to_owned()
}

fn head(kind: char, name: &str, text: &[u8]) -> String {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let blank = if name.is_empty() { "" } else { " " };
    format!("{kind}{}.{}{blank}{name}\n", digits(length), digits(checksum(text)))
}

/// The content of a payload.
#[derive(Debug, PartialEq, Eq)]
struct Read<'p> {
    /// The end of the file name.
    kind: &'static str,
    /// The number of bytes that there should be, and their checksum.
    length: usize,
    sum: u32,
    /// The name as it came; empty where there is none.
    name: &'p str,
    /// The bytes that are there.
    body: &'p [u8],
}

fn read(bytes: &[u8]) -> Option<Read<'_>> {
    let end = bytes.iter().take(HEAD).position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(bytes.get(..end)?).ok()?;
    let letter = head.chars().next()?;
    let (length, rest) = head.get(letter.len_utf8()..)?.split_once('.')?;
    let (sum, name) = rest.split_once(' ').unwrap_or((rest, ""));
    let kind = KINDS.iter().find(|(known, _)| *known == letter).map(|(_, ending)| *ending)?;
    let number = |digits: &str| u32::from_str_radix(digits, BASE).ok();
    let (length, sum) = (number(length)? as usize, number(sum)?);
    Some(Read { kind, length, sum, name, body: bytes.get(end + 1..)? })
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
    fn a_head_describes_what_follows() {
        let text = "name: é\n";
        let sum = checksum(text.as_bytes());
        for name in ["my run", ""] {
            let whole = format!("{}{text}", head('j', name, text.as_bytes()));
            let expected = Read { kind: "json", length: 9, sum, name, body: text.as_bytes() };
            assert_eq!(read(whole.as_bytes()), Some(expected));
            let cut = &whole.as_bytes()[..whole.len() - 4];
            assert_eq!(read(cut).map(|read| (read.length, read.body.len())), Some((9, 5)));
        }
    }

    #[track_caller]
    fn cleaned(name: &str, clean: &str) {
        assert_eq!(clean_name(name, "shared.yaml"), clean);
        // What a link says is what it is read as.
        assert_eq!(clean_name(clean, "shared.yaml"), clean);
    }

    #[test]
    fn names_of_links_are_those_of_documents() {
        cleaned("weather_query.yaml", "weather_query.yaml");
        cleaned("Lauf vom 3. März (2).jsonl", "Lauf vom 3. März (2).jsonl");
        cleaned("run.of.today.yml", "run.of.today.yml");
        cleaned("setup.exe", "setup.exe.yaml");
        cleaned("../../etc/passwd", "passwd.yaml");
        cleaned("C:\\runs\\a.json", "a.json");
        cleaned("ann@acme.io: <b>run</b>\u{202e}\n.yaml", "b.yaml");
        cleaned("ann@acme.io\u{202e}.yaml", "ann_acme.io.yaml");
        for nothing in ["", " ", ".", "..", "/", "___", ".yaml"] {
            cleaned(nothing, if nothing == ".yaml" { "yaml.yaml" } else { "shared.yaml" });
        }
        let short = |name: &str| short_name(name, "yaml");
        assert_eq!(short("weather_query.yaml"), "weather_query");
        assert_eq!(
            (short("notes.txt"), short("a.json.yaml")),
            ("notes.txt".to_owned(), "a.json.yaml".to_owned())
        );
        let long = clean_name(&"é".repeat(500), "shared.json");
        assert_eq!((long.chars().count(), long.ends_with("é.json")), (48, true));
    }

    #[test]
    fn what_has_no_head_is_not_read() {
        for bytes in
            ["", "y3", "y3.z", "x3.z\nabc", "yé.z\nabc", "y3\nabc", "\n", "y3. z\nabc", &"y".repeat(400)]
        {
            assert_eq!(read(bytes.as_bytes()), None, "{bytes}");
        }
    }

    #[test]
    fn one_letter_more_or_less_changes_the_checksum() {
        assert_ne!(checksum(b"count: 1"), checksum(b"count: 2"));
        assert_ne!(checksum(b""), checksum(b"\0"));
    }
}
