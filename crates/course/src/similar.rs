//! Submissions that have code in common: a hint where a teacher may look, and never a mark.
//!
//! Sources become tokens in which names, numbers and texts are alike, so that renaming hides nothing. Of every run of
//! `RUN` tokens a hash is made, and of every `WINDOW` hashes the smallest is kept (winnowing: Schleimer, Wilkerson and
//! Aiken 2003), which finds every common run of `RUN + WINDOW - 1` tokens. What stands in the course's own files, or in more
//! than half of a class, is common property.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use lianzi_core::{Language, mix, shown};

use super::page::{escape, frame};

/// Tokens of a run that counts as the same: several statements, since without their names single ones look alike.
const RUN: usize = 40;
/// Of so many runs one is remembered.
const WINDOW: usize = 8;
/// A pair is pointed out from this share of the smaller one, and from so many runs.
const SHARE: f64 = 0.3;
const FEWEST: usize = 8;
/// So many pairs, and so many places of each, are shown.
const PAIRS: usize = 100;
const PLACES: usize = 12;

/// The files that a course hands out, which everybody may have.
const COURSE: [&str; 9] = [
    include_str!("../../../templates/cpp/Strategy.cpp"),
    include_str!("../../../templates/cpp/Judge.cpp"),
    include_str!("../../../templates/c/Strategy.c"),
    include_str!("../../../templates/c/Judge.c"),
    include_str!("../../../templates/rust/src/lib.rs"),
    include_str!("../../../templates/rust/src/judge.rs"),
    include_str!("../../../templates/gomoku/ai.py"),
    include_str!("../../../templates/gomoku/replay.py"),
    include_str!("../../../templates/kaggle/agent.py"),
];

/// Two submissions with code in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Which two, by their places in the class.
    pub who: [usize; 2],
    /// The share of the smaller one that is in the other, 0 to 1.
    pub share: f64,
    /// Where, side by side.
    places: Vec<[Place; 2]>,
}

/// Some lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    file: usize,
    first: usize,
    last: usize,
}

/// One who hands in sources.
struct Work {
    /// The files with their names.
    files: Vec<(PathBuf, String)>,
    /// Where each remembered run stands.
    prints: HashMap<u64, Place>,
}

/// The pairs of a class, most similar first.
pub struct Similar {
    works: Vec<Work>,
    /// The pairs that are pointed out.
    pub pairs: Vec<Pair>,
}

impl Similar {
    /// Compares all with all; each is a list of files with their names.
    pub fn of(class: &[Vec<(PathBuf, PathBuf)>]) -> Similar {
        let mut works: Vec<Work> = class.iter().map(|files| Work::read(files)).collect();
        let common = common(&works);
        works.iter_mut().for_each(|work| work.prints.retain(|print, _| !common.contains(print)));
        let mut pairs = Vec::new();
        for (b, second) in works.iter().enumerate() {
            pairs.extend(works[..b].iter().enumerate().filter_map(|(a, first)| compare([a, b], [first, second])));
        }
        pairs.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.who.cmp(&b.who)));
        pairs.truncate(PAIRS);
        Similar { works, pairs }
    }

    /// Those who are similar to this one, with their shares.
    pub fn to(&self, who: usize) -> impl Iterator<Item = (usize, f64)> {
        let other = move |pair: &Pair| match pair.who {
            [a, b] if a == who => Some((b, pair.share)),
            [a, b] if b == who => Some((a, pair.share)),
            _ => None,
        };
        self.pairs.iter().filter_map(other)
    }

    /// The page with all pairs, their places side by side.
    pub fn html(&self, names: &[String], language: Language) -> String {
        let note = language.pick(
            "Code that two submissions have in common, apart from the course's own. It is a hint where to look, and no proof: there may be a common source.",
            "两份提交中相同的代码（课程自带代码除外）。仅供查看，并非证据：可能有共同来源。",
        );
        let mut body = format!("<p>{note}</p>");
        for pair in &self.pairs {
            let [a, b] = pair.who.map(|who| escape(&names[who]));
            body += &format!("<h2>{a} – {b}: {:.0} %</h2><table>", pair.share * 100.0);
            for places in pair.places.iter().take(PLACES) {
                let [left, right] = [0, 1].map(|side| self.works[pair.who[side]].excerpt(&places[side]));
                body += &format!("<tr><td class=\"text\">{left}</td><td class=\"text\">{right}</td></tr>\n");
            }
            body += "</table>";
        }
        frame(language.pick("Similar submissions", "相似的提交"), &body, language)
    }
}

impl Work {
    fn read(files: &[(PathBuf, PathBuf)]) -> Work {
        let read = |(name, path): &(PathBuf, PathBuf)| {
            Some((name.clone(), String::from_utf8_lossy(&fs::read(path).ok()?).into_owned()))
        };
        let files: Vec<(PathBuf, String)> = files.iter().filter(|(name, _)| is_code(name)).filter_map(read).collect();
        let mut prints = HashMap::new();
        for (file, (_, text)) in files.iter().enumerate() {
            for (print, first, last) in winnowed(&runs(text)) {
                prints.entry(print).or_insert(Place { file, first, last });
            }
        }
        Work { files, prints }
    }

    fn excerpt(&self, place: &Place) -> String {
        let (name, text) = &self.files[place.file];
        let lines = text.lines().skip(place.first - 1).take(place.last + 1 - place.first);
        let lines: Vec<String> = lines.map(escape).collect();
        let name = escape(&shown(&name.to_string_lossy()));
        format!("{name}:{}–{}<pre>{}</pre>", place.first, place.last, lines.join("\n"))
    }
}

fn is_code(name: &Path) -> bool {
    name.extension().is_some_and(|kind| kind != "toml" && kind != "dat" && kind != "so")
}

/// What is nobody's own: the course's files, and what more than half of a class has.
fn common(works: &[Work]) -> HashSet<u64> {
    const CLASS: usize = 6;
    let mut common: HashSet<u64> = COURSE.iter().flat_map(|text| runs(text)).map(|(print, ..)| print).collect();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    works.iter().flat_map(|work| work.prints.keys()).for_each(|&print| *counts.entry(print).or_default() += 1);
    let many = counts.into_iter().filter(|(_, count)| works.len() >= CLASS && 2 * count > works.len());
    common.extend(many.map(|(print, _)| print));
    common
}

fn compare(who: [usize; 2], [a, b]: [&Work; 2]) -> Option<Pair> {
    let mut places: Vec<[Place; 2]> =
        a.prints.iter().filter_map(|(print, place)| Some([place.clone(), b.prints.get(print)?.clone()])).collect();
    let smaller = a.prints.len().min(b.prints.len());
    let share = places.len() as f64 / smaller.max(1) as f64;
    if share < SHARE || places.len() < FEWEST {
        return None;
    }
    places.sort_by_key(|[a, b]| (a.file, a.first, b.file, b.first));
    let mut joined: Vec<[Place; 2]> = Vec::new();
    for place in places {
        match joined.last_mut() {
            Some(last) if goes_on(last, &place) => {
                (0..2).for_each(|side| last[side].last = last[side].last.max(place[side].last));
            }
            _ => joined.push(place),
        }
    }
    joined.sort_by_key(|[a, _]| std::cmp::Reverse(a.last - a.first));
    Some(Pair { who, share, places: joined })
}

/// Whether a place continues another one on both sides.
fn goes_on(last: &[Place; 2], next: &[Place; 2]) -> bool {
    (0..2).all(|side| {
        let (last, next) = (&last[side], &next[side]);
        last.file == next.file && next.first >= last.first && next.first <= last.last + 2
    })
}

/// The hash of every run of tokens, with its first and last line.
fn runs(text: &str) -> Vec<(u64, usize, usize)> {
    let tokens = tokens(text);
    let run = |run: &[(u64, usize)]| {
        let print = run.iter().fold(0, |print, (token, _)| mix(print ^ token));
        (print, run[0].1, run[RUN - 1].1)
    };
    tokens.windows(RUN).map(run).collect()
}

/// The smallest of every window.
fn winnowed(runs: &[(u64, usize, usize)]) -> Vec<(u64, usize, usize)> {
    let smallest = |window: &[(u64, usize, usize)]| window.iter().min().copied();
    let mut kept: Vec<_> = runs.windows(WINDOW.min(runs.len()).max(1)).filter_map(smallest).collect();
    kept.dedup();
    kept
}

/// The tokens of a text in C, C++, Rust or Python, each with its line; comments are none.
fn tokens(text: &str) -> Vec<(u64, usize)> {
    /// Words that are not names: a program's shape is in them.
    const WORDS: [&str; 24] = [
        "if", "else", "elif", "for", "while", "do", "switch", "case", "return", "break", "continue", "struct", "class",
        "new", "delete", "int", "double", "float", "char", "bool", "fn", "let", "def", "match",
    ];
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(c) = rest.chars().next() {
        let length = token_length(rest, c);
        let token = &rest[..length];
        let number = match c {
            _ if c.is_whitespace() || is_comment(token) => None,
            'a'..='z' | 'A'..='Z' | '_' => {
                Some(WORDS.iter().position(|word| *word == token).map_or(1, |n| n as u64 + 10))
            }
            '0'..='9' => Some(2),
            '"' | '\'' => Some(3),
            c => Some(u64::from(c) + 100),
        };
        tokens.extend(number.map(|number| (number, line)));
        line += token.matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

fn is_comment(token: &str) -> bool {
    token.starts_with("//") || token.starts_with("/*") || token.starts_with("# ")
}

/// How long the token at the beginning of a text is.
fn token_length(text: &str, c: char) -> usize {
    let until = |end: &str| text.find(end).map_or(text.len(), |at| at + end.len());
    let while_in = |inside: fn(char) -> bool| text.find(|c| !inside(c)).unwrap_or(text.len());
    match c {
        '/' if text.starts_with("//") => until("\n"),
        '#' if text.starts_with("# ") => until("\n"),
        '/' if text.starts_with("/*") => until("*/"),
        '"' | '\'' => {
            let end = text[1..].find([c, '\n']);
            end.map_or(text.len(), |at| at + 2)
        }
        _ if c.is_whitespace() => while_in(char::is_whitespace),
        _ if c.is_ascii_alphanumeric() || c == '_' => while_in(|c| c.is_ascii_alphanumeric() || c == '_'),
        _ => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(sources: &[&str]) -> (tempfile::TempDir, Vec<Vec<(PathBuf, PathBuf)>>) {
        let folder = tempfile::tempdir().unwrap();
        let write = |(n, text): (usize, &&str)| {
            let path = folder.path().join(format!("{n}.cpp"));
            fs::write(&path, text).unwrap();
            vec![(PathBuf::from("Strategy.cpp"), path)]
        };
        let class = sources.iter().enumerate().map(write).collect();
        (folder, class)
    }

    /// A source of its own kind: what it computes depends on the number.
    fn source(seed: u64) -> String {
        const SIGNS: [&str; 8] = ["+", "-", "*", "/", "%", "&", "|", "^"];
        let sign = |n: u64| SIGNS[(mix(seed ^ mix(n)) % 8) as usize];
        let term = |n: u64| format!(" {} board[{n}]", sign(n));
        let line = |n: u64| format!("score = side{};\n", (0..6).map(|k| term(8 * n + k)).collect::<String>());
        (0..60).map(line).collect()
    }

    #[test]
    fn renamed_code_is_found_and_other_code_is_not() {
        let (one, other) = (source(1), source(2));
        let renamed = one.replace("score", "punkte").replace("board", "brett").replace(";\n", ";  // mine\n\n");
        let (_folder, class) = class(&[&one, &other, &renamed]);
        let similar = Similar::of(&class);
        assert_eq!(similar.pairs.len(), 1, "{:?}", similar.pairs);
        assert_eq!((similar.pairs[0].who, similar.pairs[0].share > 0.9), ([0, 2], true));
        assert_eq!(similar.to(2).map(|(who, _)| who).collect::<Vec<_>>(), [0]);
        let page = similar.html(&["<a>".into(), "b".into(), "c".into()], Language::English);
        assert!(page.contains("&lt;a&gt; – c") && page.contains("punkte") && page.contains("score"), "{page}");
    }

    #[test]
    fn the_courses_own_files_are_common() {
        let (_folder, class) = class(&[COURSE[0], COURSE[0], &(source(3) + COURSE[1]), &(source(4) + COURSE[1])]);
        assert_eq!(Similar::of(&class).pairs, []);
    }

    #[test]
    fn odd_texts_have_tokens_too() {
        for text in ["", "\"", "'", "/*", "//", "\"\n", "é'ü\"", "#", "# x", "a\u{0}b"] {
            tokens(text);
            runs(text);
        }
        assert_eq!(tokens("int a; // b\n  c").iter().map(|token| token.1).collect::<Vec<_>>(), [1, 1, 1, 2]);
    }
}
