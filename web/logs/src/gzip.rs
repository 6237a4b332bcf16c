//! Decompresses gzip piece by piece, by RFC 1952.
//!
//! The browser's own stream keeps its pieces until a garbage collection: for a log of 100 MB they are several
//! times its size. This one holds only a window of 32 KiB.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use rawzip::Crc32;

use crate::messages;

/// As far back as packed data may point.
const WINDOW: usize = 32 << 10;
/// How much of the begin is kept, by which a file is recognized.
const BEGIN: usize = 64;
/// What a member begins with: gzip, and the one method that there is.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
const HEADER: usize = 10;
/// The flags of a header: further fields in it, and those that mean nothing yet.
const HAS_SUM: u8 = 1 << 1;
const HAS_EXTRA: u8 = 1 << 2;
const HAS_NAME: u8 = 1 << 3;
const HAS_COMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0xe0;

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// A member, or the end where there was one before.
    Begin,
    /// How long a field is, and so many bytes of it.
    ExtraLength,
    Extra(u16),
    /// The name or the comment, with its flag.
    Text(u8),
    /// The checksum of the header, ignored: that of the content is enough.
    Sum,
    Packed,
    Trailer,
    /// The rest is ignored.
    Over,
}

/// Unpacks a file chunk by chunk: members one after the other.
pub(crate) struct Gunzip {
    stage: Stage,
    /// The flags of the next fields, and the bytes so far of one with a fixed size.
    flags: u8,
    field: Vec<u8>,
    inflater: Box<DecompressorOxide>,
    window: Vec<u8>,
    /// The place in the window.
    at: usize,
    sum: Crc32,
    /// The bytes of the member, as far as 32 bits have them, and of all.
    length: u32,
    size: u64,
    most: u64,
    begin: Vec<u8>,
    has_member: bool,
    fault: Option<&'static str>,
}

impl std::fmt::Debug for Gunzip {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Gunzip")
            .field("stage", &self.stage)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl Gunzip {
    /// One that gives at most a window more than `most` bytes, so that a small file cannot keep it busy.
    pub(crate) fn new(most: u64) -> Self {
        Self {
            stage: Stage::Begin,
            flags: 0,
            field: Vec::new(),
            inflater: Box::default(),
            window: vec![0; WINDOW],
            at: 0,
            sum: Crc32::new(),
            length: 0,
            size: 0,
            most,
            begin: Vec::new(),
            has_member: false,
            fault: None,
        }
    }

    /// How many bytes came out so far.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The first of them.
    pub(crate) fn begin(&self) -> &[u8] {
        &self.begin
    }

    /// The error at the end of the input.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let is_whole = match self.stage {
            Stage::Begin => self.has_member && self.field.is_empty(),
            stage => stage == Stage::Over,
        };
        self.fault.or((!is_whole).then_some(messages::GZIP_CUT))
    }

    /// Takes the next bytes of the file, and passes their content to `out`.
    pub(crate) fn take(&mut self, chunk: &[u8], mut out: impl FnMut(&[u8])) {
        let mut rest = chunk;
        while let Some((first, others)) = rest.split_first() {
            rest = match self.stage {
                Stage::Over => return,
                Stage::Packed => self.inflate(rest, &mut out),
                _ => {
                    self.byte(*first);
                    others
                }
            };
        }
    }

    fn fail(&mut self, why: &'static str) {
        (self.stage, self.fault) = (Stage::Over, Some(why));
    }

    /// Takes a byte of a header or of what follows the content.
    fn byte(&mut self, byte: u8) {
        match self.stage {
            // Tapes and disks are filled up with zeros.
            Stage::Begin if self.has_member && self.field.is_empty() && byte == 0 => {}
            Stage::Begin => {
                if MAGIC.get(self.field.len()).is_some_and(|wanted| *wanted != byte) {
                    self.fail(if self.has_member { messages::GZIP_BEHIND } else { messages::GZIP_DAMAGED });
                } else if let Some([_, _, _, flags, ..]) = self.gathered(byte, HEADER).as_deref() {
                    self.flags = *flags;
                    self.go_on();
                }
            }
            Stage::ExtraLength => {
                if let Some([low, high]) = self.gathered(byte, 2).as_deref() {
                    match u16::from_le_bytes([*low, *high]) {
                        0 => self.go_on(),
                        length => self.stage = Stage::Extra(length),
                    }
                }
            }
            Stage::Extra(1) => self.go_on(),
            Stage::Extra(left) => self.stage = Stage::Extra(left - 1),
            Stage::Text(_) if byte == 0 => self.go_on(),
            Stage::Text(_) => {}
            Stage::Sum => {
                if self.gathered(byte, 2).is_some() {
                    self.go_on();
                }
            }
            Stage::Trailer => {
                let Some(stated) = self.gathered(byte, 8) else { return };
                let own = [self.sum.checksum().to_le_bytes(), self.length.to_le_bytes()].concat();
                (self.stage, self.has_member) = (Stage::Begin, true);
                if stated != own {
                    self.fail(messages::GZIP_SUM);
                }
            }
            Stage::Packed | Stage::Over => {}
        }
    }

    /// A field of that many bytes, with the last of them.
    fn gathered(&mut self, byte: u8, size: usize) -> Option<Vec<u8>> {
        self.field.push(byte);
        (self.field.len() == size).then(|| std::mem::take(&mut self.field))
    }

    /// Goes on with the next field of the header, or with the content.
    fn go_on(&mut self) {
        let fields = [
            (HAS_EXTRA, Stage::ExtraLength),
            (HAS_NAME, Stage::Text(HAS_NAME)),
            (HAS_COMMENT, Stage::Text(HAS_COMMENT)),
            (HAS_SUM, Stage::Sum),
        ];
        let next = fields.into_iter().find(|(flag, _)| self.flags & flag != 0);
        if self.flags & RESERVED != 0 {
            self.fail(messages::GZIP_DAMAGED);
        } else if let Some((flag, stage)) = next {
            self.flags &= !flag;
            self.stage = stage;
        } else {
            self.stage = Stage::Packed;
            self.inflater.init();
            (self.at, self.length, self.sum) = (0, 0, Crc32::new());
        }
    }

    /// Unpacks what fits into the window; returns the remaining packed bytes.
    fn inflate<'c>(&mut self, packed: &'c [u8], out: &mut impl FnMut(&[u8])) -> &'c [u8] {
        let (status, read, written) =
            decompress(&mut self.inflater, packed, &mut self.window, self.at, TINFL_FLAG_HAS_MORE_INPUT);
        let piece = self.window.get(self.at..self.at + written).unwrap_or_default();
        self.sum.update(piece);
        self.length = self.length.wrapping_add(written as u32);
        self.size += written as u64;
        let room = BEGIN.saturating_sub(self.begin.len()).min(piece.len());
        self.begin.extend_from_slice(piece.get(..room).unwrap_or_default());
        out(piece);
        self.at = (self.at + written) % WINDOW;
        match status {
            _ if self.size > self.most => self.stage = Stage::Over,
            TINFLStatus::Done => self.stage = Stage::Trailer,
            TINFLStatus::NeedsMoreInput | TINFLStatus::HasMoreOutput if read + written > 0 => {}
            _ => self.fail(messages::GZIP_DAMAGED),
        }
        packed.get(read..).unwrap_or_default()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    const MOST: u64 = 1 << 30;

    /// A member by RFC 1952, with optional header fields.
    pub(crate) fn member(flags: u8, fields: &[u8], content: &[u8]) -> Vec<u8> {
        let head = [0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 0, 255];
        let packed = miniz_oxide::deflate::compress_to_vec(content, 6);
        let sum = rawzip::crc32(content).to_le_bytes();
        [&head, fields, &packed, &sum, &(content.len() as u32).to_le_bytes()].concat()
    }

    /// The result of bytes in chunks of that size.
    fn unpacked(bytes: &[u8], chunk: usize, most: u64) -> (Vec<u8>, Option<&'static str>) {
        let (mut gunzip, mut out) = (Gunzip::new(most), Vec::new());
        bytes.chunks(chunk).for_each(|chunk| gunzip.take(chunk, |piece| out.extend_from_slice(piece)));
        assert_eq!(gunzip.size(), out.len() as u64);
        assert_eq!(gunzip.begin(), &out[..out.len().min(BEGIN)]);
        (out, gunzip.fault())
    }

    /// A text that is longer than a window, with parts that are similar but not equal.
    fn long() -> Vec<u8> {
        (0..20_000_u32)
            .flat_map(|at| format!("{{\"n\":{}}}\n", at.wrapping_mul(2_654_435_761)).into_bytes())
            .collect()
    }

    #[test]
    fn members_one_behind_the_other_are_one_content_however_they_are_cut() {
        let long = long();
        assert!(long.len() > 8 * WINDOW);
        let two = [member(0, b"", b"first\n"), member(0, b"", b""), member(0, b"", &long)].concat();
        let whole = [b"first\n", &long[..]].concat();
        for chunk in [1, 2, 3, 7, 64, 1000, 4096, 1 << 20] {
            assert_eq!(unpacked(&two, chunk, MOST), (whole.clone(), None), "{chunk}");
        }
        // Filled up with zeros.
        assert_eq!(unpacked(&[two, vec![0; 512]].concat(), 100, MOST), (whole, None));
    }

    #[test]
    fn a_header_may_have_fields() {
        let all = [&[3, 0][..], b"abc", b"log.jsonl\0", b"a comment\0", &[1, 2]].concat();
        for (flags, fields) in [
            (HAS_EXTRA | HAS_NAME | HAS_COMMENT | HAS_SUM, &all[..]),
            (HAS_EXTRA, &[0, 0]),
            (HAS_NAME, b"log\0"),
            (HAS_COMMENT | 1, b"\0"),
            (HAS_SUM, b"xx"),
        ] {
            for chunk in [1, 5, 100] {
                let bytes = member(flags, fields, b"content");
                assert_eq!(unpacked(&bytes, chunk, MOST), (b"content".to_vec(), None), "{flags} {chunk}");
            }
        }
        assert_eq!(unpacked(&member(0x20, b"", b"x"), 100, MOST), (Vec::new(), Some(messages::GZIP_DAMAGED)));
    }

    #[test]
    fn of_what_is_cut_all_before_is_read() {
        let long = long();
        let bytes = [member(HAS_NAME, b"log\0", b"first\n"), member(0, b"", &long)].concat();
        let whole = [b"first\n", &long[..]].concat();
        let first = member(HAS_NAME, b"log\0", b"first\n").len();
        for end in (0..bytes.len()).filter(|end| *end < 60 || end % 997 == 0) {
            let (out, fault) = unpacked(&bytes[..end], 100, MOST);
            assert!(whole.starts_with(&out), "{end}");
            assert_eq!(fault, (end != first).then_some(messages::GZIP_CUT), "{end}");
        }
        // Half of the packed bytes have about half of the content.
        let (out, _) = unpacked(&bytes[..bytes.len() / 2], 1000, MOST);
        assert!(out.len() > whole.len() / 3, "{}", out.len());
    }

    #[test]
    fn what_is_damaged_is_told_and_what_stands_before_is_kept() {
        let good = member(0, b"", b"first\n");
        // Its sum, and its length.
        for behind in [8, 1] {
            let mut bytes = good.clone();
            let at = bytes.len() - behind;
            bytes[at] ^= 1;
            assert_eq!(unpacked(&bytes, 3, MOST), (b"first\n".to_vec(), Some(messages::GZIP_SUM)));
        }
        // A block of the invalid kind.
        let none = [&member(0, b"", b"")[..HEADER], &[0x07, 0, 0, 0]].concat();
        let bytes = [&good[..], &none].concat();
        assert_eq!(unpacked(&bytes, 3, MOST), (b"first\n".to_vec(), Some(messages::GZIP_DAMAGED)));
        // Not a member.
        let bytes = [&good[..], b"and so on"].concat();
        assert_eq!(unpacked(&bytes, 3, MOST), (b"first\n".to_vec(), Some(messages::GZIP_BEHIND)));
        assert_eq!(unpacked(b"\x1f\x8b\x07", 3, MOST), (Vec::new(), Some(messages::GZIP_DAMAGED)));
        assert_eq!(unpacked(b"", 3, MOST), (Vec::new(), Some(messages::GZIP_CUT)));
    }

    #[test]
    fn a_bomb_goes_off_no_further_than_the_bound() {
        let bomb = member(0, b"", &vec![b'x'; 30_000_000]);
        assert!(bomb.len() < 50_000);
        let (out, fault) = unpacked(&bomb, 1 << 20, 1_000_000);
        assert!((1_000_001..=1_000_000 + WINDOW).contains(&out.len()), "{}", out.len());
        assert_eq!(fault, None);
    }
}
