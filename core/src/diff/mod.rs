//! Two transcripts compared, turns aligned, field by field.
