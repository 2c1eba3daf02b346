//! What a game's shapes mean: what they threaten, and what they are worth.

use std::sync::Arc;

use lianzi_core::{Rules, Stone};

use super::kind::{CODES, Kind, code, kind, unpack};
use super::network::form;
use super::shape::{Goal, Shapes};
use super::weights::{Weights, Worth, sides};
use crate::network::Network;

/// What four shapes on an empty cell mean.
#[derive(Clone, Copy, Default)]
pub(super) struct Meaning {
    pub kind: Kind,
    pub worth: Worth,
}

/// What the rules of a game make of shapes, and what the weights make of that.
pub struct Knowledge {
    pub(super) shapes: Shapes,
    /// The code of every four shapes. It is small enough to stay near the processor, as what codes mean is.
    codes: Vec<u16>,
    /// By code: for both sides together, or for Black and then for White where they differ.
    meanings: Vec<Meaning>,
    /// Where White's codes begin.
    white: u16,
    pub(super) initiative: Vec<i16>,
    pub(super) network: Option<Arc<Network>>,
}

impl Knowledge {
    /// The knowledge of a game, with the weights and the network that are built in.
    pub fn new(rules: &Rules) -> Knowledge {
        Knowledge::with(rules, &Weights::of(rules)).and(Network::of(form(rules), rules))
    }

    /// The knowledge of a game with other weights.
    pub fn with(rules: &Rules, weights: &Weights) -> Knowledge {
        let sides = sides(rules);
        let mut meanings = vec![Meaning::default(); sides * CODES];
        let mut codes = Vec::with_capacity(1 << 16);
        for shapes in (0..=u16::MAX).map(unpack) {
            let code = code(shapes);
            codes.push(code as u16);
            for (side, &stone) in Stone::BOTH.iter().enumerate().take(sides) {
                let kind = kind(shapes, Goal::of(rules, stone).fouls);
                meanings[side * CODES + code] = Meaning { kind, worth: weights.worths[side * weights.white() + code] };
            }
        }
        let (white, initiative) = (((sides - 1) * CODES) as u16, weights.initiative.clone());
        Knowledge { shapes: Shapes::new(rules), codes, meanings, white, initiative, network: None }
    }

    /// The same with a network that corrects the weights, or without.
    pub fn and(self, network: Option<Network>) -> Knowledge {
        Knowledge { network: network.map(Arc::new), ..self }
    }

    /// The code of a side's four shapes: White's lie behind Black's where they differ.
    #[inline(always)]
    pub(super) fn code(&self, shapes: u16, side: usize) -> u16 {
        self.codes[usize::from(shapes)] + self.white * side as u16
    }

    /// What a code means.
    #[inline(always)]
    pub(super) fn meaning(&self, code: u16) -> &Meaning {
        &self.meanings[usize::from(code)]
    }
}
