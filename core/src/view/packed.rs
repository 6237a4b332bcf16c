//! Long lists of numbers as one text with a space between, which a page reads many times faster than a list in JSON.

use std::fmt::Display;

use crate::diagnostic::Severity;

/// The numbers as one text.
///
/// ```
/// use transcript_core::view::{pack_numbers, unpack_numbers};
/// assert_eq!(pack_numbers([3, 10]), "3 10");
/// assert_eq!((unpack_numbers("3 10"), unpack_numbers("")), (vec![3, 10], vec![]));
/// ```
pub fn pack_numbers(numbers: impl IntoIterator<Item: Display>) -> String {
    let mut out = String::new();
    for number in numbers {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&number.to_string());
    }
    out
}

/// The numbers of such a text, read in one go: there may be a hundred thousand.
#[must_use]
pub fn unpack_numbers(text: &str) -> Vec<u32> {
    let mut out = Vec::new();
    let mut number = 0_u32;
    for byte in text.bytes() {
        if byte == b' ' {
            out.push(number);
            number = 0;
        } else {
            number = number.wrapping_mul(10).wrapping_add(u32::from(byte.wrapping_sub(b'0')));
        }
    }
    if !text.is_empty() {
        out.push(number);
    }
    out
}

/// Where a problem is, and how grave. Lines and columns count from 1, offsets are UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemPlace {
    /// How grave it is.
    pub severity: Severity,
    /// The line it starts in.
    pub line: u32,
    /// The column it starts in.
    pub column: u32,
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The number of its fixes.
    pub fixes: usize,
}

impl ProblemPlace {
    /// The places as one text.
    ///
    /// ```
    /// use transcript_core::diagnostic::Severity;
    /// use transcript_core::view::ProblemPlace;
    /// let first = ProblemPlace { severity: Severity::Warning, line: 2, column: 5, start: 20, end: 24, fixes: 1 };
    /// let last = ProblemPlace { severity: Severity::Info, fixes: 0, ..first };
    /// let packed = ProblemPlace::pack([first, last]);
    /// assert_eq!(ProblemPlace::unpack(&packed), [first, last]);
    /// ```
    pub fn pack(places: impl IntoIterator<Item = Self>) -> String {
        pack_numbers(places.into_iter().flat_map(|Self { severity, line, column, start, end, fixes }| {
            [severity as usize, line as usize, column as usize, start, end, fixes]
        }))
    }

    /// The places of such a text.
    #[must_use]
    pub fn unpack(text: &str) -> Vec<Self> {
        let numbers = unpack_numbers(text);
        let place = |numbers: &[u32]| {
            let &[grave, line, column, start, end, fixes] = numbers else { return None };
            let severity = match grave {
                0 => Severity::Error,
                1 => Severity::Warning,
                _ => Severity::Info,
            };
            let (start, end, fixes) = (start as usize, end as usize, fixes as usize);
            Some(Self { severity, line, column, start, end, fixes })
        };
        numbers.chunks_exact(6).filter_map(place).collect()
    }
}
