//! Replies that decline.

/// The first words of refusals, in lower case with plain apostrophes.
const BEGINS: [&str; 15] = [
    "i can't",
    "i cannot",
    "i can not",
    "i won't",
    "i will not",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "i am not able",
    "i must decline",
    "i have to decline",
    "i'm sorry",
    "i am sorry",
    "sorry,",
    "unfortunately, i",
];

/// How many sentences are examined, and how many characters of each.
const SENTENCES: usize = 3;
const LONGEST: usize = 200;

/// Whether a reply without a document is a refusal: one of its first sentences begins with such words.
///
/// It is a guess by English words; it only affects the message for the caller.
pub(super) fn declines(reply: &str) -> bool {
    let sentences = reply.split(['.', '!', '?', '\n']).map(str::trim).filter(|sentence| !sentence.is_empty());
    sentences.take(SENTENCES).any(|sentence| {
        let words = sentence.trim_start_matches(|c: char| !c.is_alphabetic());
        let head: String = words.chars().take(LONGEST).collect::<String>().to_lowercase().replace('’', "'");
        let head = head.strip_prefix("but ").unwrap_or(&head);
        BEGINS.iter().any(|begin| head.starts_with(begin))
    })
}
