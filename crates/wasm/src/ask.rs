//! Questions that are answered at once, or after so many nodes.

use lianzi_classic::{BUILT_IN, catalog};
use lianzi_core::{Cell, Game, GameRecord, Position, Rules, Speak, Stone};
use lianzi_engine::signature::{ROWS, signature};
use lianzi_engine::threats::{must_hit, threats};
use lianzi_engine::{Limits, Options, Stop};
use lianzi_game::player::{Device, NamedEngine};
use lianzi_talk::records::{self, FileQuery};
use lianzi_talk::{NewGame, Refusal, advice, board_json, bounds, explore, info_json, players, solving};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Answer, host, not_understood, told};

/// A question. Games and records are texts of JSON themselves.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Who plays, which formats and games there are.
    Info {},
    /// The empty board of a game.
    Rules { game: String },
    /// A new game, as the library is to keep it.
    New { new: String },
    /// A record, as the library is to keep it.
    Keep { record: String },
    /// A kept record, as it is shown.
    Show { record: String },
    /// A kept record as a file.
    Export { record: String, format: String },
    /// The games of a file, whose bytes are the characters of a text.
    Read { about: FileQuery, file: String },
    /// What was played from a position in these kept records.
    Explore { game: String, moves: String, records: Vec<String> },
    /// What can be played in a position and what threatens.
    Position { game: String, moves: Vec<String> },
    /// What an engine plays there with so many nodes.
    Search { player: String, game: String, moves: Vec<String>, nodes: u64, lines: usize },
    /// What is proven of a position with so many nodes.
    Solve { game: String, moves: Vec<String>, nodes: u64 },
    /// The row of this number of what all engines play; nothing after the last one.
    Signature { row: usize },
}

impl Request {
    pub fn answer(self, device: Device) -> Answer {
        match self {
            Request::Info {} => told(players::info(&BUILT_IN.iter().chain(&["human"]).map(listed).collect::<Vec<_>>())),
            Request::Rules { game } => {
                let game: Game = bounds::game(&game)?.parse()?;
                told(board_json(&game.draw(host::random())))
            }
            Request::New { new } => begin(&new),
            Request::Keep { record } => told(kept(&host::new_id(), &records::read_json(&record)?, None, false)),
            Request::Show { record } => Ok(format!("{{{}}}", records::shown(&records::read_kept(&record)?))),
            Request::Export { record, format } => {
                let (bytes, ending) = records::exported(records::read_kept(&record)?, &format)?;
                told(json!({"file": bytes.into_iter().map(char::from).collect::<String>(), "ending": ending}))
            }
            Request::Read { about, file } => {
                let bytes: Vec<u8> = file.chars().map(|byte| byte as u8).collect();
                records::read_file(&about, &bytes)
            }
            Request::Explore { game, moves, records } => {
                let mut explorer = explore::explorer(&game, &moves)?;
                // One that cannot be read is no reason not to see the others.
                for record in records.iter().filter_map(|record| records::read_kept(record).ok()) {
                    explorer.add(&record);
                }
                told(explore::explored(&explorer, records.len()))
            }
            Request::Position { game, moves } => told(position_json(&position(&game, &moves)?)),
            Request::Search { player, game, moves, nodes, lines } => {
                search(&player, &position(&game, &moves)?, nodes, lines)
            }
            Request::Solve { game, moves, nodes } => solve(&position(&game, &moves)?, nodes, device),
            Request::Signature { row } => told(match ROWS.iter().chain(catalog::ROWS).nth(row) {
                Some(&row) => json!({"row": signature(row, catalog::engine).map(|found| found.to_string())}),
                None => json!({"row": null}),
            }),
        }
    }
}

fn listed(name: &&str) -> Value {
    let plays = |rules: &Rules| name.parse::<NamedEngine>().is_ok_and(|named| named.check(rules).is_ok());
    players::entry(name, |rules| *name == "human" || plays(rules))
}

/// A player as a page may name it, and what it is called.
fn usual(player: &str, rules: &Rules) -> Result<String, Refusal> {
    if player == "human" {
        return Ok("human".into());
    }
    players::options_allowed(player)?;
    let named: NamedEngine = player.parse().map_err(|none: lianzi_engine::NoEngine| none.text())?;
    named.check(rules).map_err(|none| none.text())?;
    Ok(named.name)
}

fn begin(new: &str) -> Answer {
    let new: NewGame = serde_json::from_str(new).map_err(|_| not_understood())?;
    let beginning = new.begin(host::random(), usual)?;
    let live = beginning.record.verdict.outcome.is_none();
    told(kept(&host::new_id(), &beginning.record, Some(&beginning.saved()?), live))
}

/// A game as the library of a browser keeps it.
pub fn kept(id: &str, record: &GameRecord, saved: Option<&str>, live: bool) -> Value {
    let [black, white] = record.sides.each_ref().map(|side| &side.name);
    let entry = json!({
        "id": id, "game": record.game().to_string(), "black": black, "white": white,
        "outcome": record.verdict.outcome_name(), "ending": record.verdict.ending.name(),
        "plies": record.moves.len(), "created": host::date(), "live": live,
    });
    json!({"entry": entry, "record": record.to_json(), "saved": saved})
}

fn position(game: &str, moves: &[String]) -> Result<Position, Refusal> {
    let rules: Rules = bounds::game(game)?.parse()?;
    advice::position_after(&GameRecord::new(rules), moves)
}

fn position_json(position: &Position) -> Value {
    let over = position.outcome().is_some();
    let fouls: Vec<Cell> = position.empty_cells().filter(|&cell| !over && position.foul(cell).is_some()).collect();
    let told = |stone: Stone| {
        let all = threats(position, stone);
        all.iter().map(|threat| json!({"kind": threat.kind.name(), "at": threat.at})).collect::<Value>()
    };
    json!({
        "legal": position.legal().collect::<Vec<Cell>>(), "forbidden": fouls,
        "to_move": position.to_move(), "stones_left": position.stones_left(),
        "outcome": position.outcome().map(|outcome| format!("{outcome:?}")), "winning_line": position.winning_line(),
        "threats": {"black": told(Stone::Black), "white": told(Stone::White)},
        "must_hit": if over { Vec::new() } else { must_hit(position) },
    })
}

fn search(player: &str, position: &Position, nodes: u64, lines: usize) -> Answer {
    let (name, options) = player.split_once('@').unwrap_or((player, ""));
    let pairs = options.split(',').filter_map(|option| option.split_once('='));
    let given = pairs.map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let options = Options { seed: 1, given };
    let mut engine = catalog::engine(name, position.rules(), &options).map_err(|none| none.text())?;
    let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
    let best = engine.search(position, &limits, &Stop::default(), &mut |_| {});
    let info = info_json(&best.info, catalog::scores(player, position.rules()));
    told(json!({"turn": best.turn, "info": info}))
}

fn solve(position: &Position, nodes: u64, device: Device) -> Answer {
    told(solving::solved(position, nodes, device.table.unwrap_or(bounds::SOLVER_TABLE))?)
}
