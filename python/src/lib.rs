//! Lianzi in Python: the native half of the package `lianzi`.
//!
//! Everything that thinks, judges or counts is the workspace's; what stands here is how Python sees it. The key decision: the
//! package is a member of the workspace, so that it is built from what the tests have built already, and it uses the stable
//! interface of Python, so that building it needs no Python. Nothing here is tested by Rust, because a test would have to be
//! linked with Python: `python/tests` are run by pytest.
//!
//! What begins with an underscore is for the Python half, which has the names that people use.

mod arena;
mod argument;
mod batch;
mod data;
mod engine;
mod error;
mod game;
mod planes;
mod player;
mod position;
mod record;
mod solver;
mod svg;
mod vector;
mod wait;

use lianzi_core::{Language, text};
use pyo3::prelude::*;

/// The language of a word for it.
fn language(name: &str) -> PyResult<Language> {
    match name {
        "en" => Ok(Language::English),
        "zh" => Ok(Language::Chinese),
        _ => Err(error::said(text!("'{name}' is no language; there are en and zh", "没有语言“{name}”；可选 en 和 zh"))),
    }
}

/// What begins the sentences that strategies of courses get in cages: the package speaks to them with the same script.
#[pyfunction]
fn _harness() -> &'static str {
    lianzi_cage::HARNESS
}

/// The names of all players that are built in.
#[pyfunction]
fn players() -> Vec<&'static str> {
    lianzi_classic::BUILT_IN.to_vec()
}

/// The native half of the package.
#[pymodule]
fn _lianzi(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("LianziError", py.get_type::<error::LianziError>())?;
    module.add("IllegalMove", py.get_type::<error::IllegalMove>())?;
    module.add_class::<game::PyGame>()?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<position::PyThreat>()?;
    module.add_class::<record::PyRecord>()?;
    module.add_class::<engine::PyEngine>()?;
    module.add_class::<engine::PyAnalysis>()?;
    module.add_class::<engine::PyLine>()?;
    module.add_class::<engine::Thinking>()?;
    module.add_class::<solver::PySolver>()?;
    module.add_class::<solver::PySolution>()?;
    module.add_class::<vector::_Batch>()?;
    module.add_function(wrap_pyfunction!(position::_position_from_json, module)?)?;
    module.add_function(wrap_pyfunction!(record::_record_from_json, module)?)?;
    module.add_function(wrap_pyfunction!(record::_read, module)?)?;
    module.add_function(wrap_pyfunction!(record::_write, module)?)?;
    module.add_function(wrap_pyfunction!(record::_judge, module)?)?;
    module.add_function(wrap_pyfunction!(engine::signature, module)?)?;
    module.add_function(wrap_pyfunction!(arena::_contest, module)?)?;
    module.add_function(wrap_pyfunction!(data::_selfplay, module)?)?;
    module.add_function(wrap_pyfunction!(data::_replay, module)?)?;
    module.add_function(wrap_pyfunction!(data::_label, module)?)?;
    module.add_function(wrap_pyfunction!(data::_weights, module)?)?;
    module.add_function(wrap_pyfunction!(data::_are_weights, module)?)?;
    module.add_function(wrap_pyfunction!(data::_network, module)?)?;
    module.add_function(wrap_pyfunction!(data::_is_network, module)?)?;
    module.add_function(wrap_pyfunction!(_harness, module)?)?;
    module.add_function(wrap_pyfunction!(players, module)?)?;
    Ok(())
}
