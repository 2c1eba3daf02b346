//! What is proven about a position.

/// A proven result as one side sees it, with the plies to the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// Nothing is proven.
    #[default]
    Open,
    /// It wins in at most so many plies.
    Win(u16),
    /// Neither side can win; the game ends after at most so many plies.
    Draw(u16),
    /// It loses in at most so many plies, if the other side plays what was found.
    Loss(u16),
}

impl Proof {
    /// What a position is worth to the side that moved into it, when this is what it is worth to the side to move.
    pub const fn flipped(self) -> Proof {
        match self {
            Proof::Win(plies) => Proof::Loss(plies),
            Proof::Loss(plies) => Proof::Win(plies),
            other => other,
        }
    }

    /// The same result one ply earlier.
    pub const fn earlier(self) -> Proof {
        self.shifted(1)
    }

    /// The same result one ply later.
    pub const fn later(self) -> Proof {
        self.shifted(-1)
    }

    const fn shifted(self, by: i16) -> Proof {
        match self {
            Proof::Open => Proof::Open,
            Proof::Win(plies) => Proof::Win(plies.saturating_add_signed(by)),
            Proof::Draw(plies) => Proof::Draw(plies.saturating_add_signed(by)),
            Proof::Loss(plies) => Proof::Loss(plies.saturating_add_signed(by)),
        }
    }

    /// Whether nothing is proven.
    pub fn is_open(self) -> bool {
        self == Proof::Open
    }

    /// The better of two for the side that sees them; what is open is worth less than a draw that is sure.
    fn or(self, other: Proof) -> Proof {
        if other.rank() > self.rank() { other } else { self }
    }

    /// A sooner win and a later loss are better.
    pub const fn rank(self) -> i32 {
        match self {
            Proof::Win(plies) => 2000 - plies as i32,
            Proof::Draw(_) => 0,
            Proof::Open => -1,
            Proof::Loss(plies) => -2000 + plies as i32,
        }
    }
}

/// What a choice is worth to the side that has it: a win if there is one, otherwise nothing while one is open.
pub(crate) fn best(choices: impl Iterator<Item = Proof>) -> Proof {
    let (mut best, mut open) = (Proof::Loss(0), false);
    for choice in choices {
        open |= choice.is_open();
        best = best.or(choice);
    }
    if open && !matches!(best, Proof::Win(_)) { Proof::Open } else { best }
}

#[cfg(test)]
mod tests {
    use super::Proof::*;
    use super::*;

    #[test]
    fn the_best_choice_is_taken() {
        let cases: [(&[Proof], Proof); 6] = [
            (&[Win(5), Open, Win(3)], Win(3)),
            (&[Draw(4), Open], Open),
            (&[Draw(4), Loss(3)], Draw(4)),
            (&[Loss(2), Loss(6), Loss(4)], Loss(6)),
            (&[Loss(2), Open], Open),
            (&[Loss(1), Win(9), Draw(1)], Win(9)),
        ];
        for (choices, worth) in cases {
            assert_eq!(best(choices.iter().copied()), worth);
        }
        assert_eq!(Win(3).flipped().earlier(), Loss(4));
    }
}
