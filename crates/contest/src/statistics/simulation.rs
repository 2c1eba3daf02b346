//! Simulated matches for the tests.

use lianzi_core::Random;

use super::Score;

/// The probabilities of the five scores of a pair.
pub type Chances = [f64; 5];

/// Few decisive pairs, as between careful players.
pub const DRAWISH: Chances = [0.02, 0.16, 0.64, 0.16, 0.02];
/// Openings that mostly decide the game: nearly all pairs are one win each.
pub const ONE_SIDED: Chances = [0.1, 0.01, 0.78, 0.01, 0.1];
/// Wild games without many draws.
pub const WILD: Chances = [0.24, 0.04, 0.44, 0.04, 0.24];

/// These chances reweighted exponentially so that the mean score is this.
pub fn tilted(chances: Chances, mean: f64) -> Chances {
    let at = |tilt: f64| {
        let weights: [f64; 5] = std::array::from_fn(|i| chances[i] * (tilt * i as f64).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if expected(at(middle)) < mean { low = middle } else { high = middle }
    }
    at(low)
}

/// The mean score of these chances.
pub fn expected(chances: Chances) -> f64 {
    chances.iter().enumerate().map(|(i, chance)| chance * i as f64 / 4.0).sum()
}

/// The index of a random cell with these chances.
pub fn draw(chances: &[f64], random: &mut Random) -> usize {
    let mut left = random.unit();
    for (index, chance) in chances.iter().enumerate() {
        left -= chance;
        if left < 0.0 {
            return index;
        }
    }
    chances.len() - 1
}

/// A random pair with these chances.
pub fn draw_pair(chances: Chances, random: &mut Random) -> [Score; 2] {
    use Score::{Draw, Loss, Win};
    [[Loss, Loss], [Draw, Loss], [Loss, Win], [Win, Draw], [Win, Win]][draw(&chances, random)]
}
