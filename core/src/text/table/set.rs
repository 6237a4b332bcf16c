//! The ordered set.

use std::borrow::Borrow;

use super::keys;

/// Keys in order, each once.
///
/// ```
/// use transcript_core::text::Set;
/// let mut seen: Set<&str> = Set::new();
/// assert!(seen.insert("b"));
/// assert!(!seen.insert("b"));
/// seen.insert("a");
/// assert_eq!(seen.iter().collect::<Vec<_>>(), [&"a", &"b"]);
/// ```
#[derive(Clone)]
pub struct Set<K>(keys::Keys<K>);

impl<K> Set<K> {
    /// A set without keys.
    #[must_use]
    pub const fn new() -> Self {
        Self(keys::Keys::new())
    }

    /// How many keys there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no keys.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.len() == 0
    }

    /// The keys in order.
    #[must_use]
    pub fn iter(&self) -> Keys<'_, K> {
        Keys(self.0.iter())
    }

    /// The least key.
    #[must_use]
    pub fn first(&self) -> Option<&K> {
        self.iter().next()
    }
}

impl<K: Ord> Set<K> {
    /// Whether the key is one of these.
    #[must_use]
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.position(key).is_some()
    }

    /// Adds a key; returns whether it is new.
    pub fn insert(&mut self, key: K) -> bool {
        self.0.add(key).1
    }

    /// Removes a key; returns whether it was present.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.swap_remove(key).is_some()
    }
}

/// The keys of a set in order; see [`Set::iter`].
pub struct Keys<'t, K>(keys::Iter<'t, K>);

impl<K> Clone for Keys<'_, K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'t, K> Iterator for Keys<'t, K> {
    type Item = &'t K;

    fn next(&mut self) -> Option<&'t K> {
        self.0.next().map(|(_, key)| key)
    }
}

impl<'t, K> IntoIterator for &'t Set<K> {
    type IntoIter = Keys<'t, K>;
    type Item = &'t K;

    fn into_iter(self) -> Keys<'t, K> {
        self.iter()
    }
}

impl<K> IntoIterator for Set<K> {
    type IntoIter = std::vec::IntoIter<K>;
    type Item = K;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_vec().into_iter()
    }
}

impl<K: std::fmt::Debug> std::fmt::Debug for Set<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<K: PartialEq> PartialEq for Set<K> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other)
    }
}

impl<K: Eq> Eq for Set<K> {}

impl<K> Default for Set<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Ord> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<K: Ord> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = Self::new();
        set.extend(keys);
        set
    }
}
