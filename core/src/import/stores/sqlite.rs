//! Reads the tables of SQLite databases, by <https://www.sqlite.org/fileformat2.html>. Indexes, SQL and write-ahead logs are not
//! read.

use std::borrow::Cow;
use std::cell::Cell;

/// What a database begins with.
pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";
pub(super) const BROKEN: &str = "it is an SQLite database that is damaged or cut";

/// A value of a row: the serial type, and its bytes.
pub(super) type Column<'r> = (u64, &'r [u8]);

/// A table: its name, the number of its first page, and the statement that created it.
#[derive(Debug)]
pub(super) struct Table {
    pub name: String,
    root: usize,
    sql: String,
}

/// An opened database.
#[derive(Debug)]
pub(super) struct Database<'b> {
    bytes: &'b [u8],
    page_size: usize,
    /// The bytes of a page without those reserved for extensions.
    usable: usize,
    /// How many pages of tables could not be read so far.
    pub unread: Cell<usize>,
}

/// A number in big-endian order.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(size)?)?;
    Some(bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

/// The variable-length number at a place, which moves behind it.
fn varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut number = 0_u64;
    for count in 1..=9 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if count == 9 {
            return Some(number << 8 | u64::from(byte));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            break;
        }
    }
    Some(number)
}

/// The text of a value, if it is one; a blob may hold text, too.
pub(super) fn text_of(column: Column<'_>) -> Option<&str> {
    std::str::from_utf8(column.1).ok().filter(|_| column.0 >= 12)
}

impl<'b> Database<'b> {
    /// Reads the header.
    ///
    /// # Errors
    /// When the texts are UTF-16, or the header is damaged.
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, &'static str> {
        let page_size = match number(bytes, 16, 2) {
            Some(1) => 1 << 16,
            Some(size) if size.is_power_of_two() && size >= 512 => size,
            _ => return Err(BROKEN),
        };
        let usable = page_size - number(bytes, 20, 1).ok_or(BROKEN)?;
        match number(bytes, 56, 4) {
            Some(0 | 1) if usable >= 480 => Ok(Self { bytes, page_size, usable, unread: Cell::new(0) }),
            Some(2 | 3) => Err("it is an SQLite database with texts in UTF-16, which is not supported"),
            _ => Err(BROKEN),
        }
    }

    /// Whether the last changes may be in a write-ahead log, which is another file.
    pub(super) fn has_log(&self) -> bool {
        self.bytes.get(18) == Some(&2)
    }

    /// The tables.
    pub(super) fn tables(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        self.pages(1, &mut |row| {
            if let [kind, name, _, root, sql, ..] = *row
                && kind.1 == b"table"
            {
                let text = |column| text_of(column).unwrap_or_default().to_owned();
                let root = number(root.1, 0, root.1.len()).unwrap_or_default();
                tables.push(Table { name: text(name), root, sql: text(sql) });
            }
        });
        tables
    }

    /// Calls `take` with the columns of those names of each row; a column that a row lacks is null.
    ///
    /// # Errors
    /// When the rows are in an index.
    pub(super) fn rows(
        &self,
        table: &Table,
        names: &[&str],
        take: &mut dyn FnMut(&[Column<'_>]),
    ) -> Result<(), &'static str> {
        let kind = self.page(table.root).and_then(|(page, header)| page.get(header));
        if matches!(kind, Some(2 | 10)) {
            return Err("it is an SQLite database with tables `WITHOUT ROWID`, which are not supported");
        }
        let all = column_names(table.sql.as_bytes());
        let place = |name: &&str| all.iter().position(|column| column.eq_ignore_ascii_case(name.as_bytes()));
        let places: Vec<Option<usize>> = names.iter().map(place).collect();
        self.pages(table.root, &mut |row| {
            let column = |place: &Option<usize>| row.get((*place)?).copied();
            let row: Vec<Column<'_>> = places.iter().map(|place| column(place).unwrap_or((0, &[]))).collect();
            take(&row);
        });
        Ok(())
    }

    /// The bytes of a page, and the place of the header in it.
    fn page(&self, number: usize) -> Option<(&'b [u8], usize)> {
        let start = number.checked_sub(1)?.checked_mul(self.page_size)?;
        let page = self.bytes.get(start..start.checked_add(self.usable)?)?;
        Some((page, if number == 1 { 100 } else { 0 }))
    }

    /// Calls `take` with each row that can be read of the tree that begins at a page.
    fn pages(&self, root: usize, take: &mut dyn FnMut(&[Column<'_>])) {
        // Each page once, and no more bytes than there are, so that a loop ends.
        let mut is_new = vec![true; self.bytes.len() / self.page_size + 1];
        let mut left = self.bytes.len();
        let mut next = vec![root];
        while let Some(number) = next.pop() {
            let is_new = is_new.get_mut(number).is_some_and(std::mem::take);
            if !is_new || self.read_page(number, &mut next, &mut left, take).is_none() {
                self.unread.set(self.unread.get() + 1);
            }
        }
    }

    /// Reads what can be read of a page; `None` if that is not all of it.
    fn read_page(
        &self,
        place: usize,
        next: &mut Vec<usize>,
        left: &mut usize,
        take: &mut dyn FnMut(&[Column<'_>]),
    ) -> Option<()> {
        let (page, header) = self.page(place)?;
        let count = number(page, header + 3, 2)?;
        let is_leaf = match page.get(header)? {
            5 => false,
            13 => true,
            _ => return None,
        };
        if !is_leaf {
            next.push(number(page, header + 8, 4)?);
        }
        let pointers = header + if is_leaf { 8 } else { 12 };
        let mut read_cell = |index: usize| {
            let mut at = number(page, pointers + 2 * index, 2)?;
            if !is_leaf {
                next.push(number(page, at, 4)?);
                return Some(());
            }
            let size = usize::try_from(varint(page, &mut at)?).ok()?;
            varint(page, &mut at)?;
            let rest = left.checked_sub(size)?;
            let payload = self.payload(page.get(at..)?, size)?;
            // A size that is wrong costs no other row.
            *left = rest;
            take(&columns(&payload)?);
            Some(())
        };
        let mut is_whole = true;
        for index in 0..count {
            // Pages are taken from the end, so that the first one comes last.
            let index = if is_leaf { index } else { count - 1 - index };
            is_whole &= read_cell(index).is_some();
        }
        is_whole.then_some(())
    }

    /// The content of a cell, which may continue on other pages.
    fn payload(&self, cell: &'b [u8], size: usize) -> Option<Cow<'b, [u8]>> {
        if size <= self.usable - 35 {
            return cell.get(..size).map(Cow::Borrowed);
        }
        let least = (self.usable - 12) * 32 / 255 - 23;
        let local = least + (size - least) % (self.usable - 4);
        let local = if local <= self.usable - 35 { local } else { least };
        let mut payload = cell.get(..local)?.to_vec();
        let mut next = number(cell, local, 4)?;
        while payload.len() < size {
            let (page, _) = self.page(next)?;
            next = number(page, 0, 4)?;
            let more = page.get(4..)?;
            payload.extend_from_slice(more.get(..more.len().min(size - payload.len()))?);
        }
        Some(payload.into())
    }
}

/// The names of the columns in a statement that creates a table: what comes first behind the bracket, and behind each comma
/// that is in no other bracket.
fn column_names(mut rest: &[u8]) -> Vec<&[u8]> {
    let mut names = Vec::new();
    let (mut depth, mut is_begin) = (0, false);
    while let Some(first) = rest.first() {
        // What a comment or a quoted name ends with.
        let end: &[u8] = match rest {
            [b'-', b'-', ..] => b"\n",
            [b'/', b'*', ..] => b"*/",
            [b'[', ..] => b"]",
            [b'"', ..] => b"\"",
            [b'`', ..] => b"`",
            [b'\'', ..] => b"'",
            _ => b"",
        };
        let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
        let size = match end.len() {
            0 => rest.iter().take_while(is_word).count().max(1),
            more => 1 + more + rest.windows(more).skip(1).take_while(|bytes| *bytes != end).count(),
        };
        let (token, after) = rest.split_at(size.min(rest.len()));
        match first {
            b'(' | b',' => {
                depth += i32::from(*first == b'(');
                is_begin |= depth == 1;
            }
            b')' => depth -= 1,
            b'-' | b'/' => {}
            _ if is_begin && !first.is_ascii_whitespace() => {
                is_begin = false;
                let inner = token.get(1..token.len() - 1).filter(|_| !end.is_empty());
                names.push(inner.unwrap_or(token));
            }
            _ => {}
        }
        rest = after;
    }
    names
}

/// The values of a record.
fn columns(record: &[u8]) -> Option<Vec<Column<'_>>> {
    let mut at = 0;
    let mut body = usize::try_from(varint(record, &mut at)?).ok()?;
    let header = record.get(..body)?;
    let mut columns = Vec::new();
    while at < header.len() {
        let kind = varint(header, &mut at)?;
        let size = match kind {
            0 | 8.. if kind < 12 => 0,
            1..=4 => kind,
            5 => 6,
            6 | 7 => 8,
            _ => (kind - 12) / 2,
        };
        let end = body.checked_add(usize::try_from(size).ok()?)?;
        columns.push((kind, record.get(body..end)?));
        body = end;
    }
    Some(columns)
}
