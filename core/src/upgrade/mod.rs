//! Older versions of the format brought to the present one.
