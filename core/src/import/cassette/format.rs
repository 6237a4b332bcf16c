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
    rank: 130,
    ..Format::BASE
};

pub(in super::super) static WORDS: Words = Words {
    run: "an HTTP recording",
    entry: ("interaction", "interactions"),
    nouns: ("recording has", "conversation"),
    plural: "recorded HTTP",
    sentence: "this is recorded HTTP",
    unit: "requests",
    ..Words::BASE
};

pub(in super::super) static DETECTION: Detection = Detection {
    known_by: &[&["interactions", "request", "response"], &["log", "entries", "request", "response"]],
    root_of,
    ..Detection::NONE
};

fn root_of(root: &Node) -> Option<Found> {
    let style = style(root)?;
    let reason = match style {
        Style::Vcr => "it has `interactions` with `request` and `response`, like VCR.py cassettes",
        Style::RubyVcr => "it has `http_interactions`, like Ruby VCR cassettes",
        Style::Nock => "its entries have `scope`, `method`, `path` and `status`, like nock recordings",
        Style::Har => "it has `log.entries` with `request` and `response`, like HAR files",
    };
    Some(match requests(root, style) {
        (all @ 1.., 0) => {
            let none = format!("{reason}; none of its {all} requests has a supported address");
            Found::certain(&FORMAT, &none)
        }
        _ => Found::certain(&FORMAT, reason),
    })
}

/// Reads the conversations of a recording.
pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let file = request.file();
    let Some(mut read) = http_recording(&file) else {
        let message = format!("`{}` has no readable HTTP recording", file.path);
        return Err(Refusal::new(message, "each entry needs a request and a response"));
    };
    Ok(Runs::new(request, read.conversations.clone(), move |chosen| read.imported(chosen)))
}
