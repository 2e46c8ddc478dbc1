"""Commit, verify and push of one tree run the project's own suite once; anything that differs runs it again."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest
from gated_repository import Done, GatedRepository
from sample_repository import SampleRepository

NAMES = ["code:diff", "code:tests"]
ENTRY = {"order": NAMES, "required": NAMES, "optional": []}
SUITE = "import calc\n\n\ndef test_add():\n    assert calc.add(1, 2) == 3\n"
CALC = "def add(a, b):\n    return a + b\n"
FILES = {
    ".gitignore": ".artifacts/\n__pycache__/\n",
    "config/adapter-plan.json": {"code": ENTRY},
    "config/verification.profiles.json": {"code_default": {"tests_pass": True}},
    "test_calc.py": SUITE,
    "calc.py": CALC,
}


class Shop:
    """A project with pytest, the gate's hooks and a remote. ``runs`` counts what really ran since the last look."""

    def __init__(self, repository: GatedRepository) -> None:
        self.repository = repository
        self.remote = repository.home / "remote.git"
        self.environ = {name: value for name, value in repository.environ().items() if name != "CI"}
        self.seen = ""

    def git(self, *arguments: str, code: int = 0, **environ: str) -> str:
        done = subprocess.run(
            ("git", "-c", "user.name=A", "-c", "user.email=a@b.c", *arguments),
            cwd=self.repository.root, env={**self.environ, **environ}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def verify(self, *arguments: str, code: int = 0, **environ: str) -> Done:
        done = self.repository.gate("verify", "--quiet", *arguments, **environ)
        assert done.code == code, done.output
        return done

    def ran(self, task_id: str) -> bool:
        """Whether pytest was started by the run that is published."""
        (call,) = [
            call
            for call in self.repository.published("run.json", task_id)["invocations"]
            if call["capability"] == "code:tests"
        ]
        return not call["cached"]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    repository = GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    repository.tmp.mkdir(parents=True)
    for name, content in FILES.items():
        repository.put(name, content)
    repository.sample.commit("the base")
    made = Shop(repository)
    made.git("init", "-q", "--bare", str(made.remote))
    made.git("remote", "add", "origin", str(made.remote))
    made.git("push", "-q", "origin", "HEAD:main")
    made.git("fetch", "-q")
    assert repository.gate("install").code == 0
    return made


def change(shop: Shop, content: str = CALC + "\n\n# more\n") -> None:
    shop.repository.put("calc.py", content)
    shop.git("add", "calc.py")


def test_commit_verify_and_push_run_the_suite_once(shop: Shop) -> None:
    assert shop.repository.gate("start", "T1").code == 0
    shop.repository.claim("file:calc.py")
    change(shop)
    shop.git("commit", "-q", "-m", "More")
    assert shop.ran("T1")
    done = shop.verify("T1")
    assert not shop.ran("T1")
    assert "PASS" in done.out
    shop.git("push", "origin", "HEAD:main")
    assert not shop.ran("T1")
    # The evidence is whole, and decides what it decided.
    assert shop.repository.gate("replay", "T1").code == 0
    assert shop.repository.published("tests.json", "T1")["passed"] == 1
    assert shop.repository.gate("output", "T1", "code:tests").code == 0


@pytest.mark.release
def test_who_verifies_by_hand_first_commits_and_pushes_without_another_run(shop: Shop) -> None:
    change(shop)
    shop.verify("--staged")
    assert shop.ran("implicit")
    shop.git("commit", "-q", "-m", "More")
    assert not shop.ran("implicit")
    shop.git("push", "-q", "origin", "HEAD:main")
    assert not shop.ran("implicit")
    shop.verify("--ref", "HEAD")
    assert not shop.ran("implicit")


@pytest.mark.release
def test_what_failed_runs_again(shop: Shop) -> None:
    change(shop, CALC.replace("+", "-"))
    for _ in range(2):
        shop.git("commit", "-q", "-m", "Less", code=1)
        assert shop.ran("implicit")


@pytest.mark.release
def test_a_pass_by_luck_is_not_reused(shop: Shop) -> None:
    """A test that fails every other time: the pass that follows a failure with the same key serves nobody."""
    shop.repository.put("test_calc.py", "import random\n\n\ndef test_add():\n    assert random.random() < 0.5\n")
    shop.git("add", "test_calc.py")
    shop.git("commit", "-q", "-m", "By luck", "--no-verify")
    for attempt in itertools.count():
        change(shop, f"{CALC}\n\n# {attempt}\n")  # a pass that comes first is reused, rightly: another tree
        code = shop.repository.gate("verify", "--quiet", "--staged").code
        if code != 0:
            break
    while code == 1:
        code = shop.repository.gate("verify", "--quiet", "--staged").code
    assert code == 0
    for _ in range(4):
        shop.repository.gate("verify", "--quiet", "--staged", "--touched")
        assert shop.ran("implicit")


def test_another_base_or_tree_runs_again(shop: Shop) -> None:
    assert shop.repository.gate("start", "T1").code == 0
    shop.repository.claim("file:calc.py")
    change(shop)
    shop.git("commit", "-q", "-m", "More")
    shop.repository.put("calc.py", CALC + "\n\n# even more\n")
    shop.verify("T1")
    assert shop.ran("T1")
    shop.repository.put("calc.py", CALC + "\n\n# more\n")
    shop.verify("T1")
    assert not shop.ran("T1")
    shop.git("commit", "-q", "--allow-empty", "-m", "Nothing", "--no-verify")
    shop.verify("T1", "--ref", "HEAD", "--base", "HEAD~1", code=1)
    assert shop.ran("T1")


@pytest.mark.release
def test_another_claim_runs_only_what_sees_it(shop: Shop) -> None:
    shop.repository.put(
        "config/adapter-plan.json",
        {"code": {**ENTRY, "order": [*NAMES, "code:functions"], "optional": ["code:functions"]}},
    )
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", "The plan", "--no-verify")
    assert shop.repository.gate("start", "T1").code == 0
    shop.repository.claim("file:calc.py", "func:subtract")
    change(shop)
    shop.verify("T1", code=1)
    assert shop.ran("T1")
    shop.repository.claim("file:calc.py", "func:add", statements=["All tests pass."])
    change(shop)
    shop.verify("T1", code=1)
    found = {call["capability"]: call["cached"] for call in shop.repository.published("run.json", "T1")["invocations"]}
    assert found == {"code:diff": True, "code:tests": True, "code:functions": False}


@pytest.mark.release
def test_another_profile_decides_on_the_same_evidence(shop: Shop) -> None:
    assert shop.repository.gate("start", "T1").code == 0
    shop.repository.claim("file:calc.py")
    change(shop)
    shop.verify("T1")
    assert shop.repository.gate("verify", "T1", "--quiet", "--profile", "code_prototype").code == 0
    assert not shop.ran("T1")


@pytest.mark.release
@pytest.mark.parametrize(
    ("arguments", "environ"),
    [
        (("--no-cache",), {}),
        ((), {"CI": "true"}),
        ((), {"TZ": "Asia/Tokyo"}),
        ((), {"PATH": f"/:{os.environ['PATH']}"}),
    ],
)
def test_ci_no_cache_and_other_settings_run_again(
    shop: Shop, arguments: tuple[str, ...], environ: dict[str, str]
) -> None:
    assert shop.repository.gate("start", "T1").code == 0
    shop.repository.claim("file:calc.py")
    change(shop)
    shop.git("commit", "-q", "-m", "More")
    shop.verify("T1", *arguments, **environ)
    assert shop.ran("T1")


@pytest.mark.release
def test_other_dependencies_run_again(shop: Shop) -> None:
    packages = shop.repository.root / "node_modules/.bin"
    packages.mkdir(parents=True)
    shop.repository.put(".gitignore", FILES[".gitignore"] + "node_modules/\n")
    shop.repository.put("package.json", {"name": "shop"})
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", "A package", "--no-verify")
    assert shop.repository.gate("start", "T1").code == 0
    shop.repository.claim("file:calc.py")
    change(shop)
    shop.git("add", "--all")
    shop.git("commit", "-q", "-m", "More")
    shop.verify("T1")
    assert not shop.ran("T1")
    (packages.parent / "installed").mkdir()
    shop.verify("T1")
    assert shop.ran("T1")


def test_an_entry_that_is_old_forged_or_cut_runs_again(shop: Shop) -> None:
    assert shop.repository.gate("start", "T1").code == 0
    shop.repository.claim("file:calc.py")
    change(shop)
    shop.git("commit", "-q", "-m", "More")
    entries = (shop.repository.home / ".cache/verigate/runs").glob("*/*")
    kept = {path: path.read_bytes() for path in entries}
    assert len(kept) == len(NAMES)
    breaks: tuple[Callable[[bytes], bytes], ...] = (
        lambda _: b"",
        lambda content: content[:-1],
        lambda content: content.replace(b"key", b"kex"),
        lambda content: b"0" * 64 + content[64:],
    )
    for broken in breaks:
        for path, content in kept.items():
            path.write_bytes(broken(content))
        shop.verify("T1")
        assert shop.ran("T1")
    for path, content in kept.items():
        path.write_bytes(content)
    shop.verify("T1")
    assert not shop.ran("T1")


@pytest.mark.release
def test_a_commit_after_an_agent_s_turn_runs_nothing(shop: Shop) -> None:
    assert shop.repository.gate("start", "T1").code == 0
    shop.repository.claim("file:calc.py")
    change(shop)
    turn = "from pathlib import Path; from verigate.composition.agent_gate import RepositoryGate; import os; "
    turn += "assert RepositoryGate(Path.cwd(), os.environ).verify('T1', None, reported=False).passed"
    subprocess.run((sys.executable, "-c", turn), cwd=shop.repository.root, env=shop.environ, check=True)
    assert shop.ran("T1")
    shop.git("commit", "-q", "-m", "More")
    assert not shop.ran("T1")


def test_what_saw_a_network_or_no_sandbox_runs_again(tmp_path: Path) -> None:
    for network, rules in ((True, {"tests_pass": True}), (False, {"tests_pass": True, "sandbox": "off"})):
        folder = tmp_path / str(network)
        folder.mkdir()
        repository = gr.make(folder, {"tests.json": lf.GOOD["tests.json"]}, rules)
        document = json.loads((repository.root / "adapters/facts/manifest.json").read_text())
        document["sandbox"]["network"] = network
        repository.put("adapters/facts/manifest.json", document)
        repository.sample.commit("a network")
        repository.begin()
        repository.claim(statements=["All tests pass."])
        for _ in range(2):
            done = repository.gate("verify", "T1", "--touched", "--quiet")
            assert done.code == 0, done.output
            (call,) = repository.published("run.json")["invocations"]
            assert not call["cached"]


def test_an_hour_later_it_runs_again(tmp_path: Path) -> None:
    from verigate.execution.evidence_cache import EvidenceCache
    from verigate.usecases.kept_evidence import REUSED_FOR_S, EvidenceStore

    moments = iter(["2026-01-01T10:00:00.000Z", "2026-01-01T10:59:59.000Z", "2026-01-01T11:00:00.000Z"])
    cache = EvidenceCache(tmp_path / "runs", tmp_path / "key")
    store = EvidenceStore(cache, EvidenceCache(tmp_path / "outcomes", tmp_path / "key"), lambda: next(moments))
    begun = next(moments)
    assert store.measure_age(begun) < REUSED_FOR_S
    assert store.measure_age(begun) == REUSED_FOR_S
    cache.store("a" * 64, {"x": b"1"})
    (entry,) = (tmp_path / "runs").glob("*/*")
    os.utime(entry, (time.time() - 60, time.time() - 60))
    cache.remove_older_than(3600)
    assert cache.lookup("a" * 64) == {"x": b"1"}
    # Looked at a moment ago: not again within a tenth of the time, nor where the clock was set back.
    cache.remove_older_than(50)
    assert cache.lookup("a" * 64) == {"x": b"1"}
    looked = tmp_path / "runs" / ".removed"
    os.utime(looked, (time.time() - 6, time.time() - 6))
    cache.remove_older_than(50)
    assert cache.lookup("a" * 64) is None
    cache.store("a" * 64, {"x": b"1"})
    (entry,) = (tmp_path / "runs").glob("*/*")
    os.utime(entry, (time.time() - 60, time.time() - 60))
    os.utime(looked, (time.time() + 600, time.time() + 600))
    cache.remove_older_than(50)
    assert cache.lookup("a" * 64) is None
