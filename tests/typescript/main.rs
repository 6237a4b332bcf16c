//! The TypeScript types of plain data in the npm package agree with the Rust types that are serialised. `UPDATE=1`
//! writes them anew.
//!
//! Every stage of the core has a file in `wasm-pkg/js/types/generated`. A type that the package names is a root below;
//! what it refers to comes along.

mod attributes;
mod collect;
mod constants;
mod declaration;
mod doc;
mod print;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use collect::Collected;
use transcript_core::build::BuildProblem;
use transcript_core::diagnostic::render::Problem;
use transcript_core::document::{Detection, FileReference};
use transcript_core::import::{Drift, RepairedLog};
use transcript_core::replay::{AnswerResponse, NearestRecording, OtherDifference};
use transcript_core::{canonical, export, mock, record, simulate, verify, view, wire};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../wasm-pkg/js/types/generated")
}

fn collected() -> Collected {
    let mut all = Collected::default();
    all.root::<Problem>();
    // Requests.
    all.root::<canonical::CanonicalMessage>();
    let docs = "The format of a request: that of this program, of a framework, or of a vendor.";
    all.words("canonical", "RequestFormat", docs, canonical::request_formats());
    let docs = "The protocol of a vendor, as the format of its requests.";
    all.words("wire", "WireProtocol", docs, wire::protocols());
    // Documents.
    all.root::<Detection>();
    all.root::<FileReference>();
    all.root::<view::Overview>();
    all.root::<view::StepDetail>();
    all.root::<view::BetweenSteps>();
    all.root::<view::CheckView>();
    all.root::<view::TravelAnswer>();
    // Authoring.
    all.root::<view::Compaction>();
    all.root::<view::CompletionView>();
    all.root::<view::HoverView>();
    all.root::<view::CoverageView>();
    all.root::<view::DeterminismReport>();
    all.root::<view::Difference>();
    all.root::<view::EditAnswer>();
    all.root::<view::ExportView>();
    all.root::<view::FixedText>();
    all.root::<view::Formatted>();
    all.root::<view::Redaction>();
    all.root::<view::GenerationView>();
    all.root::<BuildProblem>();
    // Files of other programs.
    all.root::<view::FormatView>();
    all.root::<view::ImportView>();
    all.root::<RepairedLog>();
    all.root::<Drift>();
    let formats = view::formats();
    let mut kinds: Vec<&str> = formats.iter().map(|format| &*format.kind).collect();
    kinds.sort_unstable();
    let docs = "What a file of another program is, as `detect` returns it.";
    all.words("import", "FormatKind", docs, kinds.into_iter());
    let names = formats.iter().filter_map(|format| format.names.first().map(|name| &**name));
    all.words("import", "FormatName", "What `from` takes.", names);
    let formats = export::formats().iter().map(|format| format.name);
    let docs =
        "A format that a transcript can be written in; `public/docs/export.md` describes what each includes.";
    all.words("export", "ExportFormat", docs, formats);
    // Events.
    all.root::<view::EventLogOverview>();
    all.root::<view::EventView>();
    all.root::<view::TieView>();
    all.root::<view::PairView>();
    all.root::<verify::Summary>();
    all.root::<verify::Divergence>();
    // What runs.
    all.root::<view::SimulationProblem>();
    all.root::<record::Problem>();
    all.root::<record::LineProblem>();
    all.root::<view::FinishedRecording>();
    all.root::<view::JournalRecording>();
    all.root::<view::RecordedEvents>();
    all.root::<mock::Trace>();
    all.root::<AnswerResponse>();
    all.root::<NearestRecording>();
    all.root::<simulate::Report>();
    all.root::<OtherDifference>();
    all
}

#[test]
fn the_types_of_the_package_are_those_of_the_core() {
    let files = print::files(&collected());
    let existing: BTreeMap<String, String> = fs::read_dir(folder())
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap())
        })
        .collect();
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(folder()).unwrap();
        for name in existing.keys().filter(|name| !files.contains_key(*name)) {
            fs::remove_file(folder().join(name)).unwrap();
        }
        for (name, text) in &files {
            fs::write(folder().join(name), text).unwrap();
        }
    }
    let hint = "`UPDATE=1` writes the files anew";
    let names = |files: &BTreeMap<String, String>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&existing), names(&files), "{hint}");
    for (name, text) in &files {
        assert_eq!(&existing[name], text, "{name}: {hint}");
    }
}

#[test]
fn the_names_of_vendors_in_the_package_are_those_of_the_core() {
    let path = folder().join("../../adapters/vendor-names.ts");
    let text = constants::vendor_names();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), text, "`UPDATE=1` writes the file anew");
}
