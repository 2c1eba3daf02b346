//! How things look: characters for every terminal, colours where they are wanted.

use lianzi_core::{Placement, Stone};
use ratatui::style::{Color, Modifier, Style};

/// What a terminal can show.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Round stones and lines instead of plain ASCII.
    pub unicode: bool,
    /// Colours besides bold and reversed.
    pub colour: bool,
}

/// Wood, its lines, and the two stones, from the palette of 256 that terminals share.
const WOOD: Color = Color::Indexed(180);
const LINE: Color = Color::Indexed(94);
const STONES: [Color; 2] = [Color::Indexed(16), Color::Indexed(231)];
/// Discs that fall are red and yellow, as on the page.
const DISCS: [Color; 2] = [Color::Indexed(124), Color::Indexed(226)];
const LAST: Color = Color::Indexed(160);
const WON: Color = Color::Indexed(114);
const BEST: Color = Color::Indexed(19);
const THREAT: Color = Color::Indexed(124);

impl Theme {
    fn pick<T>(self, unicode: T, ascii: T) -> T {
        if self.unicode { unicode } else { ascii }
    }

    fn coloured(self, style: Style) -> Style {
        if self.colour { style } else { Style::new() }
    }

    pub fn stone(self, stone: Stone) -> char {
        match stone {
            Stone::Black => self.pick('●', 'X'),
            Stone::White => self.pick('○', 'O'),
        }
    }

    pub fn blocked(self) -> char {
        self.pick('╳', '#')
    }

    /// An empty cell where stones fall.
    pub fn hole(self) -> char {
        self.pick('·', '.')
    }

    /// A crossing of lines: how far to the left, middle, right (0, 1, 2), and from the top likewise.
    pub fn crossing(self, across: usize, down: usize) -> char {
        const CROSSINGS: [[char; 3]; 3] = [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']];
        self.pick(CROSSINGS[down][across], '.')
    }

    pub fn star(self) -> char {
        self.pick('╋', '+')
    }

    /// The lines between crossings.
    pub fn bars(self) -> [char; 2] {
        self.pick(['─', '│'], [' ', ' '])
    }

    /// Where a side completes a line, and where it makes an open four.
    pub fn threat(self, four: bool) -> char {
        if four { self.pick('▲', '!') } else { self.pick('△', '^') }
    }

    pub fn hint(self) -> char {
        self.pick('◆', '?')
    }

    pub fn forbidden(self) -> char {
        self.pick('×', 'x')
    }

    /// The mark of the side to move.
    pub fn turn(self) -> char {
        self.pick('▶', '>')
    }

    /// Eight heights of a bar.
    pub fn bar(self, eighths: usize) -> char {
        let heights = self.pick(['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'], ['_', '.', ',', '-', '~', '=', '*', '#']);
        heights[eighths.min(7)]
    }

    /// A slider: what is behind, the handle, what is ahead.
    pub fn slider(self) -> [char; 3] {
        self.pick(['━', '●', '─'], ['=', 'O', '-'])
    }

    pub fn rule(self) -> char {
        self.pick('─', '-')
    }

    /// What joins short words.
    pub fn dot(self) -> &'static str {
        self.pick(" · ", " | ")
    }

    pub fn board(self) -> Style {
        self.coloured(Style::new().bg(WOOD).fg(LINE))
    }

    pub fn stone_style(self, stone: Stone, placement: Placement) -> Style {
        let stones = if placement == Placement::Drop { DISCS } else { STONES };
        Style::new().add_modifier(Modifier::BOLD).patch(self.coloured(Style::new().fg(stones[stone.index()])))
    }

    pub fn last(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD).patch(self.coloured(Style::new().fg(LAST)))
    }

    pub fn won(self) -> Style {
        if self.colour { Style::new().bg(WON) } else { Style::new().add_modifier(Modifier::REVERSED) }
    }

    pub fn cursor(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    pub fn candidate(self, best: bool) -> Style {
        let colour = if best { BEST } else { LINE };
        Style::new().add_modifier(Modifier::BOLD).patch(self.coloured(Style::new().fg(colour)))
    }

    pub fn threat_style(self, must: bool) -> Style {
        let style = self.coloured(Style::new().fg(THREAT));
        if must { style.add_modifier(Modifier::BOLD) } else { style }
    }

    /// The stones that threaten.
    pub fn threatening(self) -> Style {
        Style::new().add_modifier(Modifier::UNDERLINED)
    }

    pub fn heading(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub fn dim(self) -> Style {
        if self.colour { Style::new().fg(Color::DarkGray) } else { Style::new().add_modifier(Modifier::DIM) }
    }

    pub fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// A clock with much, little, or next to no time left.
    pub fn clock(self, left: Option<std::time::Duration>) -> Style {
        match left.map(|left| left.as_secs()) {
            Some(0..5) => self.coloured(Style::new().fg(Color::Red)).add_modifier(Modifier::BOLD),
            Some(5..15) => self.coloured(Style::new().fg(Color::Yellow)).add_modifier(Modifier::BOLD),
            _ => Style::new(),
        }
    }

    /// Something that was refused or went wrong.
    pub fn warning(self) -> Style {
        self.coloured(Style::new().fg(Color::Yellow)).add_modifier(Modifier::BOLD)
    }
}
