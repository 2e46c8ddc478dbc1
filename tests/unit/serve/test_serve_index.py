"""The index: made from task folders, brought up to date, asked for queue and history."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import literal_facts as literal
import published_tasks as published
import pytest

from verigate.serve.index import entry, refresh
from verigate.serve.index.database import IndexFile
from verigate.serve.index.history import read_history
from verigate.serve.index.place import find_index_place
from verigate.serve.index.queue import PAGE_SIZE, Queue, QueueFilter, read_queue
from verigate.serve.index.refresh import IndexRefresher, Refreshed
from verigate.serve.repositories import ServedRepository, find_repositories, name_repositories
from verigate.serve.task_state import TaskState, read_task

RULES = {"tests_pass": True, "lint_clean": True}
PATHS = ("diff.json", "diff_names.json", "tests.json", "lint.json")
GOOD = {path: literal.GOOD[path] for path in PATHS}
BAD = {path: literal.BAD[path] for path in PATHS}
NOW = 1_793_620_800.0 + 3600  # an hour after published.MOMENT


class Indexed:
    """A repository with an index."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "shop"
        self.root.mkdir()
        self.repository = ServedRepository("shop", self.root)
        self.index = IndexFile(folder / "index.sqlite")
        self.refresher = IndexRefresher(self.index, os.environ)

    def refresh(self) -> Refreshed:
        return self.refresher.refresh([self.repository])

    def queue(self, words: str = "", *, ended: bool = False, page: int = 1, **facets: str) -> Queue:
        with self.index.reading() as connection:
            return read_queue(connection, QueueFilter(facets, words, ended, page), NOW)

    def names(self, words: str = "", **facets: str) -> list[str]:
        return [row.task_id for row in self.queue(words, **facets).rows]


@pytest.fixture
def indexed(tmp_path: Path) -> Indexed:
    return Indexed(tmp_path)


def fill(root: Path) -> None:
    published.publish_task(root, "good", GOOD, RULES, statements=["All tests pass."], actor="hook:claude")
    published.publish_task(root, "bad", BAD, RULES, statements=["Every link works."], actor="alice", task_type="docs")
    published.publish_task(root, "bent", GOOD, RULES, adapter="other")
    verdict = root / ".artifacts/bent/verdict.json"
    verdict.write_text(verdict.read_text().replace('"expected": true', '"expected": false', 1))
    (root / ".artifacts/begun").mkdir()
    (root / ".artifacts/begun/commitment.json").write_text('{"task_id": "begun", "type": "code"}')


def test_what_fails_comes_first_and_a_broken_seal_before_all(indexed: Indexed) -> None:
    fill(indexed.root)
    done = indexed.refresh()
    assert (len(done.read), done.removed, done.tasks, done.is_change) == (4, 0, 4, True)
    queue = indexed.queue()
    assert [(row.task_id, row.state.value) for row in queue.rows] == [
        ("bent", "broken"),
        ("bad", "fail"),
        ("begun", "open"),
        ("good", "pass"),
    ]
    bent, bad, begun, good = queue.rows
    assert "does not follow from its evidence" in bent.note
    assert bad.note == "LINT_FAIL: 1 lint error, at most 0 allowed (and 2 more)"
    assert (bad.author, bad.agent, bad.problems > 0) == ("alice", "", True)
    assert (good.author, good.agent, good.problems, good.statements) == ("", "claude", 0, 1)
    assert (begun.type, begun.note, begun.checks) == ("code", "no verdict yet", 0)


def test_only_what_changed_is_read_again(indexed: Indexed) -> None:
    fill(indexed.root)
    indexed.refresh()
    assert not indexed.refresh().is_change
    evidence = indexed.root / ".artifacts/good/tests.json"
    times = evidence.stat()
    evidence.write_bytes(evidence.read_bytes().replace(b'"failed": 0', b'"failed": 9'))
    # Size and mtime as they were: only the ctime shows it.
    os.utime(evidence, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert indexed.refresh().read == (("shop", "good"),)
    assert set(indexed.names(status="broken")) == {"good", "bent"}
    published.publish_task(indexed.root, "bad", GOOD, RULES)
    for path in (indexed.root / ".artifacts/begun").iterdir():
        path.unlink()
    (indexed.root / ".artifacts/begun").rmdir()
    done = indexed.refresh()
    assert (done.read, done.removed) == ((("shop", "bad"),), 1)
    assert indexed.names(status="pass") == ["bad"]
    assert indexed.queue().tasks == 3
    assert indexed.names("link") == []  # the statements of the verdict before are forgotten


def test_facets_and_words_choose(indexed: Indexed) -> None:
    fill(indexed.root)
    published.publish_task(indexed.root, "old", GOOD, RULES, finished="2026-01-05T12:00:00.000Z", actor="alice")
    indexed.refresh()
    assert set(indexed.names(author="alice")) == {"bad", "old"}
    assert indexed.names(author="alice", age="older") == ["old"]
    assert indexed.names(type="docs") == ["bad"]
    assert indexed.names(agent="claude") == ["good"]
    assert set(indexed.names(adapter="code")) == {"bad", "good", "old"}
    assert indexed.names(age="nonsense") == indexed.names(status="nonsense") == []
    assert indexed.names("every link") == ["bad"]
    assert indexed.names("pas") == ["good"]  # a word that begins so
    assert indexed.names("goo") == ["good"]  # by its name
    assert "bad" in indexed.names("TEST_FAIL")  # by a reason
    for hostile in ('" OR 1', "%", "a_l", "'; DROP TABLE task; --", "NEAR(", "*", "\x00", "a" * 5000, "\\"):
        assert indexed.names(hostile) == [], hostile
    facets = {facet.name: {each.value: each.count for each in facet.values} for facet in indexed.queue().facets}
    assert facets["status"] == {"broken": 1, "fail": 1, "open": 1, "pass": 2}
    assert facets["author"] == {"alice": 2}
    # Of the facet that is chosen the other values can be counted as well.
    chosen = {facet.name: facet.values for facet in indexed.queue(author="alice").facets}
    assert [(each.value, each.count, each.chosen) for each in chosen["author"]] == [("alice", 2, True)]
    assert {each.value: each.count for each in chosen["status"]} == {"fail": 1, "pass": 1}


def test_ended_tasks_are_left_out_until_asked_for(indexed: Indexed) -> None:
    fill(indexed.root)
    (indexed.root / ".artifacts/good/ENDED").write_text("2026-11-02T12:00:00Z\n")
    (indexed.root / ".artifacts/bad/UNVERIFIED").write_text("{}")
    indexed.refresh()
    assert "good" not in indexed.names()
    assert [row.ended for row in indexed.queue(ended=True).rows if row.task_id == "good"] == [True]
    assert [row.marked for row in indexed.queue().rows if row.task_id == "bad"] == [True]


def test_pages_have_every_task_once(indexed: Indexed) -> None:
    number = PAGE_SIZE + 7
    for index in range(number):
        published.publish_task(
            indexed.root, f"t{index:03}", {"tests.json": literal.GOOD["tests.json"]}, {"tests_pass": True}
        )
    indexed.refresh()
    first, second, beyond = (indexed.queue(page=page) for page in (1, 2, 99))
    assert (first.pages, len(first.rows), len(second.rows), beyond.page) == (2, PAGE_SIZE, 7, 2)
    assert len({row.task_id for row in (*first.rows, *second.rows)}) == number


def test_the_history_counts_weeks_reasons_capabilities_and_flaky_tests(indexed: Indexed) -> None:
    cells = literal.counterfactual(literal.cell("test_odd", "flaky", "PPPP", weakens="open"))
    published.publish_task(indexed.root, "one", BAD, RULES, finished="2026-11-02T00:00:00.000Z", duration_s=3.0)
    published.publish_task(indexed.root, "two", GOOD, RULES, finished="2026-11-08T23:59:59.000Z", duration_s=1.0)
    published.publish_task(
        indexed.root,
        "six",
        {**GOOD, "counterfactual.json": cells},
        RULES,
        finished="2026-11-09T00:00:00.000Z",
        tree="8" * 40,
    )
    fill(indexed.root)
    (indexed.root / ".artifacts/good").rename(indexed.root / ".artifacts/moved")  # its verdict is another task's
    indexed.refresh()
    with indexed.index.reading() as connection:
        history = read_history(connection)
        assert read_history(connection, "shop") == history
        assert read_history(connection, "other").tasks == 0
    assert (history.tasks, history.judged) == (7, 4)
    assert [(week.monday, week.counts["pass"], week.counts["fail"]) for week in history.weeks] == [
        ("2026-11-09", 1, 0),
        ("2026-11-02", 1, 2),
    ]
    assert {reason.code: (reason.tasks, reason.checks) for reason in history.reasons}["TEST_FAIL"][0] == 2
    times = {each.capability: each for each in history.capabilities}
    assert (times["code:tests"].runs, times["code:tests"].longest_s) == (4, 3.0)
    # t::one failed in two of the three verdicts about one tree.
    assert {each.test: (each.repeated, each.trees) for each in history.flaky} == {
        "t.py::test_odd": (1, 0),
        "t::one": (0, 1),
        "t::two": (0, 1),
    }
    assert history.failing == (("t::one", 2), ("t::two", 2))


def test_an_index_of_no_use_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    path.write_bytes(b"no database" * 1000)
    assert IndexFile(path).path == path
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE about SET value = 'another' WHERE name = 'version'")
        connection.execute("INSERT INTO repository(name, root) VALUES ('x', '/x')")
    connection.close()
    with IndexFile(path).reading() as connection:
        assert connection.execute("SELECT count(*) FROM repository").fetchone()[0] == 0
    (tmp_path / "index.sqlite-wal").write_bytes(b"rubbish")
    path.unlink()
    with IndexFile(path).reading() as connection:
        assert connection.execute("SELECT count(*) FROM task").fetchone()[0] == 0


def test_a_task_that_ends_a_reader_hides_no_other(indexed: Indexed, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(indexed.root)

    def fail(_root: Path, task_id: str) -> entry.TaskEntry:
        if task_id == "good":
            raise MemoryError
        return entry.make_entry(_root, task_id)

    monkeypatch.setattr(refresh, "make_entry", fail)
    indexed.refresh()
    assert {row.task_id: row.state.value for row in indexed.queue().rows}["good"] == "broken"
    assert indexed.queue().tasks == 4


def test_tasks_of_a_repository_that_is_gone_go(indexed: Indexed) -> None:
    fill(indexed.root)
    indexed.refresh()
    done = indexed.refresher.refresh([])
    assert (done.removed, indexed.queue().tasks) == (4, 0)
    with indexed.index.reading() as connection:
        left = [
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - our own names
            for table in ("finding", "run", "test", "statement")
        ]
    assert left == [0, 0, 0, 0]


def test_what_a_task_folder_holds_never_ends_a_refresh(indexed: Indexed, tmp_path: Path) -> None:
    fill(indexed.root)
    folder = indexed.root / ".artifacts"
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "verdict.json").write_text("{}")
    (folder / "link").symlink_to(outside)
    for name in ("pipe", "deep", "list", "big", "loop", "verdict-link"):
        (folder / name).mkdir()
    os.mkfifo(folder / "pipe/verdict.json")
    (folder / "deep/verdict.json").write_text("[" * 100_000)
    (folder / "list/verdict.json").write_text("[]")
    (folder / "big/claim.json").write_text('{"task_id": "big", "claim": {"statements": [' + '"x",' * 5000 + '"y"]}}')
    (folder / "big/commitment.json").write_text('{"task_id": "big", "type": "code"}')
    (folder / "loop/a").symlink_to(folder / "loop")
    (folder / "verdict-link/verdict.json").symlink_to(folder / "good/verdict.json")
    with (folder / "bad/huge").open("wb") as huge:
        huge.truncate(1 << 40)  # a file of nothing that would fill any memory
    (folder / "a.b").mkdir()  # no task id
    (folder / "file").write_text("")
    indexed.refresh()
    assert not indexed.refresh().is_change
    states = {row.task_id: row.state for row in indexed.queue().rows}
    assert "link" not in states
    assert "a.b" not in states
    assert "file" not in states
    broken = {name for name, state in states.items() if state is TaskState.BROKEN}
    assert broken == {"bad", "bent", "pipe", "deep", "list", "verdict-link"}
    assert "not checked" in read_task(indexed.root, "bad").problem
    assert read_task(indexed.root, "link").state is TaskState.BROKEN


def test_repositories_are_found_and_named_for_good(tmp_path: Path) -> None:
    for name in ("a/shop", "b/shop", "b/shop/inner", "c/ü x"):
        (tmp_path / name / ".artifacts").mkdir(parents=True)
    for name in ("node_modules/dep", ".hidden/repo"):
        (tmp_path / name / ".artifacts").mkdir(parents=True)
    (tmp_path / "linked").symlink_to(tmp_path / "a")
    (tmp_path / "d").mkdir()
    (tmp_path / "d/.artifacts").symlink_to(tmp_path / "a/shop/.artifacts")
    found = find_repositories([tmp_path, tmp_path / "a"])
    assert {each.root.relative_to(tmp_path).as_posix() for each in found} == {
        "a/shop",
        "b/shop",
        "b/shop/inner",
        "c/ü x",
    }
    names = {each.root.parent.name: each.name for each in found if each.root.name == "shop"}
    assert names["a"] != names["b"]
    assert all(name.startswith("shop-") for name in names.values())
    # Another one of the same name changes no name that has a digest.
    more = name_repositories([tmp_path / "a/shop", tmp_path / "b/shop", tmp_path / "z/shop"])
    assert {each.name for each in more} > set(names.values())
    assert [each.name for each in name_repositories([tmp_path / "a/shop"])] == ["shop"]


def test_the_index_lies_in_the_users_cache_and_never_in_a_repository(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "repository"
    home.mkdir()
    root.mkdir()
    environ = {"HOME": str(home)}
    place = find_index_place(environ, [root], [root])
    assert place is not None
    assert place.parent == home / ".cache/verigate/serve"
    assert find_index_place(environ, [tmp_path], [root]) != place
    assert find_index_place(environ, [home], [home]) is None
    assert find_index_place({}, [root], [root]) is None
    (root / "cache").mkdir()
    assert find_index_place({"XDG_CACHE_HOME": str(root / "cache")}, [root], [root]) is None
