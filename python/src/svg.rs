//! A position as a picture: for notebooks and pages.

use std::fmt::Write;

use lianzi_core::{Cell, Content, Placement, Position, Stone, column_name};

/// How far apart cells are.
const STEP: u32 = 32;
/// Where the first one lies.
const EDGE: u32 = 40;

/// Draws the board with the names of columns and rows; the last turn or the winning line is marked.
pub fn draw(position: &Position) -> String {
    let rules = position.rules();
    let picture = Picture { position, height: rules.height.into() };
    let (wide, high) = (EDGE * 2 + STEP * (u32::from(rules.width) - 1), EDGE * 2 + STEP * (picture.height - 1));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" width=\"{wide}\" height=\"{high}\" \
         font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n"
    );
    let drop = rules.placement == Placement::Drop;
    let wood = if drop { "#2f5f9e" } else { "#e6bf83" };
    let _ = writeln!(svg, "<rect width=\"{wide}\" height=\"{high}\" rx=\"6\" fill=\"{wood}\"/>");
    if !drop {
        picture.grid(&mut svg, u32::from(rules.width));
    }
    picture.labels(&mut svg, rules.width, if drop { "#fff" } else { "#5a4320" });
    for cell in rules.cells() {
        picture.content(&mut svg, cell, drop);
    }
    picture.marks(&mut svg);
    svg + "</svg>\n"
}

struct Picture<'a> {
    position: &'a Position,
    height: u32,
}

// Writing to a text cannot fail, so what write! returns is not looked at.
impl Picture<'_> {
    fn x(&self, cell: Cell) -> u32 {
        EDGE + STEP * u32::from(cell.column)
    }

    fn y(&self, cell: Cell) -> u32 {
        EDGE + STEP * (self.height - 1 - u32::from(cell.row))
    }

    fn grid(&self, svg: &mut String, width: u32) {
        let (right, bottom) = (EDGE + STEP * (width - 1), EDGE + STEP * (self.height - 1));
        let columns = (0..width).map(|n| EDGE + STEP * n).map(|x| format!("M{x} {EDGE}V{bottom}"));
        let rows = (0..self.height).map(|n| EDGE + STEP * n).map(|y| format!("M{EDGE} {y}H{right}"));
        let lines: String = columns.chain(rows).collect();
        let _ = writeln!(svg, "<path d=\"{lines}\" stroke=\"#6b5330\" fill=\"none\"/>");
    }

    fn labels(&self, svg: &mut String, width: u8, colour: &str) {
        let _ = writeln!(svg, "<g fill=\"{colour}\">");
        for column in 0..width {
            let (x, y) = (self.x(Cell::new(column, 0)), EDGE + STEP * (self.height - 1) + 32);
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{}</text>", column_name(column));
        }
        for row in 0..self.height {
            let y = self.y(Cell::new(0, row as u8)) + 4;
            let _ = writeln!(svg, "<text x=\"13\" y=\"{y}\">{}</text>", row + 1);
        }
        svg.push_str("</g>\n");
    }

    fn content(&self, svg: &mut String, cell: Cell, drop: bool) {
        let (x, y) = (self.x(cell), self.y(cell));
        let _ = match self.position.content(cell) {
            Some(Content::Stone(stone)) => {
                let fill = if stone == Stone::Black { "#111" } else { "#fff" };
                writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"14\" fill=\"{fill}\" stroke=\"#111\"/>")
            }
            Some(Content::Blocked) => {
                writeln!(svg, "<path d=\"M{} {}l16 16m0-16l-16 16\" stroke=\"#b00\" stroke-width=\"3\"/>", x - 8, y - 8)
            }
            _ if drop => writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"14\" fill=\"#d8e4f2\"/>"),
            _ => Ok(()),
        };
    }

    fn marks(&self, svg: &mut String) {
        let last = || self.position.last_turn().iter().map(|ply| ply.cell).collect();
        for cell in self.position.winning_line().unwrap_or_else(last) {
            let (x, y) = (self.x(cell), self.y(cell));
            let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"#d33\"/>");
        }
    }
}
