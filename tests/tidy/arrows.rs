//! The stages of the core and the direction of its imports, as the first diagram of `core/ARCHITECTURE.md` shows them.

use std::sync::LazyLock;

use crate::files::File;
use crate::{Violation, code};

/// The stages from left to right; those in one row do not know each other.
static STAGES: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let page = include_str!("../../core/ARCHITECTURE.md");
    let diagram = page.split("```").nth(1).and_then(|block| block.strip_prefix("text")).unwrap();
    diagram.split("->").map(|row| row.split('|').map(str::trim).collect()).collect()
});

pub(crate) fn check(file: &File) -> Vec<Violation> {
    let Some(inner) = file.path.strip_prefix("core/src/").filter(|inner| inner.ends_with(".rs")) else {
        return Vec::new();
    };
    // Only `lib.rs` is next to the stages, and it names them all.
    let Some((stage, _)) = inner.split_once('/') else { return Vec::new() };
    let Some(place) = place_of(stage) else {
        let what = format!("`{stage}` is no stage; give it a place in core/ARCHITECTURE.md");
        return vec![Violation::new(file, 1, what)];
    };
    if file.is_test() {
        return Vec::new();
    }
    let lines = code::code_lines(&file.text);
    let uses = uses_of_crate(&lines).into_iter().chain(ways_out(inner, &lines));
    uses.filter_map(|(line, used)| {
        let what = match place_of(&used) {
            _ if used == stage => return None,
            Some(other) if other < place => return None,
            Some(_) => format!("`{stage}` uses `{used}`, which is not to its left"),
            None => format!("`{stage}` uses `crate::{used}`, which is no stage"),
        };
        Some(Violation::new(file, line, what))
    })
    .collect()
}

fn place_of(stage: &str) -> Option<usize> {
    STAGES.iter().position(|row| row.contains(&stage))
}

/// The first names after `crate::`, each with its line, groups over several lines included.
fn uses_of_crate(lines: &[&str]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        for at in code::words(line, "crate") {
            let Some(rest) = line[at + "crate".len()..].strip_prefix("::") else { continue };
            if rest.starts_with('{') {
                let rest_of_file = std::iter::once(rest).chain(lines[index + 1..].iter().copied());
                found.extend(group(rest_of_file).into_iter().map(|(down, name)| (index + 1 + down, name)));
            } else {
                found.push((index + 1, first_name(rest)));
            }
        }
    }
    found
}

/// The names at the first level of a `{...}` group, each with the number of lines below its begin.
fn group<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<(usize, String)> {
    let mut names = Vec::new();
    let mut depth = 0;
    for (down, line) in lines.enumerate() {
        let mut begins = down > 0 && depth == 1;
        for (at, character) in line.char_indices() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return names;
            }
            if depth == 1 && matches!(character, '{' | ',') {
                begins = true;
            } else if begins && (character.is_alphabetic() || character == '_') {
                names.push((down, first_name(&line[at..])));
                begins = false;
            }
        }
    }
    names
}

fn first_name(text: &str) -> String {
    text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

/// Chains of `super` that climb out of the stage, as uses of what they end at.
fn ways_out(inner: &str, lines: &[&str]) -> Vec<(usize, String)> {
    let module = inner.trim_end_matches(".rs").trim_end_matches("/mod");
    let depth = module.split('/').count();
    let mut found = Vec::new();
    let mut inline = 0;
    for (index, line) in lines.iter().enumerate() {
        // An inline module is one level more to climb.
        inline += usize::from(
            line.trim_start().trim_start_matches("pub ").starts_with("mod ") && line.ends_with('{'),
        );
        let mut rest = *line;
        while let Some(at) = rest.find("super::") {
            rest = &rest[at..];
            let mut climbed = 0;
            while let Some(shorter) = rest.strip_prefix("super::") {
                rest = shorter;
                climbed += 1;
            }
            if climbed >= depth + inline {
                found.push((index + 1, first_name(rest)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(path: &str, text: &str) -> Vec<String> {
        check(&File::sample(path, text)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_arrow_to_the_right_is_found_where_it_stands() {
        let text = "use crate::text::Span;\nuse crate::{\n    model::Turn,\n    view::{Document, expand},\n};\n// crate::replay\n";
        assert_eq!(
            broken("core/src/parse/yaml.rs", text),
            ["core/src/parse/yaml.rs:4: `parse` uses `view`, which is not to its left"]
        );
        assert_eq!(broken("core/src/view/step.rs", text), Vec::<String>::new());
    }

    #[test]
    fn stages_side_by_side_do_not_know_each_other() {
        assert_eq!(broken("core/src/order/mod.rs", "fn f() { crate::mock::g() }").len(), 1);
        assert_eq!(broken("core/src/write/yaml.rs", "use crate::parse::Node;").len(), 1);
        assert_eq!(broken("core/src/parse/yaml.rs", "use crate::write;").len(), 0);
    }

    #[test]
    fn climbing_out_of_a_stage_is_an_arrow_too() {
        assert_eq!(broken("core/src/parse/read/turn.rs", "use super::super::node::Node;").len(), 0);
        assert_eq!(broken("core/src/parse/read/turn.rs", "use super::super::super::view::Row;").len(), 1);
        assert_eq!(broken("core/src/parse/mod.rs", "use super::replay::Session;").len(), 1);
    }

    #[test]
    fn an_unknown_stage_has_no_place() {
        assert_eq!(broken("core/src/helpers/mod.rs", "").len(), 1);
    }
}
