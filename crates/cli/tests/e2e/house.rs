//! The house is built as docs/ARCHITECTURE.md draws it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

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

/// Every file of the house but what was built or fetched.
fn files(folder: &Path, found: &mut Vec<String>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy();
        match path.is_dir() {
            true if ["target", "node_modules", ".git"].contains(&&*name) => {}
            true => files(&path, found),
            false => found.push(path.to_string_lossy().into_owned()),
        }
    }
}

#[test]
fn every_file_that_is_named_exists() {
    let mut found = Vec::new();
    files(&root(), &mut found);
    let page = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).unwrap();
    let words = page.split(|letter: char| !(letter.is_alphanumeric() || "./_-".contains(letter)));
    let is_file =
        |word: &&str| [".rs", ".md", ".js", ".mjs", ".ts", ".toml", ".sh"].iter().any(|end| word.ends_with(end));
    // FORMAT.rs stands for one file of each format.
    let is_certain = |word: &&str| !word.rsplit('/').next().unwrap().starts_with(|c: char| c.is_ascii_uppercase());
    for word in words.filter(is_file).filter(is_certain) {
        assert!(found.iter().any(|path| path.ends_with(&format!("/{word}"))), "docs/ARCHITECTURE.md: {word}");
    }
}

/// The pages people read: those of the root and of docs/.
fn pages() -> Vec<PathBuf> {
    let listed = ["", "docs"].into_iter().flat_map(|folder| fs::read_dir(root().join(folder)).unwrap());
    listed.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "md")).collect()
}

#[test]
fn every_link_leads_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let linked = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
        let drawn = text.split("src=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0));
        for link in linked.chain(drawn).filter(|link| !link.contains("://") && !link.starts_with('#')) {
            let file = link.split('#').next().unwrap();
            assert!(page.parent().unwrap().join(file).exists(), "{}: {link}", page.display());
        }
    }
}

#[test]
fn the_front_pages_are_short_and_every_page_is_listed() {
    for page in ["README.md", "README.zh-CN.md"] {
        let lines = fs::read_to_string(root().join(page)).unwrap().lines().count();
        assert!(lines <= 150, "{page} has {lines} lines; the rest belongs into docs/");
    }
    let index = fs::read_to_string(root().join("docs/README.md")).unwrap();
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let listed = !name.ends_with(".md") || name == "README.md" || index.contains(&format!("({name})"));
        assert!(listed, "docs/README.md does not list {name}");
    }
}
