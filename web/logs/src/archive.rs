//! Reads a zip file within limits.

use rawzip::{
    CompressionMethod, ZipArchive, ZipArchiveEntryWayfinder, ZipFileHeaderRecord, ZipSliceArchive,
    ZipVerification,
};
use transcript_core::text::Set;
#[cfg(feature = "eval")]
use transcript_core::text::Table;

#[cfg(feature = "eval")]
use crate::zstandard;

/// The most that is taken out of an archive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The most entries.
    pub entries: usize,
    /// The most bytes of one file.
    pub file: usize,
    /// The most bytes of all files that are unpacked, those that come to nothing among them.
    pub total: usize,
}

/// Why a file, an entry of an archive, or a whole archive is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadError {
    /// The file has more bytes than this.
    FileTooLarge(usize),
    /// The archive has more entries than this.
    TooManyEntries(usize),
    /// The archive has more bytes than this once unpacked.
    TooMuchUnpacked(usize),
    /// There are more files than this.
    TooManyFiles(usize),
    /// All files together have more bytes than this.
    TooManyBytes(usize),
    BrokenArchive,
    Broken,
    Encrypted,
    UnknownMethod,
    #[cfg(not(feature = "eval"))]
    Zstandard,
    OtherKind,
    PathLeadsOut,
    DuplicatePath,
    NotText,
    /// What is wrong with an SQLite database.
    Database(&'static str),
}

/// A file that was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnreadFile {
    pub path: String,
    pub error: ReadError,
}

/// The files of an archive.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Unpacked {
    /// The path and the bytes of each file that was wanted, in the order of the archive.
    pub files: Vec<(String, Vec<u8>)>,
    /// The files that were not read.
    pub left_out: Vec<UnreadFile>,
}

/// Whether bytes are those of a zip file: an entry comes first, or else the end of an archive of none.
pub(crate) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Opens a zip file.
///
/// # Errors
/// When the bytes are not a zip file.
pub(crate) fn open(bytes: &[u8]) -> Result<ZipSliceArchive<&[u8]>, ReadError> {
    ZipArchive::from_slice(bytes).map_err(|_| ReadError::BrokenArchive)
}

/// Unpacks the files whose paths are `wanted`. A file that cannot be read is left out; the others are still read.
///
/// # Errors
/// When the bytes are not an archive or exceed the bounds.
pub(crate) fn unpack(
    bytes: &[u8],
    bounds: Bounds,
    wanted: impl Fn(&str) -> bool,
) -> Result<Unpacked, ReadError> {
    let archive = open(bytes)?;
    let mut entries = archive.entries();
    let mut out = Unpacked::default();
    let (mut count, mut room) = (0, bounds.total);
    let mut known = Set::new();
    while let Some(entry) = entries.next_entry().map_err(|_| ReadError::BrokenArchive)? {
        count += 1;
        if count > bounds.entries {
            return Err(ReadError::TooManyEntries(bounds.entries));
        }
        let raw = String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned();
        if entry.is_dir() || is_of_the_archiver(&raw) {
            continue;
        }
        let read = match path(&raw) {
            None => Err(ReadError::PathLeadsOut),
            Some(path) if !wanted(&path) => Err(ReadError::OtherKind),
            Some(path) if !known.insert(path.clone()) => Err(ReadError::DuplicatePath),
            Some(path) => file(&archive, &entry, bounds, &mut room)?.map(|bytes| (path, bytes)),
        };
        match read {
            Ok(file) => out.files.push(file),
            Err(error) => out.left_out.push(UnreadFile { path: raw, error }),
        }
    }
    Ok(out)
}

/// Reads the content of an entry. The inner error concerns the entry, the outer one the whole archive.
fn file(
    archive: &ZipSliceArchive<&[u8]>,
    entry: &ZipFileHeaderRecord<'_>,
    bounds: Bounds,
    room: &mut usize,
) -> Result<Result<Vec<u8>, ReadError>, ReadError> {
    let most = bounds.file.min(*room);
    match content(archive, &Place::from_entry(entry), most) {
        Ok(bytes) => {
            *room = room.saturating_sub(bytes.len());
            Ok(Ok(bytes))
        }
        Err(ReadError::FileTooLarge(_)) => {
            *room = room.saturating_sub(most);
            match *room {
                0 => Err(ReadError::TooMuchUnpacked(bounds.total)),
                _ => Ok(Err(ReadError::FileTooLarge(bounds.file))),
            }
        }
        Err(error) => Ok(Err(error)),
    }
}

/// Where an entry is, and how it is packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    at: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    is_encrypted: bool,
}

impl Place {
    fn from_entry(entry: &ZipFileHeaderRecord<'_>) -> Self {
        Self {
            at: entry.wayfinder(),
            method: entry.compression_method(),
            is_encrypted: entry.flags().is_encrypted(),
        }
    }
}

/// Unpacks the entry at a place, to at most `most` bytes. The sizes that an archive declares cannot be trusted, so the
/// unpacked bytes are counted.
///
/// # Errors
/// When the entry is larger, broken or packed by a method that is not read.
pub(crate) fn content(
    archive: &ZipSliceArchive<&[u8]>,
    place: &Place,
    most: usize,
) -> Result<Vec<u8>, ReadError> {
    if place.is_encrypted {
        return Err(ReadError::Encrypted);
    }
    let found = archive.get_entry(place.at).map_err(|_| ReadError::Broken)?;
    let data = found.data();
    let bytes = match place.method {
        CompressionMethod::STORE if data.len() > most => return Err(ReadError::FileTooLarge(most)),
        CompressionMethod::STORE => data.to_vec(),
        CompressionMethod::DEFLATE => {
            use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
            decompress_to_vec_with_limit(data, most).map_err(|error| match error.status {
                TINFLStatus::HasMoreOutput => ReadError::FileTooLarge(most),
                _ => ReadError::Broken,
            })?
        }
        #[cfg(feature = "eval")]
        CompressionMethod::ZSTD => zstandard::decompress(data, most)?,
        #[cfg(not(feature = "eval"))]
        CompressionMethod::ZSTD => return Err(ReadError::Zstandard),
        _ => return Err(ReadError::UnknownMethod),
    };
    let actual = ZipVerification { crc: rawzip::crc32(&bytes), uncompressed_size: bytes.len() as u64 };
    found.claim_verifier().valid(actual).map(|()| bytes).map_err(|_| ReadError::Broken)
}

/// Where the content of an entry is in the archive, as it is packed.
#[cfg(all(test, feature = "eval"))]
pub(crate) fn range(archive: &ZipSliceArchive<&[u8]>, place: &Place) -> (usize, usize) {
    let (begin, end) = archive.get_entry(place.at).unwrap().compressed_data_range();
    (begin as usize, end as usize)
}

/// The entries of an archive by their paths as written. Of several entries with one path the last one counts, because
/// programs append newer versions to an archive.
///
/// # Errors
/// When the archive is broken or has more entries than `most`.
#[cfg(feature = "eval")]
pub(crate) fn entries(
    archive: &ZipSliceArchive<&[u8]>,
    most: usize,
) -> Result<Table<String, Place>, ReadError> {
    let mut entries = archive.entries();
    let mut out = Table::new();
    let mut count = 0;
    while let Some(entry) = entries.next_entry().map_err(|_| ReadError::BrokenArchive)? {
        count += 1;
        if count > most {
            return Err(ReadError::TooManyEntries(most));
        }
        out.insert(
            String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned(),
            Place::from_entry(&entry),
        );
    }
    Ok(out)
}

/// The path with `/` between names; none leads up or to the root. Nothing is ever written there, but the
/// names show which files belong together.
fn path(raw: &str) -> Option<String> {
    let raw = raw.replace('\\', "/");
    let leads_out = raw.starts_with('/') || raw.contains(':') || raw.split('/').any(|name| name == "..");
    let names: Vec<&str> = raw.split('/').filter(|name| !name.is_empty() && *name != ".").collect();
    (!leads_out && !names.is_empty()).then(|| names.join("/"))
}

/// Whether a path is one that archivers and file managers add for their own use.
pub(crate) fn is_of_the_archiver(path: &str) -> bool {
    path.starts_with("__MACOSX/") || path.split('/').any(|name| name.starts_with("._") || name == ".DS_Store")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { entries: 4, file: 1000, total: 2500 };

    /// An entry of a generated zip file: its path, its declared method, its flags, its packed bytes, its
    /// content.
    pub(crate) struct TestEntry<'m> {
        pub path: &'m str,
        pub method: u16,
        pub flags: u16,
        pub packed: Vec<u8>,
        pub content: &'m [u8],
    }

    pub(crate) fn packed<'m>(path: &'m str, content: &'m [u8]) -> TestEntry<'m> {
        TestEntry {
            path,
            method: 8,
            flags: 0,
            packed: miniz_oxide::deflate::compress_to_vec(content, 6),
            content,
        }
    }

    /// A zip file made by hand, so that its headers may be false.
    pub(crate) fn zip(entries: &[TestEntry<'_>]) -> Vec<u8> {
        let (mut out, mut directory) = (Vec::new(), Vec::new());
        for entry in entries {
            let mut common = Vec::new();
            let mut put = |bytes: &[u8]| common.extend_from_slice(bytes);
            put(&20_u16.to_le_bytes());
            put(&entry.flags.to_le_bytes());
            put(&entry.method.to_le_bytes());
            put(&[0; 4]);
            put(&rawzip::crc32(entry.content).to_le_bytes());
            put(&(entry.packed.len() as u32).to_le_bytes());
            put(&(entry.content.len() as u32).to_le_bytes());
            put(&(entry.path.len() as u16).to_le_bytes());
            put(&[0; 2]);
            let at = out.len() as u32;
            out.extend_from_slice(b"PK\x03\x04");
            out.extend_from_slice(&common);
            out.extend_from_slice(entry.path.as_bytes());
            out.extend_from_slice(&entry.packed);
            directory.extend_from_slice(b"PK\x01\x02\x14\x00");
            directory.extend_from_slice(&common);
            directory.extend_from_slice(&[0; 10]);
            directory.extend_from_slice(&at.to_le_bytes());
            directory.extend_from_slice(entry.path.as_bytes());
        }
        let at = out.len() as u32;
        out.extend_from_slice(&directory);
        out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        let count = (entries.len() as u16).to_le_bytes();
        out.extend_from_slice(&count);
        out.extend_from_slice(&count);
        out.extend_from_slice(&(directory.len() as u32).to_le_bytes());
        out.extend_from_slice(&at.to_le_bytes());
        out.extend_from_slice(&[0; 2]);
        out
    }

    fn unpacked(entries: &[TestEntry<'_>]) -> Result<Unpacked, ReadError> {
        unpack(&zip(entries), BOUNDS, |path| path.ends_with(".json"))
    }

    fn left_out(entries: &[TestEntry<'_>]) -> Vec<UnreadFile> {
        let unpacked = unpacked(entries).unwrap();
        assert!(unpacked.files.is_empty(), "{:?}", unpacked.files);
        unpacked.left_out
    }

    #[test]
    fn files_in_folders_come_out_packed_or_not() {
        let stored = TestEntry { method: 0, packed: b"two".to_vec(), ..packed("a/b\\two.json", b"two") };
        let folder = TestEntry { method: 0, packed: Vec::new(), ..packed("a/", b"") };
        let found = unpacked(&[folder, packed("./a/one.json", b"one"), stored]).unwrap();
        let files: Vec<(&str, &[u8])> =
            found.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
        assert_eq!(files, [("a/one.json", &b"one"[..]), ("a/b/two.json", b"two")]);
        assert!(found.left_out.is_empty());
    }

    #[test]
    fn unreadable_entries_are_left_out_with_the_reason() {
        let error = |entry| left_out(&[entry]).pop().unwrap().error;
        assert_eq!(error(TestEntry { flags: 1, ..packed("a.json", b"x") }), ReadError::Encrypted);
        assert_eq!(error(TestEntry { method: 9, ..packed("a.json", b"x") }), ReadError::UnknownMethod);
        assert_eq!(error(packed("a.png", b"x")), ReadError::OtherKind);
        assert_eq!(error(TestEntry { packed: vec![0xff; 9], ..packed("a.json", b"x") }), ReadError::Broken);
        let other = miniz_oxide::deflate::compress_to_vec(b"y", 6);
        assert_eq!(error(TestEntry { packed: other, ..packed("a.json", b"x") }), ReadError::Broken);
        for path in ["../a.json", "a/../../b.json", "/etc/a.json", "c:\\a.json", "..\\a.json"] {
            assert_eq!(error(packed(path, b"x")), ReadError::PathLeadsOut, "{path}");
        }
        assert_eq!(left_out(&[packed("__MACOSX/._a.json", b"x"), packed("b/._a.json", b"x")]), []);
    }

    #[test]
    fn a_path_counts_once() {
        let found = unpacked(&[packed("a.json", b"one"), packed("./a.json", b"two")]).unwrap();
        assert_eq!(found.files, [("a.json".to_owned(), b"one".to_vec())]);
        let duplicate = UnreadFile { path: "./a.json".to_owned(), error: ReadError::DuplicatePath };
        assert_eq!(found.left_out, [duplicate]);
    }

    #[test]
    fn a_bomb_costs_no_more_than_the_bounds() {
        let large = vec![b'x'; 1_000_000];
        let one = packed("a.json", &large);
        assert!(one.packed.len() < 2_000);
        assert_eq!(left_out(&[one])[0].error, ReadError::FileTooLarge(1000));
        // Each declares a small size; together they are too large.
        let false_sizes =
            ["a.json", "b.json", "c.json"].map(|path| TestEntry { content: b"x", ..packed(path, &large) });
        assert_eq!(unpacked(&false_sizes), Err(ReadError::TooMuchUnpacked(2500)));
    }

    #[test]
    fn too_many_entries_and_no_archive_are_refused() {
        let five = ["a", "b", "c", "d", "e"].map(|path| packed(path, b""));
        assert_eq!(unpacked(&five), Err(ReadError::TooManyEntries(4)));
        assert_eq!(unpack(b"PK\x03\x04 and so on", BOUNDS, |_| true), Err(ReadError::BrokenArchive));
        let mut cut = zip(&[packed("a.json", b"one")]);
        cut.truncate(cut.len() - 30);
        assert_eq!(unpack(&cut, BOUNDS, |_| true), Err(ReadError::BrokenArchive));
        let none = zip(&[]);
        assert!(is_zip(&none));
        assert_eq!(unpack(&none, BOUNDS, |_| true), Ok(Unpacked::default()));
    }
}
