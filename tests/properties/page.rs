//! The examples of the page on the compact form.
