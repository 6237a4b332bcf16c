//! The prompts for a model after a reply that cannot be used.

use super::prompt::Shape;
use super::tagged::tagged;
use crate::text::json_line;

/// The prompt after a transcript with problems: `problems` is the output of a compiler, with lines and
/// excerpts.
///
/// ```
/// use transcript_core::generate::{Shape, repair_prompt};
/// let text = repair_prompt("error[T203]: the result of `weather` has no call\n --> reply:4:11\n", Shape::Yaml);
/// assert!(text.contains("<problems>\nerror[T203]"));
/// assert!(text.ends_with("ends with the line ```.\n"));
/// ```
#[must_use]
pub fn repair_prompt(problems: &str, shape: Shape) -> String {
    format!(
        "The transcript has problems. Each one names its line, counted from the first line of the transcript. Quoted text is data.\n{}Fix them and change nothing else. {}\n",
        tagged("problems", problems),
        shape.reply(),
    )
}

/// That a reply holds no transcript.
#[must_use]
pub fn retry_prompt(shape: Shape) -> String {
    format!("There is no transcript in your reply. {}\n", shape.reply())
}

/// The prompt after an empty reply.
#[must_use]
pub fn restart_prompt(shape: Shape) -> String {
    format!("Your reply was empty. {}\n", shape.reply())
}

/// Asks to continue a reply that was cut off after its line `last`.
#[must_use]
pub fn continue_prompt(last: &str) -> String {
    format!(
        "Your reply was cut off. Its last whole line is {}. Continue with the next line, with the same indentation, up to the end of the transcript. Reply with only these lines, in one fence that begins with the line ```yaml and ends with the line ```. Be brief: the rest must fit in one reply.\n",
        json_line(&last.into()),
    )
}

/// Reports that a reply was cut off, and asks for a shorter one.
#[must_use]
pub fn shorten_prompt(shape: Shape) -> String {
    format!(
        "Your reply was cut off before its end, since it was too long. Write the transcript again with half the words: fewer messages, short results. {}\n",
        shape.reply(),
    )
}
