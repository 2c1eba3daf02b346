//! Errors as Python has them, with the sentences of the command line: `str(error)` in English, `error.zh` in Chinese.

use std::io::{self, ErrorKind};

use lianzi_core::{Language, Speak, Text};
use pyo3::create_exception;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyPermissionError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    lianzi,
    LianziError,
    PyValueError,
    "What Lianzi cannot do, in a sentence: str(error) says it in English, error.zh in Chinese."
);
create_exception!(lianzi, IllegalMove, LianziError, "A stone that cannot be read or may not be put there.");

/// What is refused, as a `LianziError`.
pub fn refused(why: &impl Speak) -> PyErr {
    said(why.text())
}

/// A move that is refused.
pub fn illegal(why: &impl Speak) -> PyErr {
    unplayable(why.text())
}

/// A sentence of our own about a move.
pub fn unplayable(text: Text) -> PyErr {
    in_both(IllegalMove::new_err(text.english.to_string()), &text)
}

/// A sentence of our own as a `LianziError`.
pub fn said(text: Text) -> PyErr {
    in_both(LianziError::new_err(text.english.to_string()), &text)
}

fn in_both(error: PyErr, text: &Text) -> PyErr {
    Python::attach(|py| match error.value(py).setattr("zh", text.chinese.as_ref()) {
        Ok(()) => error,
        Err(worse) => worse,
    })
}

/// What the system refused of a file, as the exception that Python has for it, in our words.
pub fn system(path: &str, error: &io::Error) -> PyErr {
    let text = Text::both(|language: Language| format!("{path}: {}", language.system(error)));
    let english = text.english.to_string();
    let raised = match error.kind() {
        ErrorKind::NotFound => PyFileNotFoundError::new_err(english),
        ErrorKind::PermissionDenied => PyPermissionError::new_err(english),
        _ => PyOSError::new_err(english),
    };
    in_both(raised, &text)
}

/// A mistake of ours: an engine or a thread that came to grief.
pub fn broken(words: String) -> PyErr {
    PyRuntimeError::new_err(words)
}
