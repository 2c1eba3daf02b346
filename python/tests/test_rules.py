"""Games, positions and their errors."""

import copy
import pickle
import random
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import GAMES, random_game

import lianzi


@pytest.mark.parametrize("game, depth", [("connect4", 6), ("gomoku:7", 3), ("renju:5", 3), ("connect6:7", 3)])
def test_perft_is_the_binarys(binary, game, depth):
    printed = binary("perft", game, depth).splitlines()[-1].split("\t")
    position = lianzi.Position(game)
    assert [depth, position.perft(depth)] == [int(printed[0]), int(printed[1])]
    assert sum(position.divide(depth).values()) == position.perft(depth)


def test_ten_thousand_games_end_as_the_judge_says(binary, tmp_path):
    """Random games to their end: the same result and words from the package, the file's reader and the binary."""
    draw = random.Random(5)
    plan = [("connect4", 9300), ("gomoku:9", 400), ("connect6:9", 200), ("renju:7", 100)]
    lines, ends = [], []
    for game, count in plan:
        for _ in range(count):
            *_, position = random_game(game, draw)
            lines.append(lianzi.Record(position).write("json").decode())
            ends.append((position.outcome, len(position), position.winning_line))
    file = tmp_path / "games.jsonl"
    file.write_text("".join(lines))
    import json

    printed = [json.loads(line) for line in binary("judge", file, "--json").splitlines()]
    judged = lianzi.judge(file)
    assert len(printed) == len(judged) == 10_000
    for end, theirs, ours in zip(ends, printed, judged):
        assert end == (ours["outcome"], ours["plies"], ours["winning_line"])
        assert ours["outcome"] == theirs["outcome"]
        for key in ("plies", "words", "foul", "ending", "game"):
            assert ours[key] == theirs[key], key


def test_games_have_names():
    game = lianzi.Game("Connect4:9x10/D4")
    assert (str(game), repr(game)) == ("connect4:9x10/d4", 'Game("connect4:9x10/d4")')
    assert (game.width, game.height, game.line, game.drop, game.blocked) == (9, 10, 4, True, ["d4"])
    assert game == lianzi.Game(game) and hash(game) == hash(lianzi.Game(str(game))) and game != lianzi.Game("gomoku")
    assert pickle.loads(pickle.dumps(game)) == game
    assert [lianzi.Game(name).family for name in ("renju", "connect6", "connect4", "connect:5,5,4,1,1")] == [
        "gomoku", "connect6", "connect4", "other",
    ]  # fmt: skip
    random_board = lianzi.Game("connect4:random")
    assert str(random_board) == "connect4:random" and 9 <= random_board.draw(3).width <= 12
    with pytest.raises(lianzi.LianziError, match="name one board"):
        lianzi.Position(random_board)


@pytest.mark.parametrize("game", GAMES)
def test_positions_agree_with_themselves(game):
    draw = random.Random(game)
    for position in random_game(game, draw):
        names, actions = position.legal_moves(), position.legal_actions()
        assert sorted(position.action(name) for name in names) == actions
        assert all(position.cell(action) in names for action in actions)
        array = position.array()
        assert (array == 0).sum() + (array == 3).sum() + len(position) == array.size
        again = pickle.loads(pickle.dumps(position))
        assert again == position == copy.deepcopy(position) and again.hash == position.hash
        assert again.outcome == position.outcome and position.is_over == (position.outcome is not None)
    assert lianzi.Position(game, position.moves) == lianzi.Position(game, " ".join(position.moves)) == position
    while position.undo():
        pass
    assert position == lianzi.Position(game)


def test_moves_have_many_forms():
    forms = ["h8", "H8", 112, (7, 7), np.int64(112), np.int8(112)]
    assert {tuple(lianzi.Position("gomoku", [form]).moves) for form in forms} == {("h8",)}
    assert lianzi.Position("connect4", ["d", 3, "4", (3, 3), "d5"]).moves == ["d1", "d2", "d3", "d4", "d5"]


@pytest.mark.parametrize(
    "game, moves, move, words, chinese",
    [
        ("gomoku", "h8", "h8", "there is a stone already", "已有棋子"),
        ("gomoku", "", "p16", "that is not on the board", "不在棋盘内"),
        ("gomoku", "", 225, "that is not on the board", "不在棋盘内"),
        ("gomoku", "", -1, "that is not on the board", "不在棋盘内"),
        ("gomoku", "", (0, 99), "that is not on the board", "不在棋盘内"),
        ("gomoku", "", "up", "'up' is not a cell; write a column and a row, such as h8", "“up”不是棋盘上的位置，请写列和行，例如 h8"),
        ("gomoku/h8", "", "h8", "that cell is blocked", "该格禁止落子"),
        ("connect4", "", "a2", "a lower cell of the column is still free", "该列下方还有空格"),
        ("connect4", "", 7, "there is no column '7'; the last one is g", "没有第“7”列；最后一列是 g"),
        ("connect4", "111111", 0, "column a is full", "a 列已满"),
        ("connect4", "1212121", 0, "the game is over", "对局已经结束"),
    ],
)
def test_what_is_not_allowed_is_said_in_both_languages(game, moves, move, words, chinese):
    position = lianzi.Position(game, moves)
    with pytest.raises(lianzi.IllegalMove) as raised:
        position.play(move)
    assert (str(raised.value), raised.value.zh) == (words, chinese)
    assert (position.why_not(move), position.why_not(move, "zh")) == (words, chinese)
    assert position == lianzi.Position(game, moves), "nothing was played"


@pytest.mark.parametrize("move", [None, 1.5, [], {}, (1,), (1, 2, 3), ("h", 8), b"h8", object()])
def test_what_is_no_move_is_a_type_error(move):
    position = lianzi.Position("gomoku")
    with pytest.raises((TypeError, ValueError)):
        position.play(move)
    assert len(position) == 0


def test_bad_texts_of_moves_say_which():
    with pytest.raises(lianzi.IllegalMove, match="stone 3: h8: there is a stone already"):
        lianzi.Position("gomoku", "h8 i9 h8")
    with pytest.raises(lianzi.LianziError, match="a board of 0x0 cannot be played"):
        lianzi.Game("gomoku:0")


def test_renju_forbids():
    position = lianzi.Position.setup("renju", ["g8", "i8", "h7", "h9"], ["a1", "a3", "a5", "o1"])
    assert position.forbidden() == {"h8": "a double three"} and "h8" not in position.legal_moves()
    with pytest.raises(lianzi.IllegalMove, match="Black may not make a double three"):
        position.play("h8")
    assert lianzi.Position("gomoku").forbidden() == {}
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.forbidden("zh") == position.forbidden("zh") != position.forbidden()


def test_setups_are_checked():
    with pytest.raises(lianzi.LianziError, match="there is a stone already"):
        lianzi.Position.setup("gomoku", ["h8"], ["h8"])
    with pytest.raises(lianzi.LianziError, match="a lower cell"):
        lianzi.Position.setup("connect4", ["a2"], [])
    with pytest.raises(lianzi.LianziError, match="is no side"):
        lianzi.Position.setup("gomoku", [], [], to_move="red")
    six = lianzi.Position.setup("connect6", ["j10"], ["a1"], to_move="white", stones_left=1)
    assert (six.to_move, six.stones_left) == ("white", 1)


def test_lines_threats_and_what_must_be_hit():
    four = lianzi.Position("gomoku", "h8 g8 i8 a3 j8 a5 k8")
    assert four.must_hit() == ["l8"] and [threat.kind for threat in four.threats("black")] == ["four"]
    assert [(threat.side, threat.at) for threat in four.threats()] == [("black", ["l8"])]
    for move in ("a1", "l8"):
        four.play(move)
    assert four.outcome == "black" and four.winning_line == ["h8", "i8", "j8", "k8", "l8"]
    assert four.legal_moves() == [] and four.stones_left == 0


def test_boards_show_themselves():
    position = lianzi.Position("connect4:4x4/c1", ["a1", "b1", "d1"])
    assert position.ascii().splitlines()[3] == " 1 X O #[X]"
    assert "●" in str(position) and repr(position) == 'Position("connect4:4x4/c1", "a1 b1 d1")'
    for game in GAMES:
        *_, end = random_game(game, random.Random(1))
        picture = ElementTree.fromstring(end._repr_svg_())
        circles = picture.findall(".//{http://www.w3.org/2000/svg}circle")
        assert len(circles) >= len(end) and picture.get("viewBox")


def test_symmetries_keep_the_game():
    for name in GAMES:
        game = lianzi.Game(name)
        for cells, actions in zip(game.symmetries(), game.action_symmetries()):
            assert sorted(cells) == list(range(game.width * game.height)) and sorted(actions) == list(range(game.actions))
            draw = random.Random(3)
            *_, position = random_game(game, draw)
            other = lianzi.Position(game)
            replayed = lianzi.Position(game)
            for move in position.moves:
                other.play(actions[replayed.action(move)])
                replayed.play(move)
            assert other.outcome == position.outcome
            assert np.array_equal(other.array().ravel()[cells], position.array().ravel())


def test_arguments_of_the_wrong_kind():
    for call in (
        lambda: lianzi.Game(3),
        lambda: lianzi.Game("connect4").draw(-1),
        lambda: lianzi.Position(None),
        lambda: lianzi.Position("gomoku", 5),
        lambda: lianzi.Position("gomoku").perft(-1),
        lambda: lianzi.Position("gomoku").cell("h8"),
        lambda: lianzi.Position("gomoku").threats("red"),
        lambda: lianzi.Position("gomoku").why_not("h8", "fr"),
        lambda: lianzi.Position.setup("gomoku", 1, 2),
    ):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            call()
