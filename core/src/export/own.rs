//! The formats of transcripts themselves, which a document writes.

use super::formats::Format;

pub(super) static YAML: Format = Format {
    name: "yaml",
    title: "Full YAML",
    purpose: "Every layer spelled out",
    description: "the full form",
    file: ("", ".full.yaml"),
    ..Format::BASE
};

pub(super) static JSON: Format = Format {
    name: "json",
    title: "Full JSON",
    purpose: "Every layer spelled out",
    description: "the full form",
    file: ("", ".full.json"),
    ..Format::BASE
};

pub(super) static COMPACT: Format = Format {
    name: "compact",
    title: "Compact YAML",
    purpose: "One line for each message",
    file: ("", ".compact.yaml"),
    ..Format::BASE
};
