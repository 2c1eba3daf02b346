//! Text of strangers as people may see it. Names, last words and paths can hold what commands a terminal or turns the
//! direction of reading; whatever shows them passes them through here.

/// A stranger's text on one line, with nothing in it that a terminal obeys.
pub fn shown(text: &str) -> String {
    text.chars().map(|c| if commands(c) { '\u{fffd}' } else { c }).collect()
}

/// The same over several lines: their ends and tabs stay.
pub fn shown_lines(text: &str) -> String {
    text.chars().map(|c| if commands(c) && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c }).collect()
}

/// The beginning of a text that may be hostile: short and on one line, fit to be quoted in a message.
pub fn shorten(text: &str) -> String {
    const KEPT: usize = 24;
    let kept = shown(&text.chars().take(KEPT).collect::<String>());
    if text.chars().nth(KEPT).is_some() { kept + "…" } else { kept }
}

/// Escape and its kin, and the marks that show text in another order than it has.
fn commands(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_a_terminal_obeys() {
        assert_eq!(shown("a\x1b[2Jb\u{9b}31m\u{202e}c\nd"), "a\u{fffd}[2Jb\u{fffd}31m\u{fffd}c\u{fffd}d");
        assert_eq!(shown_lines("a\tb\n\x1b]0;x\x07"), "a\tb\n\u{fffd}]0;x\u{fffd}");
        assert_eq!(shown("连子 ½ é"), "连子 ½ é");
        assert_eq!(shorten(&"x".repeat(30)), "x".repeat(24) + "…");
    }
}
