//! docs/seeds.md: every row of the checklist is there, and what it points to exists.

use std::collections::{BTreeMap, BTreeSet};

use super::{read, root};

const STATUSES: [&str; 4] = ["covered", "partly", "later", "not applicable"];

/// What paths of this repository begin with.
const PLACES: [&str; 6] = ["crates/", "data/", "docs/", "fuzz/", "README", "CONTRIBUTING"];

/// The cells of the lines that are rows of a table.
fn table_rows<'a>(text: &'a str) -> impl Iterator<Item = Vec<&'a str>> {
    let inner = |line: &'a str| line.strip_prefix("| ").and_then(|rest| rest.strip_suffix(" |"));
    text.lines().filter_map(inner).map(|row| row.split(" | ").map(str::trim).collect())
}

fn is_id(text: &str) -> bool {
    let number = |rest: &str| rest.len() >= 2 && rest.bytes().all(|byte| byte.is_ascii_digit());
    let families = ["S0-", "S1-", "SR-", "S2-", "S3-", "S4-", "RC-"];
    families.iter().any(|family| text.strip_prefix(family).is_some_and(number))
}

/// What stands between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_row_has_an_id_a_status_and_places_that_exist() {
    let text = read(&root().join("docs/seeds.md"));
    let mut ids = BTreeSet::new();
    let mut counts: BTreeMap<&str, usize> = STATUSES.map(|status| (status, 0)).into();
    let mut told = BTreeMap::new();
    for row in table_rows(&text) {
        match row[..] {
            [id, words, status, place] if is_id(id) => {
                assert!(ids.insert(id.to_string()), "{id} stands there twice");
                assert!(!words.is_empty() && !place.is_empty(), "{id} says too little");
                let count = counts.get_mut(status).unwrap_or_else(|| panic!("{id}: '{status}' is no status"));
                *count += 1;
                quoted(place).for_each(|place| check_place(id, place));
            }
            [status, count] if STATUSES.contains(&status) => {
                told.insert(status, count.parse::<usize>().expect("a count is a number"));
            }
            _ => assert!(!is_id(row[0]), "{row:?} has not four columns"),
        }
    }
    assert_eq!(ids.len(), 313);
    assert_eq!(told, counts, "the counts at the top are those of the rows");
    compare_with_checklist(&ids);
}

/// `path: name, name` must be a file with these functions; other quotations are commands or words.
fn check_place(id: &str, place: &str) {
    if !PLACES.iter().any(|start| place.starts_with(start)) {
        return;
    }
    let (path, names) = place.split_once(": ").unwrap_or((place, ""));
    let path = root().join(path);
    assert!(path.exists(), "{id}: {} does not exist", path.display());
    if names.is_empty() {
        return;
    }
    let source = read(&path);
    for name in names.split(", ") {
        assert!(source.contains(&format!("fn {name}(")), "{id}: there is no {name} in {}", path.display());
    }
}

/// The checklist lies beside the repository on some machines only.
fn compare_with_checklist(ids: &BTreeSet<String>) {
    let Ok(checklist) = std::fs::read_to_string(root().join("../shared/seed-checklist.md")) else {
        println!("shared/seed-checklist.md is not beside the repository: the IDs are not compared with it");
        return;
    };
    let rows = checklist.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let wanted: BTreeSet<String> = rows.filter(|id| is_id(id)).map(str::to_string).collect();
    assert_eq!(*ids, wanted);
}
