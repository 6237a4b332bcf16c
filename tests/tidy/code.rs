//! Takes from a source file what the rules do not look at.

/// The lines of a Rust file without their comments, up to its unit tests. Lines are kept in number, so that an
/// index is still a place.
pub(crate) fn code_lines(text: &str) -> Vec<&str> {
    let lines = text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    lines.map(without_comment).collect()
}

/// A `//` inside of a string is taken for a comment too, which hides no path that the rules look for.
fn without_comment(line: &str) -> &str {
    line.split_once("//").map_or(line, |(code, _)| code)
}

/// The byte offsets of `word` as a whole word in `line`.
pub(crate) fn words<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = line[..*at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(part) && !after.is_some_and(part)
    })
}

#[test]
fn comments_and_unit_tests_are_left_out() {
    let text = "use a; // use b;\n/// use c;\nfn f() {}\n#[cfg(test)]\nmod tests { use d; }\n";
    assert_eq!(code_lines(text), ["use a; ", "", "fn f() {}"]);
    assert_eq!(words("web_sys::x my_web_sys web_system", "web_sys").collect::<Vec<_>>(), [0]);
}
