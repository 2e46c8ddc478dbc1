"""What the hook after an agent's edit costs, next to a bare start of Python, and what its advice finds.

    .venv/bin/python tests/bench/edit_hook.py [--runs N] [--texts] [--history FOLDER [COMMITS]]

Medians of N starts of each, in turn, with the time that passed and that of the processor, and the system calls of one:
python -I -S -c pass; python -c pass, which looks for packages as a script does; the command that gate install writes
for claude, for edits of tests in six languages that weaken them, of settings, of a source and of what judges.
``--texts`` reads each known change of tests/support/edited_changes.py, ``--history`` the files that commits of a
repository changed, and count what is advised on.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from verigate.advice.weaker import find_weaker, may_weaken  # noqa: E402 - the line above makes support known

_MANY = 60
EDITS: Mapping[str, tuple[str, str, str]] = {
    "Python": (
        "test_shop.py",
        "\n\ndef test_{0}():\n    assert add({0}, 1) == {0} + 1\n",
        "\ndef test_0|\n@pytest.mark.skip\ndef test_0",
    ),
    "JavaScript": (
        "shop.test.js",
        'it("adds {0}", () => {{\n  expect(add({0}, 1)).toBe({0} + 1);\n}});\n',
        'it("adds 0|it.skip("adds 0',
    ),
    "TypeScript": (
        "shop.test.ts",
        'it("adds {0}", () => {{\n  expect(add({0}, 1)).toBe({0} + 1);\n}});\n',
        "toBe(0 + 1)|toBeDefined()",
    ),
    "Go": (
        "shop_test.go",
        "func Test{0}(t *testing.T) {{\n\tif Add({0}, 1) != {0}+1 {{\n\t\tt.Fatal({0})\n\t}}\n}}\n",
        "\tif Add(0|\tt.Skip()\n\tif Add(0",
    ),
    "Rust": (
        "tests/shop.rs",
        "#[test]\nfn adds_{0}() {{\n    assert_eq!(add({0}, 1), {0} + 1);\n}}\n",
        "fn adds_0|#[ignore]\nfn adds_0",
    ),
    "Java": (
        "src/test/java/ShopTest.java",
        "  @Test void adds{0}() {{\n    assertEquals({0} + 1, Shop.add({0}, 1));\n  }}\n",
        "  @Test void adds0|  @Disabled @Test void adds0",
    ),
    "settings": ("pyproject.toml", "[tool.a{0}]\nfail_under = 90\n", "fail_under = 90|fail_under = 80"),
    "a source": ("shop.py", "def add{0}(a, b):\n    return a + b\n", "return a + b|return b + a"),
    "a policy file": ("config/adapter-plan.json", '{{"code": {{"order": ["code:{0}"]}}}}\n', "code:0|code:1"),
}
"""What is edited -> its path, what stands there many times, what becomes of the first place: old and new text."""

_SILENT = {"a source"}


def main() -> None:
    """Print a line for each command, or for each collection of changes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--texts", action="store_true")
    parser.add_argument("--history", nargs="+", metavar=("FOLDER", "COMMITS"))
    options = parser.parse_args()
    if options.history:
        print_history(options.history[0], int([*options.history, "400"][1]))
    elif options.texts:
        print_texts()
    else:
        with tempfile.TemporaryDirectory() as folder:
            print_starts(Path(folder), options.runs)


def prepare(folder: Path) -> tuple[Path, dict[str, str], str]:
    """Make a repository with each edit made; return it, the environment, and the command that claude runs."""
    root, home = folder / "repository", folder / "home"
    root.mkdir()
    home.mkdir()
    environ = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "CLAUDE_PROJECT_DIR": str(root)}
    for path, text, _ in EDITS.values():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("".join(text.format(number) for number in range(_MANY)))
    git = ("git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "x")):
        subprocess.run((*git, *words), check=True)
    install = (str(ROOT / "bin" / "gate"), "install", "--agent", "claude")
    subprocess.run(install, cwd=root, env=environ, check=True, capture_output=True)
    for path, _, edit in EDITS.values():
        old, new = edit.split("|")
        text = (root / path).read_text()
        if old not in text:
            raise SystemExit(f"{path} has no {old!r}")
        (root / path).write_text(text.replace(old, new, 1))
    settings = json.loads((root / ".claude" / "settings.json").read_text())
    return root, environ, settings["hooks"]["PostToolUse"][0]["hooks"][0]["command"]


def print_starts(folder: Path, runs: int) -> None:
    """Time each command in turn, so that what else the machine does is shared."""
    root, environ, hook = prepare(folder)
    python = str(ROOT / ".venv" / "bin" / "python")
    commands: Mapping[str, tuple[Sequence[str], str | None]] = {
        "python -I -S -c pass": ((python, "-I", "-S", "-c", "pass"), None),
        "python -c pass": ((python, "-c", "pass"), None),
        **{f"an edit: {name}": (("sh", "-c", hook), path) for name, (path, _, _) in EDITS.items()},
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    busy: dict[str, list[float]] = {name: [] for name in commands}
    for run in range(runs + 1):
        for name, (command, edited) in commands.items():
            began, before = time.perf_counter(), children_s()
            done = subprocess.run(
                command, input=sent(root, edited, run), env=environ, cwd=root, capture_output=True, check=False
            )
            if run:  # the first compiles what is kept
                times[name].append(time.perf_counter() - began)
                busy[name].append(children_s() - before)
            said = b"verigate: " in done.stdout
            if done.returncode != 0 or said is (edited is None or name.removeprefix("an edit: ") in _SILENT):
                raise SystemExit(f"{name}: {done.returncode} {done.stdout!r} {done.stderr!r}")
    calls = {
        name: count_calls(command, sent(root, edited, -1), environ, root)
        for name, (command, edited) in commands.items()
    }
    bare = [[statistics.median(measured[name]) for name in list(commands)[:2]] for measured in (busy, times)]
    print("| | processor, ms | times `-I -S -c pass` | times `-c pass` | passed, ms | times | times | system calls |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in commands:
        row = []
        for measured, (strict, usual) in zip((busy, times), bare, strict=True):
            median = statistics.median(measured[name])
            row += [f"{median * 1000:.0f}", f"{median / strict:.1f}", f"{median / usual:.1f}"]
        print(f"| {name} | {' | '.join(row)} | {calls[name]} |")


def sent(root: Path, edited: str | None, run: int) -> bytes:
    """Return what the host sends: each time of another session, so that it is said each time."""
    given = {"file_path": str(root / edited)} if edited else {}
    return json.dumps({"session_id": f"s{run}", "cwd": str(root), "tool_input": given}).encode()


def count_calls(command: Sequence[str], given: bytes, environ: Mapping[str, str], cwd: Path) -> int:
    """Count the system calls of a command and of what it starts."""
    with tempfile.NamedTemporaryFile() as traced:
        strace = ("strace", "-f", "-o", traced.name, "--", *command)
        subprocess.run(strace, input=given, env=environ, cwd=cwd, capture_output=True, check=True)
        return sum(b" +++ " not in line and b" --- " not in line for line in traced.read().splitlines())


def children_s() -> float:
    """Seconds of the processor that ended processes took, those that they started included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def print_texts() -> None:
    """Count the changes of each collection that are advised on: weakening ones, and legitimate ones."""
    from edited_changes import list_changes

    all_of: Counter[tuple[str, bool]] = Counter()
    advised: Counter[tuple[str, bool]] = Counter()
    for change in list_changes():
        kind = change.collection, change.weakens
        all_of[kind] += 1
        advised[kind] += any(may_weaken(path, new) and find_weaker(path, old, new) for path, old, new in change.files)
    for (collection, weakens), count in all_of.items():
        what = "weakening" if weakens else "legitimate"
        print(f"{collection:<10} {what:<10} {advised[collection, weakens]:>4} of {count}")


def print_history(folder: str, commits: int) -> None:
    """Count the changed files of a repository's last commits that would have been advised on."""
    files, advised = 0, 0
    for path, before, after in read_history(folder, commits):
        files += 1
        if may_weaken(path, after) and (found := find_weaker(path, before, after)):
            advised += 1
            print(f"{path}: {found[0][1][:120]}")
    print(f"{advised} of {files} files, {advised / max(files, 1):.1%}")


def read_history(folder: str, commits: int) -> Iterator[tuple[str, str, str]]:
    """Yield path, old and new text of each file that a commit changed."""

    def git(*words: str) -> bytes:
        return subprocess.run(("git", "-C", folder, *words), capture_output=True, check=True).stdout

    for commit in git("log", "--no-merges", "--format=%H", f"-{commits}").decode().split():
        shown = (
            git("diff-tree", "-r", "--root", "--no-commit-id", "--diff-filter=M", "-z", commit)
            .decode("utf-8", "replace")
            .split("\0")
        )
        for head, path in zip(shown[::2], shown[1::2], strict=False):
            _, _, old, new, _ = head.split(" ")
            before, after = (git("cat-file", "blob", each).decode("utf-8", "replace") for each in (old, new))
            yield path, before, after


if __name__ == "__main__":
    main()
