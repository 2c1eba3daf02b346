//! Everything that a page needs without a server: the referee, the engines, live games and records, as one WebAssembly
//! module. `web/build.sh` builds it, `web/js/local/` uses it, and `web/js/local/requests.d.ts` declares what it answers,
//! by hand: `web/tests/module/contract.test.mjs` asks everything and has tsc compare.
//!
//! A [`Module`] takes one request and gives one answer, both JSON, in the words of docs/web.md wherever those have them.
//! Requests of several sorts come from several sorts of workers that each have a module of their own: questions that are
//! answered at once (`ask`, and those about training), live games (`table`), and searches, which tell what they find
//! while they last (`think`).
//!
//! The key decisions: texts go in and out by a few exported and imported functions, declared by hand. The
//! generated glue of wasm-bindgen was rejected: the contract is JSON already, and its tool would have to be built before
//! every first build. And a search is stopped by ending its worker: that is immediate whatever the engine does, needs no
//! shared memory and so no special headers of a host, and a new worker with the same compiled module is there in
//! milliseconds.

mod ask;
mod host;
mod table;
mod think;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod door;

use std::cell::OnceCell;
use std::collections::HashMap;

use lianzi_game::live::Thinker;
use lianzi_talk::train::{self, Trainer};
use lianzi_talk::{Asked, Refusal};
use lianzi_train::School;
use serde_json::{Value, json};

use table::OpenGame;

/// Who hears what a search finds while it lasts, as messages.
pub type Tell = fn(&str);

/// What a worker of a page has.
pub struct Module {
    tables: HashMap<String, OpenGame>,
    thinker: Thinker,
    /// Made when it is first needed: most workers teach nobody.
    trainer: OnceCell<Trainer>,
    tell: Tell,
}

impl Module {
    /// Nothing has been asked yet; what searches find goes to `tell`.
    pub fn new(tell: Tell) -> Module {
        Module { tables: HashMap::new(), thinker: Thinker::new(), trainer: OnceCell::new(), tell }
    }

    /// Answers a request; `{"refused": {"status", "en", "zh"}}` is an answer too.
    pub fn answer(&mut self, text: &str) -> String {
        let answer = Asked::read(text).map_err(|_| not_understood()).and_then(|asked| self.answer_asked(&asked));
        answer.unwrap_or_else(|Refusal { status, words }| {
            json!({"refused": {"status": status, "en": words.english, "zh": words.chinese}}).to_string()
        })
    }

    /// Looks which sort of request it is.
    fn answer_asked(&mut self, asked: &Asked) -> Answer {
        let device = asked.beside().map_err(|_| not_understood())?;
        if let Ok(request) = asked.sort::<ask::Request>() {
            return request.answer(device);
        }
        if let Ok(request) = asked.sort::<table::Request>() {
            return request.answer(&mut self.tables);
        }
        if let Ok(request) = asked.sort::<think::Request>() {
            return request.answer(device, &mut self.thinker, self.tell);
        }
        let request = asked.sort::<train::Request>().map_err(|_| not_understood())?;
        let trainer = self.trainer.get_or_init(|| Trainer::new(School::built_in()));
        trainer.answer(request).map(|answer| answer.to_string())
    }
}

/// An answer as JSON text.
type Answer = Result<String, Refusal>;

fn not_understood() -> Refusal {
    Refusal::bad("this request cannot be understood", "无法理解此请求")
}

fn told(value: Value) -> Answer {
    Ok(value.to_string())
}

#[cfg(test)]
mod tests;
