//! No source file grows past what a person reads in one sitting.

use crate::Violation;
use crate::files::File;

const LONGEST: usize = 600;

pub(crate) fn check(file: &File) -> Vec<Violation> {
    let is_code = matches!(file.extension(), "rs" | "js" | "mjs" | "cjs" | "ts" | "mts" | "css");
    if !is_code || file.is_test() {
        return Vec::new();
    }
    // The unit tests at the end of a Rust file do not count.
    let lines = file.text.lines().take_while(|line| *line != "#[cfg(test)]").count();
    if lines < LONGEST {
        return Vec::new();
    }
    vec![Violation::new(file, LONGEST, format!("the file has {lines} lines and has to stay under {LONGEST}"))]
}

#[test]
fn a_long_file_is_named_and_its_tests_are_not_counted() {
    let code = "a;\n".repeat(LONGEST);
    assert_eq!(check(&File::sample("web/src/a.rs", &code)).len(), 1);
    assert_eq!(check(&File::sample("web/src/panes/a.css", &code)).len(), 1);
    assert_eq!(check(&File::sample("tests/e2e/a.mjs", &code)).len(), 0);
    assert_eq!(check(&File::sample("public/examples/a.yaml", &code)).len(), 0);
    let with_tests = format!("a;\n#[cfg(test)]\n{code}");
    assert_eq!(check(&File::sample("core/src/text/a.rs", &with_tests)).len(), 0);
}
