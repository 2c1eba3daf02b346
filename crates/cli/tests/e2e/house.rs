//! The house is built as docs/ARCHITECTURE.md draws it.

use std::collections::BTreeMap;
use std::fs;

use super::root;

/// The crates in the order in which the tree of the page names them: `  core/     lianzi-core    …`.
fn drawn() -> Vec<(String, String)> {
    let page = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).unwrap();
    let rows = page.lines().filter_map(|line| {
        let row = line.strip_prefix("  ").filter(|row| !row.starts_with(' '))?;
        let mut words = row.split_whitespace();
        let (folder, package) = (words.next()?.strip_suffix('/')?, words.next()?);
        package.starts_with("lianzi").then(|| (folder.into(), package.into()))
    });
    rows.collect()
}

/// What a crate's manifest names among our own crates, for its product and not for its tests.
fn uses(folder: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("crates").join(folder).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
    let names = dependencies.into_iter().flatten().map(|(name, _)| name.clone());
    names.filter(|name| name.starts_with("lianzi")).collect()
}

#[test]
fn a_crate_uses_only_crates_above_it() {
    let drawn = drawn();
    let places: BTreeMap<&str, usize> =
        drawn.iter().enumerate().map(|(place, (_, package))| (package.as_str(), place)).collect();
    for (folder, package) in &drawn {
        for used in uses(folder) {
            let above = places.get(used.as_str()).is_some_and(|place| *place < places[package.as_str()]);
            assert!(above, "{package} uses {used}, which does not stand above it in docs/ARCHITECTURE.md");
        }
    }
}

#[test]
fn every_crate_is_drawn() {
    let mut drawn: Vec<String> = drawn().into_iter().map(|(folder, _)| folder).collect();
    let mut built: Vec<String> = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    drawn.sort();
    built.sort();
    assert_eq!(drawn, built);
}
