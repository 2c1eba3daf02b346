//! Players that think elsewhere. In a page each of them has a worker with a memory of its own, which can be ended at
//! once whatever it does; so a question and its answer are plain data: an [`Errand`] goes there, a [`Thinker`] sees to
//! it, a [`Word`] comes back.

use std::time::Duration;

use lianzi_core::record::{Document, Eval, Format};
use lianzi_core::{Act, Cell, Fault, GameRecord, Rules, Stone};
use lianzi_engine::{Clock, Info, Instant, Limits, Stop};
use serde::{Deserialize, Serialize};

use super::question::{Question, Said};
use super::{Answered, Leaving, LiveGame, LiveTable, News, Seated};
use crate::clock::Control;
use crate::judge::{Answer, Deed};
use crate::player::{Device, NamedEngine};

/// A question to a player elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Errand {
    /// Tells this question from those before it.
    pub number: u64,
    /// The player as it was named.
    pub player: String,
    /// Its side.
    pub stone: Stone,
    /// Where its random numbers start, if it has yet to sit down.
    pub seed: Option<u64>,
    opens: bool,
    longest: Duration,
    /// The game so far, in our JSON form.
    record: String,
    control: Control,
    left: Option<Duration>,
    clock: Option<Duration>,
}

/// What a player elsewhere answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    /// The question's number.
    pub number: u64,
    /// How long it took.
    pub taken: Duration,
    /// What it says.
    pub says: Saying,
}

/// What a player elsewhere says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Saying {
    /// These stones, and what it thinks of them.
    Turn(Vec<Cell>, Option<Eval>),
    /// It gives up.
    Resigns,
    /// Its part in finding sides.
    Acts(Vec<Act>),
    /// It takes no part in the opening.
    Passes,
    /// It failed, in its last words.
    Fails(String),
}

impl Errand {
    pub(super) fn new(question: &Question, player: &str, game: &LiveGame) -> Errand {
        let mut record = game.record().clone();
        // An engine thinks about the game alone.
        record.variations.clear();
        Errand {
            number: question.number,
            player: player.into(),
            stone: question.stone,
            seed: question.seed,
            opens: question.negotiation.is_some(),
            longest: question.longest,
            record: record.to_json(),
            control: question.control,
            left: question.limits.clock.map(|clock| clock.left),
            clock: question.clock,
        }
    }

    /// The game so far; nothing if it was garbled on its way.
    fn record(&self) -> Option<GameRecord> {
        let games = Format::Json.read(&Document::Single(self.record.as_str().into()), None).ok()?;
        games.into_iter().next().map(|loaded| loaded.record)
    }

    /// The game that is played.
    pub fn rules(&self) -> Option<Rules> {
        self.record().map(|record| record.rules)
    }

    fn question(&self) -> Option<Question> {
        let record = self.record()?;
        let Control { per_move, per_game, nodes, depth, .. } = self.control;
        let increment = per_game.map_or(Duration::ZERO, |(_, increment)| increment);
        let clock = self.left.map(|left| Clock { left, increment });
        Some(Question {
            number: self.number,
            seed: self.seed,
            stone: self.stone,
            negotiation: record.negotiation().filter(|_| self.opens),
            longest: self.longest,
            interrupt: Stop::default(),
            position: record.position(),
            control: self.control,
            limits: Limits { depth, nodes, move_time: per_move, clock, lines: 1 },
            clock: self.clock,
        })
    }
}

/// One who sees to errands, with the player of the last one: asked about the same game it remembers.
#[derive(Default)]
pub struct Thinker {
    seated: Option<Seated>,
}

impl Thinker {
    /// Nobody has been asked yet.
    pub fn new() -> Thinker {
        Thinker::default()
    }

    /// Thinks for as long as it takes; `hear` is told when it begins to, by nothing, and what it thinks.
    pub fn see_to(&mut self, errand: &Errand, device: Device, hear: &dyn Fn(Option<&Info>)) -> Word {
        let number = errand.number;
        let word = |taken, says| Word { number, taken, says };
        let named = match errand.player.parse::<NamedEngine>() {
            Ok(named) => named.on(device),
            Err(none) => return word(Duration::ZERO, Saying::Fails(none.to_string())),
        };
        let known = self.seated.take().filter(|_| errand.seed.is_none());
        let Some(mut question) = errand.question() else {
            return word(Duration::ZERO, Saying::Fails("the game cannot be read".into()));
        };
        if known.is_none() {
            // A worker that was begun anew meanwhile has nobody who sits.
            question.seed = question.seed.or(Some(number));
        }
        let Some(seated) = known.or_else(|| named.machine().seat(&Leaving::default())) else {
            return word(Duration::ZERO, Saying::Fails(String::new()));
        };
        let Answered { player, taken, said, .. } = question.answer(seated, &|news| match news {
            News::Begun(..) => hear(None),
            News::Thinks(_, info) => hear(Some(&info)),
            News::Answered(..) => {}
        });
        self.seated = player;
        word(taken, said.into())
    }
}

impl From<Said> for Saying {
    fn from(said: Said) -> Saying {
        match said {
            Said::Turn(Deed::Turn(turn), eval) => Saying::Turn(cells(&turn), eval),
            Said::Turn(Deed::Resigned, _) => Saying::Resigns,
            Said::Sides(Ok(Some(acts))) => Saying::Acts(acts),
            Said::Sides(Ok(None)) => Saying::Passes,
            Said::Turn(Deed::Failed(fault), _) | Said::Sides(Err(fault)) => Saying::Fails(words(fault)),
        }
    }
}

/// Our engines name cells only.
fn cells(answers: &[Answer]) -> Vec<Cell> {
    let cell = |answer: &Answer| if let Answer::Cell(cell) = answer { Some(*cell) } else { None };
    answers.iter().filter_map(cell).collect()
}

fn words(fault: Fault) -> String {
    match fault {
        Fault::Crashed(how) | Fault::NotStarted(_, how) => how,
        other => format!("{other:?}"),
    }
}

impl Saying {
    fn said(self, opens: bool) -> Said {
        let answers = |cells: Vec<Cell>| cells.into_iter().map(Answer::Cell).collect();
        match self {
            Saying::Turn(cells, eval) => Said::Turn(Deed::Turn(answers(cells)), eval),
            Saying::Resigns => Said::Turn(Deed::Resigned, None),
            Saying::Acts(acts) => Said::Sides(Ok(Some(acts))),
            Saying::Passes => Said::Sides(Ok(None)),
            Saying::Fails(how) if opens => Said::Sides(Err(Fault::Crashed(how))),
            Saying::Fails(how) => Said::Turn(Deed::Failed(Fault::Crashed(how)), None),
        }
    }
}

impl LiveTable {
    /// The number of the errand that is out, if any: who sees to another one need not go on.
    pub fn errand(&self) -> Option<u64> {
        self.asked().map(|(number, _)| number)
    }

    /// Somebody elsewhere has begun to think about the errand of this number.
    pub fn hear_begun(&mut self, number: u64) {
        self.hear(News::Begun(number, Instant::now()));
    }

    /// Hears what somebody elsewhere answers; an answer to an old errand is dropped.
    pub fn hear_word(&mut self, word: Word) {
        let Some((_, begun)) = self.asked().filter(|(number, _)| *number == word.number) else { return };
        let failed = matches!(word.says, Saying::Fails(_));
        let player = self.away.take().filter(|_| !failed);
        let (began, said) = (begun.unwrap_or_else(Instant::now), word.says.said(self.demand().is_some()));
        self.hear(News::Answered(word.number, Answered { player, began, taken: word.taken, said }));
    }
}
