//! What stands where on the screen.

use lianzi_core::Rules;
use ratatui::layout::Rect;

use super::board::{PITCHES, size};

/// The least room beside the board in which the panel can be read.
const PANEL: u16 = 24;
/// Rows below the board: status, message, input.
const BELOW: u16 = 3;

/// The parts of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    pub title: Rect,
    pub board: Rect,
    pub pitch: (u16, u16),
    /// Beside the board, or below it; empty where there is no room.
    pub panel: Rect,
    pub status: Rect,
    pub message: Rect,
    pub input: Rect,
}

impl Places {
    /// Divides the screen for the board of this game.
    pub fn of(rules: &Rules, area: Rect) -> Places {
        let row = |y: u16| Rect::new(area.x, area.y + y, area.width, 1).intersection(area);
        let above = u16::from(area.height > BELOW + 4);
        let below = BELOW.min(area.height);
        let body = Rect { y: area.y + above, height: area.height.saturating_sub(above + below), ..area };
        let pitch = pitch(rules, body);
        let (board, panel) = divide(size(rules, pitch), body);
        let bottom = |n: u16| if below == BELOW { row(area.height - n) } else { Rect::ZERO };
        Places {
            title: if above > 0 { row(0) } else { Rect::ZERO },
            board,
            pitch,
            panel,
            status: bottom(3),
            message: bottom(2),
            input: row(area.height.saturating_sub(1)),
        }
    }
}

/// The roomiest pitch that leaves the panel its place.
fn pitch(rules: &Rules, body: Rect) -> (u16, u16) {
    let [roomy, tight] = PITCHES;
    let (width, height) = size(rules, roomy);
    if width + PANEL <= body.width && height <= body.height { roomy } else { tight }
}

fn divide((width, height): (u16, u16), body: Rect) -> (Rect, Rect) {
    let whole = Rect::new(body.x, body.y, width.min(body.width), height.min(body.height));
    if width + PANEL <= body.width {
        let x = body.x + width + 1;
        return (whole, Rect::new(x, body.y, body.right() - x, body.height));
    }
    let y = body.y + whole.height;
    (whole, Rect::new(body.x, y, body.width, body.bottom() - y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connect6_and_its_panel_fit_80x24() {
        let places = Places::of(&Rules::connect6(19), Rect::new(0, 0, 80, 24));
        assert_eq!(places.board, Rect::new(0, 1, 41, 20));
        assert_eq!(places.panel, Rect::new(42, 1, 38, 20));
        assert_eq!((places.status.y, places.message.y, places.input.y), (21, 22, 23));
    }

    #[test]
    fn nothing_leaves_the_screen() {
        for game in ["gomoku", "connect6", "connect4", "gomoku:31"] {
            for (width, height) in (0..130).flat_map(|width| (0..60).map(move |height| (width, height))) {
                let area = Rect::new(0, 0, width, height);
                let p = Places::of(&game.parse().unwrap(), area);
                for part in [p.title, p.board, p.panel, p.status, p.message, p.input] {
                    let inside = part.is_empty() || area.intersection(part) == part;
                    assert!(inside, "{game} {width}x{height}: {part:?}");
                }
            }
        }
    }
}
