//! Large values in signals.

use std::ops::Deref;
use std::sync::Arc;

/// An `Arc` that is compared by pointer, so that signals compare large data in no time.
#[derive(Debug)]
pub(crate) struct PtrArc<T: ?Sized>(Arc<T>);

impl<T> PtrArc<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl From<&str> for PtrArc<str> {
    fn from(text: &str) -> Self {
        Self(Arc::from(text))
    }
}

impl From<String> for PtrArc<str> {
    fn from(text: String) -> Self {
        Self(Arc::from(text))
    }
}

impl<T: ?Sized> Clone for PtrArc<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> PartialEq for PtrArc<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: ?Sized> Deref for PtrArc<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
