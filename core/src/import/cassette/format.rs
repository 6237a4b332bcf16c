//! Detects and reads recorded HTTP.

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::http_recording;
use super::read::{Style, requests, style};
use crate::parse::Node;

pub(in super::super) static FORMAT: Format = Format {
    kind: "http-recording",
    names: &["http", "http-recording", "vcr", "nock", "polly", "har"],
    title: "HTTP (VCR, HAR)",
    run: "recorded HTTP",
    entry: ("interaction", "interactions"),
    nouns: ("recording has", "conversation"),
    rank: 130,
    ..Format::BASE
};

pub(in super::super) static WORDS: Words =
    Words { plural: "recorded HTTP", sentence: "this is recorded HTTP", unit: "requests", ..Words::BASE };

pub(in super::super) static DETECTION: Detection = Detection {
    known_by: &[&["interactions", "request", "response"], &["log", "entries", "request", "response"]],
    root_of,
    ..Detection::NONE
};

fn root_of(root: &Node) -> Option<Found> {
    let style = style(root)?;
    let reason = match style {
        Style::Vcr => {
            "it has `interactions`, each a `request` with its `response`, as the cassettes of VCR.py have"
        }
        Style::RubyVcr => "it has `http_interactions`, as the cassettes of VCR for Ruby have",
        Style::Nock => {
            "its entries have `scope`, `method`, `path` and `status`, as the recordings of nock have"
        }
        Style::Har => "it has `log` with `entries`, each a `request` with its `response`, as HAR has",
    };
    Some(match requests(root, style) {
        (all @ 1.., 0) => {
            let none = format!("{reason}; none of its {all} requests is sent to an address that is read");
            Found::certain(&FORMAT, &none)
        }
        _ => Found::certain(&FORMAT, reason),
    })
}

/// Reads the conversations of a recording.
pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let file = request.file();
    let Some(read) = http_recording(&file) else {
        let message = format!("no recorded HTTP can be read from `{}`", file.path);
        return Err(Refusal::new(message, "each entry has a request with its response"));
    };
    Ok(Runs::new(request, read.conversations.clone(), move |chosen| read.imported(chosen)))
}
