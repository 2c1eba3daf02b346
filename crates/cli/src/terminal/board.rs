//! The board on the screen: where each cell lies, and how it is drawn.

use std::ops::Range;

use lianzi_core::{Cell, Content, Placement, Position, Rules, column_name};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::marks::{Mark, Marks};
use super::theme::Theme;

/// Room for the numbers of the rows on the left, and for a frame around the last column.
const LEFT: u16 = 3;
const RIGHT: u16 = 2;

/// Columns and rows of characters from one cell to the next: roomy, and tight enough for 19×19 in 80×24.
pub const PITCHES: [(u16, u16); 2] = [(4, 2), (2, 1)];

/// How much room a whole board takes.
pub fn size(rules: &Rules, (across, down): (u16, u16)) -> (u16, u16) {
    let span = |cells: u8, pitch: u16| u16::from(cells.saturating_sub(1)) * pitch + 1;
    (LEFT + span(rules.width, across) - 1 + RIGHT, span(rules.height, down) + 1)
}

/// Where the cells lie. A board larger than its area shows the part around the cursor.
#[derive(Clone, Debug)]
pub struct Grid {
    area: Rect,
    pitch: (u16, u16),
    columns: Range<u8>,
    rows: Range<u8>,
}

impl Grid {
    /// Fits the board into the area.
    pub fn fit(rules: &Rules, area: Rect, pitch: (u16, u16), cursor: Cell) -> Grid {
        let across = area.width.saturating_sub(LEFT + RIGHT - 1) / pitch.0 + 1;
        let down = area.height.saturating_sub(2) / pitch.1 + 1;
        let columns = visible(rules.width, across, cursor.column);
        let rows = visible(rules.height, down, cursor.row);
        Grid { area, pitch, columns, rows }
    }

    /// The character of a cell, unless it is out of sight.
    pub fn spot(&self, cell: Cell) -> Option<(u16, u16)> {
        if !self.columns.contains(&cell.column) || !self.rows.contains(&cell.row) {
            return None;
        }
        let (across, down) = (cell.column - self.columns.start, self.rows.end - 1 - cell.row);
        let x = self.area.x + LEFT + u16::from(across) * self.pitch.0;
        let y = self.area.y + u16::from(down) * self.pitch.1;
        (x < self.area.right() && y < self.area.bottom()).then_some((x, y))
    }

    /// The cell nearest to a character, if it lies on the board.
    pub fn cell(&self, x: u16, y: u16) -> Option<Cell> {
        let (across, down) = self.pitch;
        let column = (x + across / 2).checked_sub(self.area.x + LEFT)? / across;
        let row = (y + down / 2).checked_sub(self.area.y)? / down;
        let column = self.columns.start.checked_add(u8::try_from(column).ok()?)?;
        let row = self.rows.end.checked_sub(1)?.checked_sub(u8::try_from(row).ok()?)?;
        (self.columns.contains(&column) && self.rows.contains(&row)).then_some(Cell::new(column, row))
    }

    /// The rectangle with all visible cells and the gaps around them.
    fn wood(&self) -> Rect {
        let span = |cells: &Range<u8>, pitch: u16| (cells.len() as u16).saturating_sub(1) * pitch + 1;
        let (width, height) = (span(&self.columns, self.pitch.0), span(&self.rows, self.pitch.1));
        Rect::new(self.area.x + LEFT - 1, self.area.y, width + 2, height).intersection(self.area)
    }
}

/// The part of a side that is seen: as much as there is room for, with the cursor in the middle where that can be.
fn visible(cells: u8, room: u16, cursor: u8) -> Range<u8> {
    let count = u8::try_from(room).unwrap_or(u8::MAX).min(cells);
    let start = cursor.saturating_sub(count / 2).min(cells - count);
    start..start + count
}

/// A board as it is to be drawn.
pub struct View<'a> {
    pub position: &'a Position,
    pub marks: &'a Marks,
    pub grid: &'a Grid,
    pub cursor: Option<Cell>,
    pub theme: Theme,
}

impl View<'_> {
    /// Draws the board with its coordinates.
    pub fn draw(&self, buffer: &mut Buffer) {
        buffer.set_style(self.grid.wood(), self.theme.board());
        if self.position.rules().placement == Placement::Anywhere {
            self.draw_lines(buffer);
        }
        let cells: Vec<Cell> = self.position.rules().cells().collect();
        for &cell in &cells {
            self.draw_cell(buffer, cell);
        }
        for &cell in &self.marks.framed {
            self.frame(buffer, cell);
        }
        self.draw_names(buffer);
    }

    fn draw_lines(&self, buffer: &mut Buffer) {
        let Grid { columns, rows, pitch, .. } = self.grid;
        let [across, down] = self.theme.bars();
        for cell in self.position.rules().cells() {
            let Some((x, y)) = self.grid.spot(cell) else { continue };
            if cell.column + 1 < columns.end {
                (1..pitch.0).for_each(|n| put(buffer, x + n, y, across, Style::new()));
            }
            if cell.row > rows.start {
                (1..pitch.1).for_each(|n| put(buffer, x, y + n, down, Style::new()));
            }
        }
    }

    fn draw_cell(&self, buffer: &mut Buffer, cell: Cell) {
        let Some((x, y)) = self.grid.spot(cell) else { return };
        let theme = self.theme;
        let (symbol, mut style) = match self.position.content(cell) {
            Some(Content::Stone(stone)) => {
                (theme.stone(stone), theme.stone_style(stone, self.position.rules().placement))
            }
            Some(Content::Blocked) => (theme.blocked(), theme.last()),
            _ => self.empty(cell),
        };
        if self.marks.threatening.contains(&cell) {
            style = style.patch(theme.threatening());
        }
        if self.cursor == Some(cell) {
            style = style.patch(theme.cursor());
        }
        put(buffer, x, y, symbol, style);
    }

    fn empty(&self, cell: Cell) -> (char, Style) {
        let theme = self.theme;
        match self.marks.on.get(&cell) {
            Some(Mark::Candidate(n)) => (char::from_digit(*n as u32, 10).unwrap_or('*'), theme.candidate(*n == 1)),
            // The tenth is A.
            Some(Mark::Offered(n)) => {
                let sign = char::from_digit(*n as u32, 36).map_or('*', |sign| sign.to_ascii_uppercase());
                (sign, theme.candidate(true))
            }
            Some(Mark::Hint) => (theme.hint(), theme.candidate(true)),
            Some(Mark::Forbidden) => (theme.forbidden(), theme.threat_style(false)),
            Some(Mark::Threat { four, must }) => (theme.threat(*four), theme.threat_style(*must)),
            None => (self.ground(cell), Style::new()),
        }
    }

    fn ground(&self, cell: Cell) -> char {
        let rules = self.position.rules();
        if rules.placement == Placement::Drop {
            return self.theme.hole();
        }
        if is_star(rules, cell) {
            return self.theme.star();
        }
        let place = |n: u8, cells: u8| if n == 0 { 0 } else { 1 + usize::from(n + 1 == cells) };
        self.theme.crossing(place(cell.column, rules.width), place(rules.height - 1 - cell.row, rules.height))
    }

    /// Brackets around a stone; between two of them a bar.
    fn frame(&self, buffer: &mut Buffer, cell: Cell) {
        let Some((x, y)) = self.grid.spot(cell) else { return };
        let neighbour = |step| cell.step((1, 0), step).is_some_and(|other| self.marks.framed.contains(&other));
        let tight = self.grid.pitch.0 == 2;
        let style = self.theme.last();
        put(buffer, x - 1, y, if tight && neighbour(-1) { '|' } else { '[' }, style);
        put(buffer, x + 1, y, if tight && neighbour(1) { '|' } else { ']' }, style);
        if self.marks.won {
            buffer.set_style(Rect::new(x - 1, y, 3, 1).intersection(self.grid.area), self.theme.won());
        }
    }

    fn draw_names(&self, buffer: &mut Buffer) {
        let Grid { area, columns, rows, .. } = self.grid;
        let style = |own: bool| if own { self.theme.heading() } else { self.theme.dim() };
        for row in rows.clone() {
            let Some((_, y)) = self.grid.spot(Cell::new(columns.start, row)) else { continue };
            let own = self.cursor.is_some_and(|cell| cell.row == row);
            write(buffer, area.x, y, &format!("{:>2}", row + 1), style(own));
        }
        let Some((_, bottom)) = self.grid.spot(Cell::new(columns.start, rows.start)) else { return };
        for column in columns.clone() {
            let Some((x, _)) = self.grid.spot(Cell::new(column, rows.start)) else { continue };
            let own = self.cursor.is_some_and(|cell| cell.column == column);
            write(buffer, x, bottom + 1, &column_name(column), style(own));
        }
    }
}

/// The points that boards of wood mark, by which people find their way.
fn is_star(rules: &Rules, cell: Cell) -> bool {
    let on = |n: u8, cells: u8| cells >= 13 && cells % 2 == 1 && [3, cells / 2, cells - 4].contains(&n);
    let centred = |n: u8, cells: u8| n == cells / 2;
    let (column, row) = (on(cell.column, rules.width), on(cell.row, rules.height));
    let (middle, centre) = (centred(cell.column, rules.width), centred(cell.row, rules.height));
    // On 15×15 the middles of the sides have no mark.
    column && row && (rules.width > 15 || middle == centre)
}

/// Puts one character, if it is on the screen.
pub fn put(buffer: &mut Buffer, x: u16, y: u16, symbol: char, style: Style) {
    if let Some(cell) = buffer.cell_mut((x, y)) {
        cell.set_char(symbol).set_style(style);
    }
}

/// Writes a text, as far as it is on the screen.
pub fn write(buffer: &mut Buffer, x: u16, y: u16, text: &str, style: Style) {
    let area = buffer.area;
    if area.contains((x, y).into()) {
        buffer.set_stringn(x, y, text, usize::from(area.right() - x), style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Theme = Theme { unicode: false, colour: false };

    #[test]
    fn the_largest_usual_board_fits_a_small_terminal() {
        assert_eq!(size(&Rules::connect6(19), (2, 1)), (41, 20));
    }

    #[test]
    fn every_cell_is_found_again_by_its_spot() {
        for game in ["gomoku", "connect6", "connect4", "gomoku:31", "connect:1,5,5,1,1"] {
            let rules: Rules = game.parse().unwrap();
            for pitch in PITCHES {
                for (width, height) in [(200, 100), (41, 20), (17, 9), (6, 3)] {
                    let area = Rect::new(5, 3, width, height);
                    let grid = Grid::fit(&rules, area, pitch, Cell::new(rules.width / 2, rules.height / 2));
                    let seen = rules.cells().filter_map(|cell| Some((cell, grid.spot(cell)?)));
                    let found: Vec<_> = seen.map(|(cell, (x, y))| (cell, grid.cell(x, y))).collect();
                    assert!(!found.is_empty());
                    assert!(found.iter().all(|(cell, again)| *again == Some(*cell)), "{game} {area:?}");
                }
            }
        }
    }

    #[test]
    fn a_large_board_follows_the_cursor() {
        let (rules, area) = (Rules::gomoku(31), Rect::new(0, 0, 40, 20));
        for name in ["a1", "p16", "ae31", "a31"] {
            let cell: Cell = name.parse().unwrap();
            assert!(Grid::fit(&rules, area, (2, 1), cell).spot(cell).is_some(), "{name}");
        }
    }

    #[test]
    fn marks_and_names_are_drawn() {
        let mut position = Position::new("connect:5,3,3,1,1".parse().unwrap());
        for cell in ["a1", "a3", "b1", "e3", "c1"] {
            position.play(cell.parse().unwrap()).unwrap();
        }
        let (marks, area) = (Marks::of(&position), Rect::new(0, 0, 13, 4));
        let mut buffer = Buffer::empty(area);
        let grid = Grid::fit(position.rules(), area, (2, 1), Cell::new(2, 1));
        View { position: &position, marks: &marks, grid: &grid, cursor: None, theme: PLAIN }.draw(&mut buffer);
        let text = |y: u16| (0..13).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        let drawn: Vec<String> = (0..4).map(|y| text(y).trim_end().to_string()).collect();
        assert_eq!(drawn, [" 3 O . . . O", " 2 . . . . .", " 1[X|X|X]. .", "   a b c d e"]);
    }
}
