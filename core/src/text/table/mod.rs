//! The ordered map and set of this crate.
//!
//! A map of the standard library takes some 5 kB of wasm for each pair of types. Here one piece of code
//! keeps the order for all, [`positions`], each type of keys adds a comparison, and each type of values a list.

mod keys;
mod positions;
mod set;

use std::borrow::Borrow;

use self::keys::Keys;
pub use self::set::Set;
use super::order::arrange;

/// Values by keys, in the order of the keys. A look-up takes a logarithmic number of comparisons.
///
/// ```
/// use transcript_core::text::Table;
/// let mut counts: Table<&str, usize> = Table::new();
/// for word in ["b", "a", "b"] {
///     *counts.entry(word).or_default() += 1;
/// }
/// assert_eq!(counts.get("b"), Some(&2));
/// assert_eq!(counts.keys().collect::<Vec<_>>(), [&"a", &"b"]);
/// ```
#[derive(Clone)]
pub struct Table<K, V> {
    keys: Keys<K>,
    /// The value of each key at the position of that key.
    values: Vec<V>,
}

impl<K, V> Table<K, V> {
    /// A table without entries.
    #[must_use]
    pub const fn new() -> Self {
        Self { keys: Keys::new(), values: Vec::new() }
    }

    /// How many entries there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The entries in the order of their keys.
    #[must_use]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { keys: self.keys.iter(), values: &self.values }
    }

    /// The keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &K> + Clone {
        self.keys.iter().map(|(_, key)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &V> + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// The mutable values, in order of insertion.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.values.iter_mut()
    }

    /// The keys in order, without the values.
    pub fn into_keys(self) -> impl Iterator<Item = K> {
        self.keys.into_vec().into_iter()
    }

    /// The values in the order of their keys, without these.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.into_iter().values
    }
}

impl<K: Ord, V> Table<K, V> {
    /// The value of a key, if it has one.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.values.get(self.keys.position(key)?)
    }

    /// The mutable value of a key, if it has one.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.values.get_mut(self.keys.position(key)?)
    }

    /// Whether the key has a value.
    #[must_use]
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.keys.position(key).is_some()
    }

    /// Sets the value of a key; returns the former one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let (position, _) = self.keys.add(key);
        if let Some(own) = self.values.get_mut(position) {
            return Some(std::mem::replace(own, value));
        }
        self.values.push(value);
        None
    }

    /// Removes a key; returns its value, if it had one.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let position = self.keys.swap_remove(key)?;
        (position < self.values.len()).then(|| self.values.swap_remove(position))
    }

    /// The entries up to `key`, which need not be one of them, the last one first.
    pub fn back_from(&self, key: &K) -> impl Iterator<Item = (&K, &V)> {
        self.keys.back_from(key).filter_map(|(position, key)| Some((key, self.values.get(position)?)))
    }

    /// The place of a key; a missing value is made.
    pub const fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { table: self, key }
    }
}

/// The place of a key in a table; see [`Table::entry`].
pub struct Entry<'t, K, V> {
    table: &'t mut Table<K, V>,
    key: K,
}

impl<'t, K: Ord, V> Entry<'t, K, V> {
    /// The value of the key; the result of `make` when it has none.
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'t mut V {
        let Table { keys, values } = self.table;
        let (position, is_new) = keys.add(self.key);
        if is_new {
            values.push(make());
        }
        #[expect(
            clippy::indexing_slicing,
            reason = "the position was found or is that of the value just added"
        )]
        &mut values[position]
    }

    /// The value of the key; `value` when it has none.
    pub fn or_insert(self, value: V) -> &'t mut V {
        self.or_insert_with(|| value)
    }

    /// The value of the key, or else the default of its type.
    pub fn or_default(self) -> &'t mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

/// The entries of a table in order; see [`Table::iter`].
pub struct Iter<'t, K, V> {
    keys: keys::Iter<'t, K>,
    values: &'t [V],
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self { keys: self.keys.clone(), values: self.values }
    }
}

impl<'t, K, V> Iterator for Iter<'t, K, V> {
    type Item = (&'t K, &'t V);

    fn next(&mut self) -> Option<Self::Item> {
        let (position, key) = self.keys.next()?;
        Some((key, self.values.get(position)?))
    }
}

impl<'t, K, V> IntoIterator for &'t Table<K, V> {
    type IntoIter = Iter<'t, K, V>;
    type Item = (&'t K, &'t V);

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The entries of a table in order, without the table.
pub struct IntoIter<K, V> {
    keys: std::vec::IntoIter<K>,
    values: std::vec::IntoIter<V>,
}

impl<K, V> Iterator for IntoIter<K, V> {
    type Item = (K, V);

    fn next(&mut self) -> Option<Self::Item> {
        self.keys.next().zip(self.values.next())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.keys.size_hint()
    }
}

impl<K, V> IntoIterator for Table<K, V> {
    type IntoIter = IntoIter<K, V>;
    type Item = (K, V);

    fn into_iter(self) -> Self::IntoIter {
        let Self { keys, mut values } = self;
        let (mut keys, order) = keys.into_parts();
        arrange(&mut values, order.clone());
        arrange(&mut keys, order);
        IntoIter { keys: keys.into_iter(), values: values.into_iter() }
    }
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: std::fmt::Debug, V: std::fmt::Debug> std::fmt::Debug for Table<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Table<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other)
    }
}

impl<K: Eq, V: Eq> Eq for Table<K, V> {}

impl<K: Ord, V> Extend<(K, V)> for Table<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Table<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut table = Self::new();
        table.extend(entries);
        table
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Table;

    /// Pseudo-random numbers, the same each time.
    fn numbers(count: u64, below: u64) -> impl Iterator<Item = u64> {
        (1..=count).scan(7_u64, move |state, _| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            Some((*state >> 33) % below)
        })
    }

    #[test]
    fn a_table_does_what_a_map_of_the_standard_library_does() {
        for below in [3, 40, 5_000] {
            let (mut table, mut map) = (Table::new(), BTreeMap::new());
            for (at, number) in numbers(9_000, below).enumerate() {
                match at % 5 {
                    0 => assert_eq!(table.remove(&number), map.remove(&number)),
                    1 => {
                        *table.entry(number).or_insert(1) += at;
                        *map.entry(number).or_insert(1) += at;
                    }
                    _ => assert_eq!(table.insert(number, at), map.insert(number, at)),
                }
                assert_eq!(table.get(&(number + 1)), map.get(&(number + 1)));
                assert_eq!(table.len(), map.len());
            }
            assert!(table.iter().eq(&map));
            for key in [0, 1, below / 2, below] {
                assert!(table.back_from(&key).eq(map.range(..=key).rev()));
            }
            assert!(table.into_iter().eq(map));
        }
    }

    #[test]
    fn tables_are_equal_by_their_entries_however_they_were_filled() {
        let ahead: Table<u32, char> = [(1, 'a'), (2, 'b'), (3, 'c')].into_iter().collect();
        let mut back: Table<u32, char> = [(3, 'c'), (2, 'b'), (1, 'a')].into_iter().collect();
        assert_eq!(ahead, back);
        assert_eq!(format!("{back:?}"), "{1: 'a', 2: 'b', 3: 'c'}");
        back.remove(&2);
        assert_ne!(ahead, back);
        assert_eq!(back.into_keys().collect::<Vec<_>>(), [1, 3]);
    }
}
