//! The order of the files in a packed package.

const BLOCK: usize = 512;

/// The same tar with files that hold nearly the same next to each other, such as `mcp.js` and `mcp.cjs`: npm sorts them by
/// their endings, and gzip looks back 32 kB. `None` when it is not a tar.
pub(crate) fn group_similar_files(tar: &[u8]) -> Option<Vec<u8>> {
    let mut entries = Vec::new();
    let mut rest = tar;
    while rest.first().is_some_and(|byte| *byte != 0) {
        let mut length = 0;
        // An extended header belongs to the entry after it.
        let name = loop {
            let header = rest.get(length..length + BLOCK)?;
            length += BLOCK + octal(header.get(124..136)?)?.next_multiple_of(BLOCK);
            if !matches!(header.get(156)?, b'x' | b'g') {
                break text(header.get(..100)?)?;
            }
        };
        let (entry, after) = rest.split_at_checked(length)?;
        entries.push((sort_key(name), entry));
        rest = after;
    }
    entries.sort_by_key(|(key, _)| *key);
    Some(entries.into_iter().flat_map(|(_, entry)| entry).chain(rest).copied().collect())
}

/// The folder, whether it is a file of types, the name before its first dot, and the whole name.
fn sort_key(path: &str) -> (&str, bool, &str, &str) {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    (folder, name.contains(".d."), name.split('.').next().unwrap_or(name), name)
}

fn text(field: &[u8]) -> Option<&str> {
    str::from_utf8(field.split(|byte| *byte == 0).next()?).ok()
}

fn octal(field: &[u8]) -> Option<usize> {
    usize::from_str_radix(text(field)?.trim(), 8).ok()
}

/// The checksum of gzip.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, content: &str) -> Vec<u8> {
        let mut block = vec![0; BLOCK + content.len().next_multiple_of(BLOCK)];
        block[..name.len()].copy_from_slice(name.as_bytes());
        block[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        block[156] = b'0';
        block[BLOCK..BLOCK + content.len()].copy_from_slice(content.as_bytes());
        block
    }

    #[test]
    fn files_of_one_name_are_adjacent_and_whole() {
        let [a, b, c, d] =
            ["p/b.cjs", "p/a.d.ts", "p/a.js", "p/b.js"].map(|name| file(name, &name.repeat(100)));
        let end = vec![0; 2 * BLOCK];
        let tar = [&a, &b, &c, &d, &end].map(|part| &part[..]).concat();
        assert_eq!(group_similar_files(&tar), Some([&c, &a, &d, &b, &end].map(|part| &part[..]).concat()));
        assert_eq!(group_similar_files(b"PK"), None);
    }

    #[test]
    fn the_checksum_is_that_of_gzip() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
