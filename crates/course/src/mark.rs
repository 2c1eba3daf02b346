//! From games to marks: the course's formula.

use lianzi_core::Language;

use super::code::{Code, Failure, GameLine, Side};
use super::{Course, Marks};

/// What a strategy earned, as far as games show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost, those by a fault among them.
    pub losses: u64,
    /// Games lost by each kind of fault, in the order of [`Failure::ALL`].
    pub failures: [u64; 5],
    /// How many samples it was to meet.
    pub samples: usize,
    /// Points from the games.
    pub points: f64,
    /// The marks for running properly.
    pub base: f64,
    /// The marks for the points.
    pub games: f64,
}

impl Course {
    /// The mark for these rounds as A against so many samples.
    pub fn mark(&self, rounds: &[[GameLine; 2]], samples: usize) -> Mark {
        let codes: Vec<Code> = rounds.iter().flatten().map(|line| line.code).collect();
        let count = |winner| codes.iter().filter(|code| code.winner() == winner).count() as u64;
        let failures = Failure::ALL
            .map(|failure| codes.iter().filter(|&&code| code == Code::Failed(Side::A, failure)).count() as u64);
        self.marked([Some(Side::A), None, Some(Side::B)].map(count), failures, samples)
    }

    /// The mark of a strategy that does not exist: it loses every game because it cannot be loaded.
    pub fn mark_of_nothing(&self, samples: usize) -> Mark {
        let games = 2 * samples as u64;
        self.marked([0, 0, games], [0, 0, 0, games, 0], samples)
    }

    fn marked(&self, [wins, draws, losses]: [u64; 3], failures: [u64; 5], samples: usize) -> Mark {
        let Marks { base, faults_forgiven, games, win, draw, loss, .. } = self.marks;
        let points = wins as f64 * win + draws as f64 * draw + losses as f64 * loss;
        let faults: u64 = failures.iter().sum();
        let played = wins + draws + losses > 0;
        Mark {
            wins,
            draws,
            losses,
            failures,
            samples,
            points,
            base: if played && faults <= faults_forgiven { base } else { 0.0 },
            // Two games against each sample, all won.
            games: if samples == 0 { 0.0 } else { points * games / (2.0 * win * samples as f64) },
        }
    }
}

impl Mark {
    /// What is known of the mark: without report and bonus.
    pub fn total(&self) -> f64 {
        self.base + self.games
    }

    /// Games lost by its own fault.
    pub fn faults(&self) -> u64 {
        self.failures.iter().sum()
    }

    /// Whether any game was played: without one there is no mark.
    pub fn is_begun(&self) -> bool {
        self.samples == 0 || self.wins + self.draws + self.losses > 0
    }

    /// Whether all games were played.
    pub fn is_complete(&self) -> bool {
        self.wins + self.draws + self.losses == 2 * self.samples as u64
    }
}

impl Failure {
    /// What it is called.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Failure::Bug => language.pick("bug", "程序错误"),
            Failure::Illegal => language.pick("illegal move", "非法落子"),
            Failure::Timeout => language.pick("timeout", "超时"),
            Failure::Unloadable => language.pick("cannot be loaded", "无法加载"),
            Failure::Missing => language.pick("function missing", "缺少接口函数"),
        }
    }
}

impl Code {
    /// How the game ended for this side, in a word or two.
    pub fn words(self, side: Side, language: Language) -> String {
        match self {
            Code::Tie => language.pick("draw", "和").into(),
            Code::Won(winner) if winner == side => language.pick("won", "胜").into(),
            Code::Won(_) => language.pick("lost", "负").into(),
            Code::Failed(who, failure) if who == side => {
                format!("{} ({})", language.pick("lost", "负"), failure.words(language))
            }
            Code::Failed(_, failure) => {
                let other = language.pick("the other side", "对方");
                format!("{} ({other}: {})", language.pick("won", "胜"), failure.words(language))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn line(code: Code) -> GameLine {
        GameLine { code, times: [Duration::ZERO; 2] }
    }

    #[test]
    fn fifty_samples_give_points_times_forty_over_two_hundred() {
        let course = Course::built_in("connect4").unwrap();
        let (won, drawn, lost) = (Code::Won(Side::A), Code::Tie, Code::Won(Side::B));
        let mut rounds = vec![[line(won), line(won)]; 30];
        rounds.extend(vec![[line(drawn), line(lost)]; 20]);
        let mark = course.mark(&rounds, 50);
        assert_eq!((mark.wins, mark.draws, mark.losses, mark.points), (60, 20, 20, 140.0));
        assert_eq!((mark.base, mark.games, mark.total()), (40.0, 140.0 * 40.0 / 200.0, 68.0));
        assert!(mark.is_complete());
        let all = course.mark(&vec![[line(won), line(won)]; 7], 7);
        assert_eq!(all.total(), 80.0);
    }

    #[test]
    fn a_fault_of_its_own_costs_the_base_and_one_of_the_sample_does_not() {
        let mut course = Course::built_in("connect4").unwrap();
        let own = [line(Code::Won(Side::A)), line(Code::Failed(Side::A, Failure::Timeout))];
        let other = [line(Code::Won(Side::A)), line(Code::Failed(Side::B, Failure::Unloadable))];
        let mark = course.mark(&[own, other], 2);
        assert_eq!((mark.base, mark.games, mark.failures), (0.0, 30.0, [0, 0, 1, 0, 0]));
        assert_eq!(course.mark(&[other, other], 2).total(), 80.0);
        course.marks.faults_forgiven = 1;
        assert_eq!(course.mark(&[own, other], 2).base, 40.0);
    }

    #[test]
    fn what_does_not_compile_loses_everything() {
        let course = Course::built_in("connect4").unwrap();
        let mark = course.mark_of_nothing(50);
        assert_eq!((mark.losses, mark.failures[3], mark.total()), (100, 100, 0.0));
    }
}
