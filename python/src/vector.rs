//! The native half of `VectorEnv`: it writes into numpy arrays that Python has made, without a copy.

use lianzi_core::{Random, Text, text};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;

use crate::argument::AnyGame;
use crate::batch::{Batch, Refused, View};
use crate::error::{said, unplayable};

/// The arrays that Python and the games share.
struct Arrays {
    planes: PyBuffer<u8>,
    mask: PyBuffer<u8>,
    reward: PyBuffer<f32>,
    over: PyBuffer<u8>,
    outcome: PyBuffer<u8>,
    to_move: PyBuffer<u8>,
    left: PyBuffer<u8>,
    plies: PyBuffer<i32>,
    actions: PyBuffer<i64>,
}

/// Games in a row; VectorEnv is what people use.
#[pyclass(module = "lianzi._lianzi")]
pub struct _Batch {
    batch: Batch,
    arrays: Option<Arrays>,
    random: Random,
}

fn cells<'a, T: Element>(py: Python<'a>, buffer: &'a PyBuffer<T>) -> PyResult<&'a [std::cell::Cell<T>]> {
    buffer.as_mut_slice(py).ok_or_else(|| odd("an array must be writable and in one piece"))
}

fn odd(words: &'static str) -> PyErr {
    said(Text::fixed(words, "数组的形状或类型不对"))
}

impl Arrays {
    fn view<'a>(&'a self, py: Python<'a>) -> PyResult<View<'a>> {
        Ok(View {
            planes: cells(py, &self.planes)?,
            mask: cells(py, &self.mask)?,
            reward: cells(py, &self.reward)?,
            over: cells(py, &self.over)?,
            outcome: cells(py, &self.outcome)?,
            to_move: cells(py, &self.to_move)?,
            left: cells(py, &self.left)?,
            plies: cells(py, &self.plies)?,
        })
    }
}

fn buffer<T: Element>(array: &Bound<'_, PyAny>, count: usize) -> PyResult<PyBuffer<T>> {
    let buffer = PyBuffer::get(array)?;
    let fits = buffer.item_count() == count && buffer.is_c_contiguous() && !buffer.readonly();
    if fits { Ok(buffer) } else { Err(odd("an array has the wrong shape, or cannot be written to")) }
}

#[pymethods]
impl _Batch {
    #[new]
    fn new(game: AnyGame, games: usize, seed: u64) -> PyResult<_Batch> {
        const MOST: usize = 1 << 22;
        let rules = game.rules()?;
        if !(1..=MOST).contains(&games) {
            return Err(said(text!(
                "there can be 1 to {MOST} games at once, not {games}",
                "可以同时进行 1 到 {MOST} 局，不能是 {games} 局"
            )));
        }
        if lianzi_core::Position::new(rules).outcome().is_some() {
            return Err(said(text!("nothing can be played on the board of {rules}", "{rules} 的棋盘上无处可下")));
        }
        Ok(_Batch { batch: Batch::new(&rules, games), arrays: None, random: Random::new(seed) })
    }

    /// What the planes of an observation are.
    #[getter]
    fn planes(&self) -> Vec<&'static str> {
        self.batch.planes().names()
    }

    /// Takes the arrays to write to, in this order: observations, masks, rewards, ends, outcomes, sides to move, stones left,
    /// plies, and the actions that sample() draws.
    fn share(&mut self, arrays: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        let [planes, mask, reward, over, outcome, to_move, left, plies, actions] = arrays.as_slice() else {
            return Err(odd("nine arrays are shared"));
        };
        let games = self.batch.len();
        let seen = self.batch.planes();
        self.arrays = Some(Arrays {
            planes: buffer(planes, games * seen.count() * seen.area)?,
            mask: buffer(mask, games * self.batch.actions())?,
            reward: buffer(reward, games)?,
            over: buffer(over, games)?,
            outcome: buffer(outcome, games)?,
            to_move: buffer(to_move, games)?,
            left: buffer(left, games)?,
            plies: buffer(plies, games)?,
            actions: buffer(actions, games)?,
        });
        Ok(())
    }

    /// Begins all games anew, and draws random numbers from the seed if one is given.
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        if let Some(seed) = seed {
            self.random = Random::new(seed);
        }
        let arrays = self.arrays.as_ref().ok_or_else(|| odd("no arrays are shared"))?;
        let view = arrays.view(py)?;
        for game in 0..self.batch.len() {
            self.batch.reset(game, &view);
            view.reward[game].set(0.0);
            view.over[game].set(0);
            view.outcome[game].set(0);
        }
        Ok(())
    }

    /// Plays one stone in every game.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let given = PyBuffer::<i64>::get(actions)?;
        let arrays = self.arrays.as_ref().ok_or_else(|| odd("no arrays are shared"))?;
        let view = arrays.view(py)?;
        let given = given.as_slice(py).filter(|given| given.len() == self.batch.len());
        let given = given.ok_or_else(|| odd("step() takes one action for each game, in one array"))?;
        self.batch.check(given.iter().map(|action| action.get()), &view).map_err(|Refused { game, action }| {
            unplayable(text!(
                "game {game}: action {action} cannot be played; nothing was played",
                "对局 {game}：动作 {action} 不能下；各局均未落子"
            ))
        })?;
        for (game, action) in given.iter().enumerate() {
            self.batch.step(game, action.get() as usize, &view);
        }
        Ok(())
    }

    /// Draws a legal action for every game.
    fn sample(&mut self, py: Python<'_>) -> PyResult<()> {
        let arrays = self.arrays.as_ref().ok_or_else(|| odd("no arrays are shared"))?;
        let view = arrays.view(py)?;
        self.batch.sample(&mut self.random, &view, cells(py, &arrays.actions)?);
        Ok(())
    }
}
