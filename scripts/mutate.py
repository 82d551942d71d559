"""Sample mutants of the package's files, run the tests of each file, and print the score by file."""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    file: Path
    line: int
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before}  ->  {self.after}"


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes to put in the place of this one."""
    if isinstance(node, ast.Compare):
        for k, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                changed = copy.deepcopy(node)
                changed.ops[k] = other()
                yield changed
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        value = node.value
        yield ast.Constant(not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else value * 2)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield ast.Pass()


def left_out(tree: ast.Module) -> set[int]:
    """Nodes that are not code that runs: annotations, decorators, `__all__`, and what type checkers alone see."""
    roots: list[ast.AST | None] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            roots += [*node.decorator_list, getattr(node, "returns", None)]
        elif isinstance(node, (ast.arg, ast.AnnAssign)):
            roots.append(node.annotation)
        elif isinstance(node, ast.Assign):
            roots.append(node if ast.unparse(node.targets[0]) == "__all__" else None)
        elif isinstance(node, ast.If):
            roots.append(node if "TYPE_CHECKING" in ast.unparse(node.test) else None)
    return {id(node) for root in roots if root is not None for node in ast.walk(root)}


def mutants(file: Path, root: Path = ROOT) -> list[Mutant]:
    """All mutants of a file."""
    source = (root / file).read_text(encoding="utf-8")
    tree = ast.parse(source)
    skipped = left_out(tree)
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    raw = source.encode()
    found = []
    for node in ast.walk(tree):
        if id(node) in skipped or isinstance(getattr(node, "value", None), str):
            continue
        for changed in changes(node):
            begin = starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
            end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
            after = ast.unparse(ast.fix_missing_locations(changed))
            text = f"({after})" if isinstance(changed, ast.expr) else after
            mutated = (raw[:begin] + text.encode() + raw[end:]).decode()
            try:
                ast.parse(mutated)
            except SyntaxError:  # inside a formatted string
                continue
            before = " ".join(raw[begin:end].decode().split())
            found.append(Mutant(file, node.lineno, before[:70], after[:70], mutated))  # type: ignore[attr-defined]
    return found


def stages_of(file: Path, root: Path = ROOT) -> list[list[str]]:
    """The tests to run on a mutant of a file: those of the module and its doctests, then those of its package."""
    inside = file.relative_to("ircor")
    folder = Path("tests", *inside.parts[:-1])
    own = folder / f"test_{inside.stem.strip('_') if inside.stem != '__init__' else 'init'}.py"
    first = [str(path) for path in (own, file) if (root / path).is_file()]
    wider = [str(folder)] if len(inside.parts) > 1 and (root / folder).is_dir() else []
    return [first, *([wider] if wider else [])]


class Workplace:
    """A copy of the tree in which files are mutated; the checkout is never touched."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        unwanted = shutil.ignore_patterns(".git", ".venv*", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, self.root, ignore=unwanted, symlinks=True)

    def passes(self, targets: list[str], timeout: float | None) -> bool:
        command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not r", *targets]
        environment = os.environ | {"PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                command, cwd=self.root, env=environment, capture_output=True, timeout=timeout, check=False, text=True
            )
        except subprocess.TimeoutExpired:
            return False
        self.said = done.stdout + done.stderr
        return done.returncode in (0, 5)  # 5: no tests

    def survives(self, mutant: Mutant, stages: list[list[str]], timeout: float) -> bool:
        """Whether the tests pass on the mutant."""
        path = self.root / mutant.file
        original = path.read_text(encoding="utf-8")
        path.write_text(mutant.source, encoding="utf-8")
        try:
            return all(self.passes(targets, timeout) for targets in stages)
        finally:
            path.write_text(original, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of ircor/, or a quoted pattern")
    parser.add_argument("--count", type=int, default=10, help="mutants of each file (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default: 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at a time (default: processors)")
    parser.add_argument("--all", action="store_true", help="run all tests on those that survive their own")
    options = parser.parse_args()
    files = sorted({path.relative_to(ROOT) for pattern in options.files for path in ROOT.glob(pattern)})
    if not files:
        parser.error(f"no file of the checkout matches {' '.join(options.files)}")
    with tempfile.TemporaryDirectory() as folder:
        free: SimpleQueue[Workplace] = SimpleQueue()
        for k in range(options.jobs):
            free.put(Workplace(Path(folder) / str(k)))
        rows = []
        for file in files:
            every = mutants(file)
            chosen = random.Random(f"{options.seed} {file}").sample(every, min(options.count, len(every)))
            stages = stages_of(file) + ([["tests"]] if options.all else [])
            rows.append((file, len(every), run(free, chosen, stages, options.jobs)))
    print(f"\n{'file':<40}{'of':>6}{'mutants':>9}{'killed':>8}{'score':>8}")
    for file, count, outcomes in rows:
        killed = sum(not survived for _, survived in outcomes)
        score = f"{killed / len(outcomes):.0%}" if outcomes else "-"
        print(f"{file!s:<40}{count:>6}{len(outcomes):>9}{killed:>8}{score:>8}")
    for mutant in (mutant for _, _, outcomes in rows for mutant, survived in outcomes if survived):
        print(f"survived  {mutant}")
    return 0


def run(
    free: SimpleQueue[Workplace], chosen: list[Mutant], stages: list[list[str]], jobs: int
) -> list[tuple[Mutant, bool]]:
    """Each mutant, and whether it survived."""
    place = free.get()
    begin = time.monotonic()
    if not all(place.passes(targets, None) for targets in stages):
        raise SystemExit(f"the tests fail without any mutant: {stages}\n{place.said}")
    timeout = 10 + 4 * (time.monotonic() - begin)
    free.put(place)

    def one(mutant: Mutant) -> tuple[Mutant, bool]:
        place = free.get()
        try:
            return mutant, place.survives(mutant, stages, timeout)
        finally:
            free.put(place)

    with ThreadPoolExecutor(jobs) as pool:
        outcomes = []
        for mutant, survived in pool.map(one, chosen):
            print(f"{'survived' if survived else 'killed':<10}{mutant}", flush=True)
            outcomes.append((mutant, survived))
    return outcomes


if __name__ == "__main__":
    sys.exit(main())
