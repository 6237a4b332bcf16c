//! What would only mean something on one machine: absolute paths of a person's folders, and the addresses of
//! package registries, which each machine sets for itself.

use crate::Violation;
use crate::files::File;

/// First folders of paths that name a machine. They have no slashes here, so that this file follows its
/// own rule.
const MACHINE_FOLDERS: [&str; 6] = ["home", "Users", "root", "tmp", "work", "mnt"];
/// What Cargo writes into every lock file, whichever mirror it uses.
const CARGO_SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";
/// Keys with the address of a package or of a registry.
const REGISTRY_KEYS: [&str; 7] = [
    "\"resolved\": \"http",
    "source = \"",
    "registry = \"",
    "registry=",
    "index-url",
    "replace-with",
    "_authToken",
];

pub(crate) fn check(file: &File) -> Vec<Violation> {
    let mut found = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        if !is_recorded(file)
            && let Some(path) = machine_path(line)
        {
            found.push(Violation::new(file, index + 1, format!("`{path}` is a path of one machine")));
        }
        if is_configuration(file) && names_a_registry(line) {
            found.push(Violation::new(file, index + 1, "names the address of a package registry"));
        }
    }
    found
}

/// Recorded runs and licences are other people's words; paths in them stay as they are.
fn is_recorded(file: &File) -> bool {
    let data =
        matches!(file.extension(), "yaml" | "yml" | "jsonl" | "json" | "lock" | "snap" | "txt" | "svg");
    let configuration = file.path.ends_with("package.json");
    (data && !configuration) || file.path.starts_with("LICENSE")
}

fn is_configuration(file: &File) -> bool {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    matches!(
        name,
        "Cargo.lock" | "package-lock.json" | "config.toml" | ".npmrc" | "pip.conf" | "requirements.txt"
    )
}

fn machine_path(line: &str) -> Option<String> {
    MACHINE_FOLDERS.iter().find_map(|folder| {
        let path = format!("/{folder}/");
        let (at, _) = line.match_indices(&path).find(|(at, _)| {
            let before = line[..*at].chars().next_back();
            // Part of a longer path or of an address is no path from the root.
            !before.is_some_and(|character| character.is_alphanumeric() || "-_.~/}]*:".contains(character))
        })?;
        Some(
            line[at..]
                .chars()
                .take_while(|character| !character.is_whitespace() && !"\"'`)".contains(*character))
                .collect(),
        )
    })
}

fn names_a_registry(line: &str) -> bool {
    REGISTRY_KEYS.iter().any(|key| line.contains(key)) && !line.contains(CARGO_SOURCE)
}

#[test]
fn a_path_of_a_machine_is_found_and_a_sub_path_is_not() {
    let at = |folder: &str| format!("open(\"/{folder}/me/project/file\")");
    for folder in MACHINE_FOLDERS {
        assert_eq!(check(&File::sample("xtask/src/main.rs", &at(folder))).len(), 1, "{folder}");
        assert_eq!(check(&File::sample("tests/suite/parse/a.yaml", &at(folder))).len(), 0, "{folder}");
    }
    let fine = "https://example.org/home/page and docs/work/file and ../tmp/x";
    assert_eq!(check(&File::sample("README.md", fine)).len(), 0);
}

#[test]
fn no_registry_stands_in_lock_files() {
    let violations = |path: &str, text: &str| check(&File::sample(path, text)).len();
    let resolved = "      \"resolved\": \"https://mirror.example.org/yaml/-/yaml-2.8.0.tgz\",";
    assert_eq!(violations("web/package-lock.json", resolved), 1);
    assert_eq!(violations("Cargo.lock", &format!("source = \"{CARGO_SOURCE}\"")), 0);
    assert_eq!(violations("Cargo.lock", "source = \"git+https://example.org/a\""), 1);
    assert_eq!(violations(".npmrc", "registry=https://mirror.example.org/"), 1);
}
