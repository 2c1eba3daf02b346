"""The package as a whole: examples, types, the tutorial, the benchmark, the installed files."""

import doctest
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import lianzi
import lianzi.arena
import lianzi.bench
import lianzi.course
import lianzi.data
import lianzi.engines
import lianzi.gym
import lianzi.records
import lianzi.spiel
import lianzi.vector
import lianzi.zoo

MODULES = [
    lianzi, lianzi._lianzi, lianzi.arena, lianzi.bench, lianzi.course, lianzi.data, lianzi.engines, lianzi.gym, lianzi.records,
    lianzi.spiel, lianzi.vector, lianzi.zoo,
]  # fmt: skip
NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))
PAGES = [ROOT / "docs/python.md", ROOT / "docs/python.zh-CN.md"]


def documented():
    """Everything public that the package itself defines, by its full name."""
    for module in MODULES:
        yield module.__name__, module
        for name, thing in vars(module).items():
            home = getattr(thing, "__module__", None) or ""
            if name.startswith("_") or not home.startswith("lianzi") or not callable(thing):
                continue
            if home not in (module.__name__, "lianzi"):
                continue
            yield f"{module.__name__}.{name}", thing
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    if not member.startswith("_") and (callable(value) or inspect.isdatadescriptor(value)):
                        yield f"{module.__name__}.{name}.{member}", value


def test_examples_are_true():
    parser, runner, count = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), 0
    for name, thing in documented():
        test = parser.get_doctest(inspect.getdoc(thing) or "", {}, name, None, None)
        if test.examples:
            runner.run(test)
            count += 1
    assert runner.summarize(verbose=False).failed == 0 and count > 30


def test_everything_public_says_what_it_is():
    undocumented = [name for name, thing in documented() if not (getattr(thing, "__doc__", None) or "").strip()]
    # What Gymnasium and PettingZoo define they document.
    ours = [name for name in undocumented if ".gym.LianziEnv." not in name and ".zoo.Lianzi." not in name]
    assert ours == []


def test_types_are_strict():
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict"], cwd=ROOT / "python", capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_stubs_name_what_is_there():
    """Every native class and function is in the stub with the same names, and nothing else is."""
    import ast

    stub = ast.parse((ROOT / "python/lianzi/_lianzi.pyi").read_text())
    told = {}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            told[node.name] = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            told[node.name] = None
    native = {name for name in vars(lianzi._lianzi) if not name.startswith("__")}
    assert native == set(told)
    for name, members in told.items():
        if members is not None and not issubclass(getattr(lianzi._lianzi, name), Exception):
            there = {member for member in vars(getattr(lianzi._lianzi, name)) if not member.startswith("_")}
            assert there == {member for member in members if not member.startswith("_")}, name


def run(name, blocks):
    """Runs pieces of code one after another in one space, which it returns."""
    space = {"__name__": "__main__"}
    for n, source in enumerate(blocks):
        exec(compile(source, f"{name}[{n}]", "exec"), space)
    return space


def test_the_tutorial_runs_and_its_network_beats_greedy():
    """Both notebooks have the same code, so one is run."""
    codes = []
    for notebook in NOTEBOOKS:
        cells = json.loads(notebook.read_text())["cells"]
        codes.append(["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"])
        assert not any(cell.get("outputs") for cell in cells), "what a run printed is not kept"
    assert len(codes) == 2 and codes[0] == codes[1]
    assert run("tutorial", codes[0])["result"].score > 0.5


def test_the_pages_are_true():
    """What docs/python.md prints is run; the Chinese page prints the same."""
    codes = [re.findall("```python\n(.*?)```", page.read_text(), re.DOTALL) for page in PAGES]
    assert codes[0] == codes[1] and len(codes[0]) >= 7
    run("docs/python.md", codes[0])


def test_the_benchmark_prints_its_table():
    command = [sys.executable, "-m", "lianzi.bench", "--seconds", "0.03", "--json"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in printed.splitlines()]
    rates = {row["bench"]: row["steps_per_s"] for row in rows if "bench" in row}
    assert all(rate > 1000 for name, rate in rates.items() if name.startswith("lianzi"))


def test_pip_knows_what_to_install(tmp_path):
    """What pip asks maturin before it builds; that needs no compiler."""
    command = ["maturin", "pep517", "write-dist-info", "--metadata-directory", str(tmp_path), "--interpreter", sys.executable]
    program = Path(sys.executable).with_name(command[0])
    subprocess.run([str(program), *command[1:]], cwd=ROOT / "python", capture_output=True, check=True)
    (metadata,) = tmp_path.glob("*/METADATA")
    assert "Name: lianzi\n" in metadata.read_text() and "Requires-Dist: numpy" in metadata.read_text()
    assert "abi3" in (metadata.parent / "WHEEL").read_text()


def test_the_version_is_the_workspaces():
    assert f'version = "{lianzi.__version__}"' in (ROOT / "Cargo.toml").read_text()


def test_names_that_are_exported_exist():
    assert all(hasattr(lianzi, name) for name in lianzi.__all__)
