//! A file that is too large to be read whole. Its longest texts are cut while it streams by, or it is read in parts.
//!
//! A log is large for the long results of its tools, for which a person seldom opens it. Lines keep their numbers, so that
//! what is reported of a line is true of the file. The file itself is never held.

mod cut;
mod scan;
mod survey;

use transcript_core::document::Limits;
use transcript_core::view::LogAnswer;

use crate::input_files::refusal;
use crate::messages;
use cut::{Cutter, Left};
use survey::{CUTS, Plan, Survey};

/// The target size of a file, in bytes. Its transcript is up to 2.4 times as large, and the page holds it several
/// times: as text, as parsed data and in the editor. So a log of 100 MB takes less than four times its size.
const ROOM: usize = 4 << 20;

/// A file that comes chunk by chunk, once to [`Large::look`] and at least once to [`Large::take`].
#[derive(Debug)]
pub(crate) struct Large {
    path: String,
    room: usize,
    survey: Survey,
    size: u64,
    plan: Option<Plan>,
    /// The part that is read, if one is.
    part: Option<usize>,
    /// What texts are cut to at the moment. None at the last reading.
    cut: Option<usize>,
    cutter: Option<Cutter>,
    left: Left,
}

impl Large {
    pub(crate) fn new(path: &str) -> Self {
        Self::with_room(path, ROOM)
    }

    fn with_room(path: &str, room: usize) -> Self {
        Self {
            path: path.to_owned(),
            room,
            survey: Survey::new(room),
            size: 0,
            plan: None,
            part: None,
            cut: None,
            cutter: None,
            left: Left::default(),
        }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Looks at the next bytes of the file.
    pub(crate) fn look(&mut self, chunk: &[u8]) {
        self.size += chunk.len() as u64;
        self.survey.take(chunk);
    }

    /// Begins the second reading, of that part where there are several; whether there is something to be read.
    pub(crate) fn begin(&mut self, part: Option<&str>) -> bool {
        let plan = self.plan.get_or_insert_with(|| self.survey.plan());
        let names = plan.names();
        let chosen = match part {
            _ if plan.cut.is_none() => None,
            None => (names.len() == 1).then_some(0),
            Some(part) => names.iter().position(|name| name == part),
        };
        // Other names may be those of a session in the open part.
        if part.is_some() && chosen.is_none() {
            return false;
        }
        self.part = chosen;
        let lines = self.part.and_then(|part| plan.lines_of(part));
        self.cutter = lines.zip(plan.cut).map(|(lines, cut)| Cutter::new(cut, true, lines));
        self.cut = plan.cut;
        self.cutter.is_some()
    }

    /// Takes the next bytes of the file.
    pub(crate) fn take(&mut self, chunk: &[u8]) {
        if let Some(cutter) = &mut self.cutter {
            cutter.take(chunk);
        }
    }

    /// What is left of the file, or of the part. `None` when that is still too much: then the next reading, which has begun,
    /// cuts more. What is JSON within a text is only found by reading it, and is cut as a whole at the very last.
    pub(crate) fn done(&mut self) -> Option<(String, Vec<u8>)> {
        let (bytes, left) = self.cutter.take()?.done();
        self.left = left;
        if bytes.len() > self.room / 2 * 3
            && let (Some(cut), Some(plan)) = (self.cut, &self.plan)
            && let Some(lines) = self.part.and_then(|part| plan.lines_of(part))
        {
            self.cut = CUTS.into_iter().find(|shorter| *shorter < cut);
            let inside = self.cut.is_some();
            self.cutter = self.cut.or(plan.cut).map(|cut| Cutter::new(cut, inside, lines));
            return None;
        }
        Some((self.path.clone(), bytes))
    }

    /// The answer before reading: a choice of parts, or that the file cannot be read.
    pub(crate) fn first(&self) -> Option<LogAnswer> {
        let plan = self.plan.as_ref().filter(|_| self.part.is_none())?;
        if plan.cut.is_none() {
            return Some(refusal(self.too_large(), Some(messages::DIVIDE_HELP)));
        }
        Some(LogAnswer {
            message: Some(messages::choose_part(plan.lines)),
            sessions: plan.names(),
            ..LogAnswer::default()
        })
    }

    /// Adds to an answer what was cut. Only an imported log is opened, nothing that a person would edit.
    pub(crate) fn add_cuts(&self, answer: &mut LogAnswer) {
        let is_log = answer.text.is_some() || !answer.sessions.is_empty();
        if !is_log && answer.problem.is_none() {
            *answer = refusal(self.too_large(), Some(messages::DIVIDE_HELP));
            return;
        }
        let mut summary = answer.message.clone().unwrap_or_default();
        if self.left.texts > 0 {
            summary = format!("{summary} {}", messages::cut_summary(self.left.texts, self.left.bytes));
        }
        let names = self.plan.as_ref().map(Plan::names).unwrap_or_default();
        if let Some(name) = self.part.and_then(|part| names.get(part)).filter(|_| names.len() > 1) {
            summary = format!("{summary} {}", messages::part_name(name, names.len()));
            if let Some(file) = &mut answer.name {
                let stem = file.strip_suffix(".yaml").unwrap_or(file);
                *file = format!("{stem}-{}.yaml", name.replace([' ', ','], "-"));
            }
        }
        if let Some(message) = &mut answer.message {
            *message = summary.trim().to_owned();
        }
    }

    fn too_large(&self) -> String {
        messages::document_too_large(self.size, Limits::default().bytes)
    }
}

#[cfg(test)]
mod tests;
