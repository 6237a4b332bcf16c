//! A full transcript in the compact form, when nothing is lost by it; else the list of what would be.
