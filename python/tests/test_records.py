"""Files of games in every format."""

import pickle
import random

import pytest
from conftest import random_game

import lianzi

FORMATS = {"json": "gomoku", "sgf": "renju", "psq": "gomoku", "chess-save": "gomoku", "columns": "connect4", "moves": "connect6"}


def record(game, seed=1):
    *_, position = random_game(game, random.Random(seed))
    return lianzi.Record(position, "a", "b")


@pytest.mark.parametrize("format, game", FORMATS.items())
def test_every_format_comes_back(format, game, tmp_path):
    written = record(game)
    file = tmp_path / "game.txt"
    lianzi.write(written, file, format=format)
    (read,) = lianzi.read(file, game=game, format=format)
    assert (read.moves, read.outcome) == (written.moves, written.outcome)
    assert written.write(format) == file.read_bytes()


def test_csv_is_a_folder(tmp_path):
    written = record("connect6", 2)
    lianzi.write(written, tmp_path / "game", format="csv")
    assert {file.name for file in (tmp_path / "game").iterdir()} == {"black.csv", "white.csv"}
    for path in (tmp_path / "game", tmp_path / "game/black.csv"):
        assert lianzi.read(path, game="connect6")[0].moves == written.moves
    with pytest.raises(lianzi.LianziError):
        written.write("csv")


def test_folders_are_read_in_order(tmp_path):
    for n in range(3):
        lianzi.write(record("connect4", n), tmp_path / f"{n}.json")
    assert [game.moves for game in lianzi.read(tmp_path)] == [record("connect4", n).moves for n in range(3)]
    assert len(lianzi.judge(tmp_path)) == 3


def test_records_tell_what_they_hold():
    played = lianzi.play("connect4", "strong@level=2", "greedy", nodes=100)
    assert played.players == ("strong@level=2", "greedy") and played.outcome == played.position().outcome
    assert len(played.scores) == len(played.times_ms) == len(played.comments) == len(played) == len(played.moves)
    assert any(score is not None for score in played.scores) and "started" in played.tags
    assert pickle.loads(pickle.dumps(played)) == played and "<svg" in played._repr_svg_()
    assert played.position(0) == lianzi.Position("connect4") and played.opening == 0
    assert "Record(connect4" in repr(played) and played.words("zh") != played.words("en")


def test_fouls_are_judged_and_not_read(tmp_path):
    file = tmp_path / "game.txt"
    file.write_text("h8 i9 h8\n")
    (judged,) = lianzi.judge(file, game="gomoku")
    assert (judged["foul"], judged["blame"], judged["ending"], judged["plies"]) == (True, "black", "illegal", 2)
    assert judged["record"].moves == ["h8", "i9"] and "已有棋子" in lianzi.judge(file, game="gomoku", language="zh")[0]["words"]
    with pytest.raises(lianzi.LianziError, match="game.txt: .*there is a stone already") as raised:
        lianzi.read(file, game="gomoku")
    assert "已有棋子" in raised.value.zh


def test_what_cannot_be_read_or_written(tmp_path):
    with pytest.raises(FileNotFoundError):
        lianzi.read(tmp_path / "none.sgf")
    (tmp_path / "odd.bin").write_bytes(bytes(range(200)))
    with pytest.raises(lianzi.LianziError):
        lianzi.read(tmp_path / "odd.bin")
    with pytest.raises(lianzi.LianziError, match="there is no format 'pdf'"):
        lianzi.write(record("gomoku"), tmp_path / "game.json", format="pdf")
    with pytest.raises(lianzi.LianziError):
        lianzi.write(record("connect4"), tmp_path / "game.psq")
    with pytest.raises(lianzi.LianziError):
        lianzi.judge(b"")
    with pytest.raises(TypeError):
        lianzi.Record("gomoku")
    with pytest.raises(lianzi.LianziError, match="is no side"):
        record("gomoku").said("red")
