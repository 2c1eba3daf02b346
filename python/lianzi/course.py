"""Quick trials of strategies for courses, in this process: no cage, the same answers understood, the same verdicts.

A strategy is a function `ai(List_me, List_enemy, List_all)` for Gomoku or an agent for ConnectX, or a file that holds one.
In the arena of the command line (`lianzi match gomoku py:mine.py greedy`) it runs in a cage; only that is safe for code you do
not trust.
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import io
import json
import os
import sys
import threading
import time as clock
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from lianzi import _lianzi
from lianzi._lianzi import Game
from lianzi.arena import Contest, Player, match

_KINDS = {"ai": "course", "connectx": "kaggle"}


class _Late(BaseException):
    """Raised within a strategy whose time is over."""


class Strategy:
    """A strategy as a player of match(), tournament() and play(): `strategy()` makes it."""

    def __init__(self, source: Callable[..., Any] | str | os.PathLike[str], kind: str | None = None) -> None:
        self._path = None if callable(source) else Path(source)
        self._function = source if callable(source) else None
        if kind is None:
            kind = _kind_of_file(self._path) if self._path else _kind_of_function(source)
        if kind not in _KINDS:
            error = _lianzi.LianziError(f"'{kind}' is no kind of strategy; there are ai and connectx")
            error.zh = f"没有策略类型“{kind}”；可选 ai 和 connectx"
            raise error
        self._manner = kind
        self.__name__ = self._path.stem if self._path else getattr(source, "__name__", kind)
        self._answer: Callable[[Any], Any] | None = None
        self._space: dict[str, Any] = {}

    def begin(self) -> tuple[str, str]:
        """A new game: a file is loaded anew, as a cage would. What the script says, and what is to be kept."""
        code = getattr(self._function, "__code__", None)
        name = str(self._path) if self._path else code.co_filename if code else "<strategy>"
        self._space = {"__name__": "lianzi.harness", "name": name}
        exec(compile(_lianzi._harness(), "<lianzi.harness>", "exec"), self._space)
        printed = io.StringIO()
        try:
            module = self._load() if self._path else SimpleNamespace(**{self._manner: self._function})
            function, self._answer = self._space[_KINDS[self._manner]](module)
        except BaseException as error:
            return json.dumps({"unloadable": self._raised(error, printed)}), printed.getvalue()
        return json.dumps({"missing": function} if self._answer is None else "ready"), ""

    def _load(self) -> Any:
        """Loads the file; a module of its name that is there already comes back."""
        assert self._path is not None
        there = sys.modules.get(self._path.stem)
        folder = str(self._path.parent)
        sys.path.insert(0, folder)
        try:
            return self._space["load"](self._path)
        finally:
            sys.path.remove(folder)
            if there is not None:
                sys.modules[self._path.stem] = there

    def _raised(self, error: BaseException, printed: io.StringIO) -> str:
        with contextlib.redirect_stderr(printed):
            return str(self._space["raised"](error))

    def __call__(self, order: str, seconds: float | None) -> tuple[str, str]:
        """Asks the strategy as the cage's script does: JSON in, JSON out, or "late"; and what is to be kept."""
        printed = io.StringIO()
        assert self._answer is not None, "begin() comes first"
        try:
            with _deadline(seconds):
                try:
                    news = self._answer(json.loads(order))
                except _Late:
                    raise
                except BaseException as error:
                    news = {"raised": self._raised(error, printed)}
        except _Late:
            return "late", printed.getvalue()
        return json.dumps(news), printed.getvalue()

    def __repr__(self) -> str:
        return f"Strategy({self.__name__!r}, {self._manner!r})"


@contextlib.contextmanager
def _deadline(seconds: float | None) -> Any:
    """Raises _Late in this thread when the time is over. Code that never comes back to Python it cannot end."""
    if seconds is None:
        yield
        return
    lock, over = threading.Lock(), False
    thread = ctypes.c_ulong(threading.get_ident())

    def end() -> None:
        with lock:
            if not over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(_Late))

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            over = True
        timer.cancel()
        # An exception that was sent at the last moment arrives here, and not later.
        clock.sleep(0)


def _kind_of_function(function: Any) -> str:
    """Three arguments are those of ai(), fewer those of ConnectX."""
    try:
        count = len(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        count = 2
    return "ai" if count == 3 else "connectx"


def _kind_of_file(path: Path) -> str:
    return "ai" if "def ai(" in path.read_text(encoding="utf-8", errors="replace") else "connectx"


def strategy(source: Callable[..., Any] | str | os.PathLike[str], kind: str | None = None) -> Strategy:
    """A function or a file as a player; `kind` is "ai" or "connectx" where it cannot be told from the arguments.

    >>> import lianzi
    >>> def ai(List_me, List_enemy, List_all):
    ...     return next(cell for cell in List_all if cell not in List_me and cell not in List_enemy)
    >>> lianzi.course.strategy(ai)
    Strategy('ai', 'ai')
    """
    return Strategy(source, kind)


def play(
    ai: Callable[..., Any] | str | os.PathLike[str] | Strategy,
    opponent: Player | Strategy = "greedy",
    *,
    game: Game | str | None = None,
    games: int = 2,
    time: float | str | None = None,
    nodes: int | None = None,
    seed: int = 1,
    kind: str | None = None,
) -> Contest:
    """Plays a strategy against any player from the empty board, colours swapped; `records` of what comes back have the verdicts.

    Without a word the game is gomoku or, for an agent of ConnectX, connect4, and the time for a move is the course's 360 s or
    Kaggle's 2 s. A strategy that is late is ended where Python can end it.

    >>> import lianzi
    >>> def ai(List_me, List_enemy, List_all):
    ...     return [7, 7]
    >>> lianzi.course.play(ai, "greedy").records[0].words()
    "Black loses: the answer 'list [7, 7]' cannot be understood"
    """
    player = ai if isinstance(ai, Strategy) else Strategy(ai, kind)
    if isinstance(opponent, str) and opponent.endswith(".py") and ":" not in opponent:
        opponent = Strategy(opponent)
    connectx = player._manner == "connectx"
    return match(
        game or ("connect4" if connectx else "gomoku"), player, opponent, games=games, openings="none",
        time=time or ("2s" if connectx else "360s"), nodes=nodes, seed=seed,
    )  # fmt: skip
