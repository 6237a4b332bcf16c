//! Duplicate keys in one map.

use std::sync::Arc;

use super::node::Entry;
use crate::text::{Span, Table};

/// Among so few entries looking at each is faster than keeping them in order.
const FEW: usize = 16;

/// The keys of the entries that a map has so far.
#[derive(Default)]
pub(super) struct Keys(Table<Arc<str>, Span>);

impl Keys {
    /// The place of an earlier `key` among the entries, which extend those of the previous call and have
    /// no duplicates.
    pub(super) fn place(&mut self, entries: &[Entry], key: &str) -> Option<Span> {
        if entries.len() <= FEW {
            return entries.iter().find(|entry| &*entry.key.text == key).map(|entry| entry.key.span);
        }
        let new = entries.get(self.0.len()..).unwrap_or(&[]);
        self.0.extend(new.iter().map(|entry| (Arc::clone(&entry.key.text), entry.key.span)));
        self.0.get(key).copied()
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::codes;
    use crate::parse::{Limits, parse};

    #[test]
    fn a_key_that_stands_twice_is_found_in_short_and_in_long_maps() {
        for count in [2, 16, 17, 18, 600] {
            let entries: String = (0..count).map(|at| format!("\"k{at}\": 1,")).collect();
            for text in [
                format!("{{{entries} \"k0\": 2, \"k0\": 3, \"z\": 1}}"),
                format!("{{{} 'k0': 2, 'k0': 3, z: 1}}", entries.replace('"', "'")),
            ] {
                let parsed = parse(&text, &Limits::default());
                let found: Vec<_> =
                    parsed.diagnostics.iter().filter(|found| found.code == codes::DUPLICATE_KEY).collect();
                assert_eq!(found.len(), 2, "{text}");
                assert_eq!(parsed.root.map(|root| root.entries().len()), Some(count + 1));
            }
        }
    }
}
