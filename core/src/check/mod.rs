//! The assertions of a document, held against a recording or an actual run, each with its evidence.
