//! The files of one session among those of several.

use super::files::{LogFile, stem, unique_name};
use super::formats::{Format, Grouping, read};
use super::runs::{Refusal, Request, place_of};
use super::session_size::SessionSize;
use crate::text::Set;

/// The most bytes of a file that are searched for the id of its session, and for the first words of the user.
const ID_WITHIN: usize = 4 << 10;
const WORDS_WITHIN: usize = 32 << 10;

/// Reduces the files of a request to those of one run, if several files are runs of their own. A session with a folder is
/// chosen by the name of its file, or by an id in it.
///
/// # Errors
/// When there are several runs and none is chosen.
pub(crate) fn choose_files(request: &mut Request<'_>) -> Result<(), Refusal> {
    let runs = runs_of(request);
    choose_run(request, &runs)
}

/// The files that are runs of their own.
fn runs_of<'t>(request: &Request<'t>) -> Vec<LogFile<'t>> {
    let format = request.format;
    let own = request.files_of(format);
    let runs: Vec<LogFile<'_>> = own.iter().filter(|file| format.is_run(file)).copied().collect();
    // Without their session, the agents are runs of their own.
    if runs.is_empty() && is_folder(format) { own } else { runs }
}

fn is_folder(format: &Format) -> bool {
    matches!(format.files, Grouping::Folder)
}

fn choose_run(request: &mut Request<'_>, runs: &[LogFile<'_>]) -> Result<(), Refusal> {
    let format = request.format;
    if runs.len() < 2 {
        return Ok(());
    }
    if !is_folder(format) {
        let names: Vec<String> = runs.iter().take(8).map(|file| format!("`{}`", file.path)).collect();
        let more = if runs.len() > 8 { ", …" } else { "" };
        let message = format!("there are {} recordings: {}{more}", runs.len(), names.join(", "));
        return Err(Refusal::new(message, "import one at a time"));
    }
    let mut seen = Set::new();
    let names =
        runs.iter().enumerate().map(|(at, file)| unique_name(stem(file.path).to_owned(), at + 1, &mut seen));
    let names: Vec<String> = names.collect();
    let wanted = request.session.unwrap_or_default();
    let named = names.iter().position(|name| name == wanted);
    let has_id = |file: &LogFile<'_>| !wanted.is_empty() && file.text.contains(&format!("\"{wanted}\""));
    let chosen =
        named.or_else(|| runs.iter().position(has_id)).and_then(|at| Some((runs.get(at)?, names.get(at)?)));
    let Some((chosen, name)) = chosen else {
        let first_words = |file: &LogFile<'_>| {
            let files = vec![(LogFile { text: head(file.text, WORDS_WITHIN), ..*file }, format)];
            let read = read(&Request { format, files, session: None, summary: false });
            read.ok()
                .and_then(|runs| runs.names.into_iter().next())
                .map(|(_, words)| words)
                .unwrap_or_default()
        };
        let names: Vec<_> = names.into_iter().zip(runs.iter().map(first_words)).collect();
        return place_of(&names, "session", "there are", request.session).map(drop);
    };
    let is_same = |file: &LogFile<'_>, other: &LogFile<'_>| {
        file.text.as_ptr() == other.text.as_ptr() && file.path == other.path
    };
    let folder = chosen.path.rsplit_once('.').map_or(chosen.path, |(path, _)| path);
    let id = format!("\"{name}\"");
    request.files.retain(|(file, _)| {
        let is_run = runs.iter().any(|run| is_same(run, file));
        let is_in_folder =
            || file.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(['/', '\\']));
        is_same(chosen, file) || !is_run && (is_in_folder() || head(file.text, ID_WITHIN).contains(&id))
    });
    if named.is_some() {
        request.session = None;
    }
    Ok(())
}

/// The sizes of these sessions of a request, each of which has files of its own.
pub(crate) fn sizes_of_files(request: &Request<'_>, names: &[(String, String)]) -> Box<[SessionSize]> {
    let runs = runs_of(request);
    let size = |name: &str| {
        let mut one = Request { session: Some(name), ..request.clone() };
        choose_run(&mut one, &runs).ok()?;
        let runs = read(&one).ok()?;
        let chosen = runs.choose(one.session).ok()?;
        Some(SessionSize::from_transcript(&runs.imported(chosen).transcript))
    };
    names.iter().map(|(name, _)| size(name).unwrap_or_default()).collect()
}

fn head(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}
