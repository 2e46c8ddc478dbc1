"""Say requests to ``gate do`` in a folder of real files, run what their author would, and compare what is there.

    python tests/bench/spoken_requests.py [--batch NAME ...] [--only ID ...] [--show OUTCOME ...]

The requests of ``tests/corpus/requests`` were written by people who had not seen the tools' words; each has the
commands that do what it asks, or none where a careful human refuses. Each is said in a copy of the folder that
``world.sh`` makes, with ``--yes``, and each of its commands is run in a copy of its own. Outcomes:

right      what is there afterwards is the same, and so is what was run, where that changes nothing
refused    nothing was run, and a command was expected
refusal    nothing was run, and nothing was expected
wrong      something else is there, or something was run and nothing was expected
accepted   it differs from what its author wrote and is right all the same: ``judged.json`` says why
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CORPUS = HERE.parent / "corpus" / "requests"
sys.path.insert(0, str(HERE.parent / "support"))

import shipped_tools  # noqa: E402 - the folder was just added

GATE = Path(sys.prefix) / "bin" / "gate"
_described: dict[tuple[str, str], str] = {}
OUTCOMES = ("right", "accepted", "refusal", "refused", "wrong")
PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".gif", ".tiff", ".tif", ".avif", ".heic"}
MEDIA = {".mp4", ".mov", ".mkv", ".webm", ".avi", ".mp3", ".wav", ".flac", ".ogg", ".opus", ".m4a", ".aac", ".m4v"}
KEPT_BY_TOOLS = {".git", ".ruff_cache", ".mypy_cache"}
BOUND_BY_TEXT = {".docx", ".odt", ".epub", ".pptx"}


class Bench:
    """The folder of the requests, and the programs that are run in copies of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.world = folder / "world"
        subprocess.run((CORPUS / "world.sh", self.world), check=True, capture_output=True)
        path = f"{shipped_tools.programs(folder / 'programs')}:{os.defpath}"
        kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR") if name in os.environ}
        home = folder / "home"
        home.mkdir()
        self.environ = {**kept, "PATH": path, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
        self.before = describe(self.world, self.environ)

    def judge(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the request with its outcome, and what was run."""
        place = self._copy(request["id"], "said")
        call = (GATE, "do", "--json", "--yes", request["say"])
        done = subprocess.run(
            call,
            check=False,
            cwd=place,
            env=self.environ,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=300,
        )
        try:
            document = json.loads(done.stdout)
        except ValueError:
            document = {"commands": [], "problem": done.stderr[-400:]}
        ran, after = bool(document.get("ran")), describe(place, self.environ)
        commands = document.get("commands") or []
        found = {**request, "ran": [shlex.join(each) for each in commands] if ran else [], "exit": done.returncode}
        found["said"] = document.get("problem") or [each["message"] for each in document.get("faults", ())]
        if not ran:
            found["outcome"] = "refusal" if request["expect"] == "refuse" else "refused"
            if after != self.before:
                found |= {"outcome": "wrong", "differs": differ(self.before, after)}
        elif request["expect"] == "refuse":
            found["outcome"] = "wrong"
        else:
            found |= self._compare(request, commands, after)
        shutil.rmtree(place.parent)
        return found

    def _compare(self, request: dict[str, Any], commands: list[list[str]], after: dict[str, str]) -> dict[str, Any]:
        differences = []
        for at, command in enumerate(request["commands"]):
            place = self._copy(request["id"], f"meant-{at}")
            subprocess.run(
                ("bash", "-c", command),
                check=False,
                cwd=place,
                env=self.environ,
                capture_output=True,
                stdin=subprocess.DEVNULL,
            )
            meant = describe(place, self.environ)
            if meant == after != self.before:
                return {"outcome": "right"}
            if meant == after and is_same_question(command, commands, self.before.keys()):
                return {"outcome": "right"}
            differences.append(differ(meant, after) or f"another command than {command}")
        return {"outcome": "wrong", "differs": differences}

    def _copy(self, *names: str) -> Path:
        # All copies have the same path but for one part, and so has what a tool writes of it.
        place = self.folder.joinpath(*names) / "shop"
        shutil.copytree(self.world, place, symlinks=True)
        subprocess.run(("git", "update-index", "-q", "--refresh"), cwd=place, env=self.environ, check=False)
        return place


def describe(folder: Path, environ: dict[str, str]) -> dict[str, str]:
    """Return what is in a folder: path -> kind, mode and content, and what git knows of it.

    Pictures, sounds, videos and documents are described by their properties, archives by their members.
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.relative_to(folder).parts[0] in KEPT_BY_TOOLS:
            continue
        mode = path.lstat().st_mode
        if path.is_symlink():
            found[name] = f"link {path.readlink()}"
        elif path.is_dir():
            found[name] = f"folder {mode & 0o777:o}"
        else:
            found[name] = f"{mode & 0o777:o} {describe_file(path, environ)}"
    if (folder / ".git").exists():
        for asked in (("status", "--porcelain=v1", "-z"), ("ls-files", "-s", "-z"), ("rev-parse", "HEAD")):
            done = subprocess.run(("git", *asked), check=False, cwd=folder, env=environ, capture_output=True)
            found[f"git {asked[0]}"] = hashlib.sha256(done.stdout).hexdigest()
    return found


def describe_file(path: Path, environ: dict[str, str]) -> str:
    """Return a file's content in the terms of its kind. Most files are the same in every copy."""
    key = (hashlib.sha256(path.read_bytes()).hexdigest()[:16], path.suffix.lower())
    if key not in _described:
        _described[key] = _describe_new(path, environ, key[0])
    return _described[key]


def _describe_new(path: Path, environ: dict[str, str], own: str) -> str:
    def ask(*call: str) -> str | None:
        done = subprocess.run(
            (*call, str(path)), env=environ, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        return done.stdout.strip() if done.returncode == 0 and done.stdout.strip() else None

    suffix = path.suffix.lower()
    told = None
    if tarfile.is_tarfile(path):
        return describe_archive(path)
    if suffix in PICTURES:
        told = ask("identify", "-format", "%m %wx%h %[colorspace] %#\n")
    elif suffix in MEDIA:
        entries = "stream=codec_name,width,height,sample_rate,bit_rate:format=format_name,duration"
        told = ask("ffprobe", "-v", "error", "-of", "json", "-show_entries", entries)
        told = None if told is None else round_values(told)
    elif suffix in BOUND_BY_TEXT:
        told = ask("pandoc", "-t", "native")
    return own if told is None else f"{told}"


def round_values(told: str) -> str:
    """Return what ffprobe tells, durations in tenths of a second and without what the encoder chose by itself."""
    document = json.loads(told)
    for item in [*document.get("streams", ()), document.get("format", {})]:
        if "duration" in item:
            item["duration"] = round(float(item["duration"]), 1)
        if "bit_rate" in item:
            item["bit_rate"] = round(int(item["bit_rate"]), -4)
    return json.dumps(document, sort_keys=True)


def describe_archive(path: Path) -> str:
    """Return compression and members of an archive, without order and times."""
    with path.open("rb") as file:
        magic = file.read(2).hex()
    with tarfile.open(path) as archive:
        members = sorted(
            (each.name.removeprefix("./").rstrip("/"), each.size) for each in archive.getmembers() if not each.isdir()
        )
    return f"archive {magic if magic in {'1f8b', 'fd37', '425a', '28b5'} else 'plain'} {members}"


def differ(meant: dict[str, str], there: dict[str, str]) -> dict[str, list[str | None]]:
    """Return what two descriptions have different."""
    names = sorted(name for name in meant.keys() | there.keys() if meant.get(name) != there.get(name))
    return {name: [meant.get(name), there.get(name)] for name in names}


def is_same_question(command: str, commands: list[list[str]], paths: AbstractSet[str]) -> bool:
    """Whether commands that change nothing are the same program, asked the same about the same paths."""
    try:
        words = shlex.split(command.replace("&&", " ").replace(";", " "))
    except ValueError:
        return False
    programs, meant = {each[0] for each in commands}, {_shorten(word) for word in words}
    asked = {_shorten(part) for each in commands for word in each for part in (word, word.rpartition("=")[2])}
    own = {word for word in meant if not word.startswith("-") and word not in {".", *programs}}
    return bool(programs & meant) and own <= asked and paths & asked <= own


def _shorten(word: str) -> str:
    return word.removeprefix("./").rstrip("/")


def bound_share(found: int, of: int) -> float:
    """Return the one-sided 95 % upper bound of a share, exact for a binomial (Clopper and Pearson, 1934)."""
    low, high = found / of, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        at_most = sum(math.comb(of, k) * middle**k * (1 - middle) ** (of - k) for k in range(found + 1))
        low, high = (middle, high) if at_most > 0.05 else (low, middle)
    return high


def read_batch(name: str) -> list[dict[str, Any]]:
    """Return the requests of a file."""
    lines = (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [{"batch": name, **json.loads(line)} for line in lines if line.strip()]


def main() -> int:
    """Judge the requests, and print how many had which outcome."""
    batches = sorted(path.stem for path in CORPUS.glob("*.jsonl"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", nargs="*", default=batches, choices=batches)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--show", nargs="*", default=["wrong"], choices=OUTCOMES)
    parser.add_argument("--lanes", type=int, default=2)
    parser.add_argument("--out", type=Path, help="a file for every judged request, as JSON lines")
    asked = parser.parse_args()
    requests = [each for name in asked.batch for each in read_batch(name)]
    if asked.only:
        requests = [each for each in requests if each["id"] in asked.only]
    judged = json.loads((CORPUS / "judged.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="requests-") as folder, ThreadPoolExecutor(asked.lanes) as pool:
        bench = Bench(Path(folder))
        found = list(pool.map(bench.judge, requests))
    for each in found:
        settled = judged.get(each["id"])
        if settled and each["outcome"] in {"wrong", "refused"} and each["ran"] == settled["ran"]:
            each |= {"outcome": "accepted" if each["ran"] else "refusal", "because": settled["why"]}
    if asked.out:
        asked.out.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in found), encoding="utf-8")
    for each in found:
        if each["outcome"] in asked.show:
            print(f"{each['outcome']:9} {each['id']}  {each['say']}")
            for name in ("ran", "said", "commands", "differs", "why", "because"):
                if each.get(name):
                    print(f"    {name}: {str(each[name])[:600]}")
    print_tables(asked.batch, found)
    return 0


def print_tables(batches: list[str], found: list[dict[str, Any]]) -> None:
    """Print outcomes by batch, by level, and the shares that matter."""
    print(f"\n{'':22}" + "".join(f"{name:>10}" for name in OUTCOMES))
    for name in batches:
        for level in (1, 2, 3):
            counts = Counter(each["outcome"] for each in found if (each["batch"], each["level"]) == (name, level))
            if counts:
                print(f"{name:14} level {level} " + "".join(f"{counts[outcome]:>10}" for outcome in OUTCOMES))
    for name, chosen in (*((each, [each]) for each in batches), ("all", batches)):
        mine = [each for each in found if each["batch"] in chosen]
        counts = Counter(each["outcome"] for each in mine)
        expected = [each for each in mine if each["expect"] == "run" and each.get("because") != "beyond"]
        right = sum(each["outcome"] in {"right", "accepted"} for each in expected)
        if not mine or not expected:
            continue
        print(
            f"{name}: {len(mine)} requests, {counts['wrong']} wrong ({counts['wrong'] / len(mine):.1%}, at most "
            f"{bound_share(counts['wrong'], len(mine)):.1%} by the 95 % upper bound); {right} of {len(expected)} that "
            f"can be done are right ({right / len(expected):.1%})"
        )


if __name__ == "__main__":
    raise SystemExit(main())
