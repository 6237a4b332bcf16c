//! What the model holds of a document, and the forms that large documents are written in.

mod agents;
mod blobs;
mod data;
mod exchange;
mod failed;
mod files;
mod finish_reasons;
mod keys;
mod named_runs;
mod plain_data;
mod usage_names;
