//! The syntax of SGF: nodes and parentheses one after another, without a tree and without recursion.

use super::super::{LoadError, Reason};
use crate::Text;

/// The most values of properties a file may hold; each costs far more memory than its three bytes.
const MAX_VALUES: usize = 4_000_000;

const NODE: Text = Text::fixed("a node that begins with ';'", "以“;”开头的节点");
const NEXT: Text = Text::fixed("';', '(' or ')'", "“;”、“(”或“)”");
const VALUE: Text = Text::fixed("the value of a property in brackets", "方括号中的属性值");

/// A named property of a node with its values, escapes resolved.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Property {
    pub name: String,
    pub values: Vec<String>,
    pub line: usize,
}

/// What comes next in a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A line begins.
    Open,
    /// A node.
    Node(Vec<Property>),
    /// A line ends.
    Close,
}

/// Goes through a file.
pub(super) struct Parser<'a> {
    rest: &'a str,
    line: usize,
    values: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Parser<'a> {
        Parser { rest: text, line: 1, values: 0 }
    }

    /// Goes to the beginning of the next game, past whatever text stands before it.
    pub(super) fn find_game(&mut self) -> bool {
        while let Some(at) = self.rest.find('(') {
            self.skip(at);
            if self.rest[1..].trim_start().starts_with(';') {
                return true;
            }
            self.skip(1);
        }
        false
    }

    /// The next part of a game; a file that ends within one is refused.
    pub(super) fn next(&mut self) -> Result<Event, LoadError> {
        self.skip_blanks();
        match self.rest.bytes().next() {
            Some(b'(') => {
                self.skip(1);
                self.skip_blanks();
                if self.rest.starts_with(';') { Ok(Event::Open) } else { Err(self.expected(NODE)) }
            }
            Some(b')') => {
                self.skip(1);
                Ok(Event::Close)
            }
            Some(b';') => {
                self.skip(1);
                self.properties().map(Event::Node)
            }
            _ => Err(self.expected(NEXT)),
        }
    }

    fn properties(&mut self) -> Result<Vec<Property>, LoadError> {
        let mut found = Vec::new();
        loop {
            self.skip_blanks();
            let length = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
            if length == 0 {
                return Ok(found);
            }
            let line = self.line;
            // Old files write longer names, of which only the capitals count.
            let name: String = self.rest[..length].chars().filter(char::is_ascii_uppercase).collect();
            if name.is_empty() {
                return Err(self.expected(NEXT));
            }
            self.skip(length);
            let mut values = Vec::new();
            self.skip_blanks();
            while self.rest.starts_with('[') {
                self.skip(1);
                values.push(self.value()?);
                self.skip_blanks();
            }
            if values.is_empty() {
                return Err(self.expected(VALUE));
            }
            found.push(Property { name, values, line });
        }
    }

    /// A value, up to and with its closing bracket.
    fn value(&mut self) -> Result<String, LoadError> {
        self.values += 1;
        if self.values > MAX_VALUES {
            let what = Text::fixed("too many properties in one file", "一个文件中的属性过多");
            return Err(LoadError { line: self.line, reason: Reason::TooMuch(what, MAX_VALUES) });
        }
        let begun = self.line;
        let mut value = String::new();
        loop {
            let Some(plain) = self.rest.find(['\\', ']', '\r', '\n']) else {
                return Err(LoadError::expected(begun, Text::fixed("a closing bracket", "右方括号"), ""));
            };
            value.push_str(&self.rest[..plain]);
            self.skip(plain);
            match self.step() {
                Some(']') => return Ok(value),
                Some('\n') => value.push('\n'),
                // A line end behind a backslash is only a break of the file's line.
                _ => value.extend(self.step().filter(|&c| c != '\n')),
            }
        }
    }

    /// Moves past one character; every line end counts as one `\n`.
    fn step(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.skip(if self.rest.starts_with("\r\n") { 2 } else { c.len_utf8() });
        Some(if c == '\r' { '\n' } else { c })
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest.len() - self.rest.trim_start().len();
        self.skip(blanks);
    }

    /// Moves past this many bytes and counts the lines in them.
    fn skip(&mut self, bytes: usize) {
        let (passed, rest) = self.rest.split_at(bytes);
        let passed = passed.as_bytes();
        let feeds = passed.iter().filter(|&&b| b == b'\n').count();
        let returns = passed.iter().filter(|&&b| b == b'\r').count();
        let pairs = if returns > 0 { passed.windows(2).filter(|pair| *pair == b"\r\n").count() } else { 0 };
        self.line += feeds + returns - pairs;
        self.rest = rest;
    }

    fn expected(&self, what: Text) -> LoadError {
        LoadError::expected(self.line, what, self.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Result<Vec<Event>, LoadError> {
        let mut parser = Parser::new(text);
        let (mut found, mut depth) = (Vec::new(), 0);
        assert!(parser.find_game());
        loop {
            let event = parser.next()?;
            depth += match event {
                Event::Open => 1,
                Event::Close => -1,
                Event::Node(_) => 0,
            };
            found.push(event);
            if depth == 0 {
                return Ok(found);
            }
        }
    }

    #[test]
    fn syntax_is_taken_apart() {
        let property = |name: &str, values: &[&str], line| Property {
            name: name.into(),
            values: values.iter().map(|v| v.to_string()).collect(),
            line,
        };
        let text = "junk (no game)\n( ;GM[4]\r\n AB [aa]\n[bb:cc];Black[h8](;C[a\\]b\\\\c\\:d\\\r\ne\r\nf]))";
        let expected = vec![
            Event::Open,
            Event::Node(vec![property("GM", &["4"], 2), property("AB", &["aa", "bb:cc"], 3)]),
            Event::Node(vec![property("B", &["h8"], 4)]),
            Event::Open,
            Event::Node(vec![property("C", &["a]b\\c:de\nf"], 4)]),
            Event::Close,
            Event::Close,
        ];
        assert_eq!(events(text), Ok(expected));
    }

    #[test]
    fn broken_syntax_is_found_at_its_line() {
        for (text, line) in [
            ("(;", 1),
            ("(;\n;B[aa", 2),
            ("(;\n;B[aa]\n", 3),
            ("(;\nB;", 2),
            ("(;\n;b[aa])", 2),
            ("(;\n(B[aa])", 2),
            ("(;C[x\\", 1),
            ("(;\n;B[aa]]", 2),
        ] {
            assert_eq!(events(text).unwrap_err().line, line, "{text}");
        }
    }
}
