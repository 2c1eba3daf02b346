//! S0 §3.1: the program against itself on 15×15, "after 8 rounds Black wins".

use lianzi_core::{Rules, Stone, Text, text};

use super::hall::{self, Game, Player};
use super::report::{Finding, Report, Table, number};
use super::{Experiment, Lab};

/// S0-83.
pub const EXPERIMENT: Experiment = Experiment {
    name: "selfplay",
    document: "S0 §3.1",
    what: Text::fixed(
        "classic-connect6 against itself: who wins after how many rounds",
        "classic-connect6 自我对弈：几回合后谁胜",
    ),
    time: ["1 s", "1 s"],
    run,
};

/// The printed program first, then one change at a time.
const VARIANTS: [(&str, u8, &str); 10] = [
    ("", 15, ""),
    ("ko=off", 15, "@ko=off"),
    ("dead=plain", 15, "@dead=plain"),
    ("dead=both", 15, "@dead=both"),
    ("shortcut=off", 15, "@shortcut=off"),
    ("prune=off", 15, "@prune=off"),
    ("depth=2", 15, "@depth=2"),
    ("depth=0 (greedy)", 15, "@depth=0"),
    ("width=4", 15, "@width=4"),
    ("19×19", 19, ""),
];

fn run(lab: &Lab<'_>) -> anyhow::Result<Report> {
    let count = lab.size(2, VARIANTS.len(), VARIANTS.len());
    let games = lab.each(&VARIANTS[..count], |&(_, side, options)| game(lab, side, options))?;
    let mut table = Table::new(
        lab.pick("The program against itself", "程序自我对弈"),
        &[
            ("variant", lab.pick("variant", "变体")),
            ("winner", lab.pick("winner", "胜方")),
            ("rounds", lab.pick("rounds", "回合")),
            ("stones", lab.pick("stones", "子数")),
            ("nodes", lab.pick("nodes", "结点")),
            ("cpu_ms_per_turn", lab.pick("CPU ms/turn", "CPU 毫秒/手")),
            ("document", lab.pick("document", "文献")),
        ],
    );
    for ((name, ..), game) in VARIANTS.iter().zip(&games) {
        let printed = name.is_empty();
        let name = if printed { lab.pick("as printed", "原文设置") } else { name };
        let document = if printed { lab.pick("Black, 8 rounds", "黑，8 回合") } else { "–" };
        let mut spent = game.spent(Stone::Black);
        spent.add(game.spent(Stone::White));
        table.row([
            name.into(),
            winner(lab, game).into(),
            rounds(game).into(),
            game.cells.len().into(),
            spent.nodes.into(),
            number(spent.per_turn_ms(), 2),
            document.into(),
        ]);
    }
    Ok(Report {
        settings: vec![
            ("game", "connect6:15, connect6:19".into()),
            ("players", "classic-connect6, depth 4, width 3".into()),
            ("limits", lab.pick("none; the player is deterministic", "无；棋手无随机").into()),
            ("note", lab.pick("a round is a turn of Black and one of White", "一回合为黑白各一手").into()),
        ],
        tables: vec![table],
        verdict: Finding::of(&[games[0].outcome.winner() == Some(Stone::Black), rounds(&games[0]) == 8]),
        conclusion: conclusion(lab, &games[0]),
    })
}

fn game(lab: &Lab<'_>, side: u8, options: &str) -> anyhow::Result<Game> {
    let rules = Rules::connect6(side);
    let player = || Player::new(&format!("classic-connect6{options}"), &rules, lab.console);
    hall::play(&rules, &[], [&mut player()?, &mut player()?], lab.seed)
}

/// A round is begun by Black's turn.
fn rounds(game: &Game) -> usize {
    game.thoughts.len().div_ceil(2)
}

fn winner(lab: &Lab<'_>, game: &Game) -> &'static str {
    match game.outcome.winner() {
        Some(Stone::Black) => lab.pick("Black", "黑"),
        Some(Stone::White) => lab.pick("White", "白"),
        None => lab.pick("draw", "和"),
    }
}

fn conclusion(lab: &Lab<'_>, game: &Game) -> String {
    let (winner, rounds) = (winner(lab, game), rounds(game));
    lab.say(text!("the document's program won as Black after 8 rounds; ours, rebuilt from its description, ends with \
             {winner} after {rounds} rounds (the order of equal choices is not printed, and the game depends on it).", "原文称 8 回合后黑胜；按其描述重写的程序结果为 {winner}，{rounds} 回合（原文未写明等分着法的次序，棋局取决于它）。"))
}
