"""Tasks of a type that asks for no tests, and a change to code under them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from repositories import Content, Ended, Repository

from cases.adapters import python
from cases.pair import pair
from cases.samples import ADDED, PYPROJECT, TEST_TRIPLE_FAILS, UNITS, shipped_project

LANGUAGE = "Python"

FAILING = {**ADDED, "tests/test_triple.py": TEST_TRIPLE_FAILS}
PAGE = "# Calc\n\nIt doubles, and now it triples.\n"
TESTS = (1, "TEST_FAIL", "code.tests_pass")

READS_PAGES = python(
    "page = {'path': 'README.md', 'word_count': 7}\n"
    "found = {\n"
    "    'content:scan': ('scan', {'files': [{**page, 'char_count': 42}]}),\n"
    "    'content:wordcount': ('wordcount', {'files': [page], 'total': 7}),\n"
    "    'content:headings': ('headings', {'README.md': {'h1': ['Calc'], 'h2': [], 'h3': []}}),\n"
    "    'content:images': ('images', {'README.md': []}),\n"
    "}\n"
    "name, facts = found[sys.argv[1]]\n"
    "os.makedirs(task + '/content', exist_ok=True)\n"
    "json.dump(facts, open(f'{task}/content/{name}.json', 'w'))\n"
)
FOLLOWS_LINKS = python(
    "url = 'https://calc.example/'\n"
    "found = {'links:discover': ('urlset', [url]), 'links:check': ('statuses', {url: 200}),\n"
    "         'links:resample': ('resample', {})}\n"
    "name, facts = found[sys.argv[1]]\n"
    "os.makedirs(task + '/links', exist_ok=True)\n"
    "json.dump(facts, open(f'{task}/links/{name}.json', 'w'))\n"
)


def content_project(repo: Repository, files: Mapping[str, Content] | None = None) -> None:
    """The sample with an adapter that finds its README good; T1 is of type ``content``."""
    names = [f"content:{name}" for name in ("scan", "wordcount", "headings", "images")]
    repo.adapter("pages", "content:scan", READS_PAGES, capabilities=names)
    shipped_project(repo, files, type_="content")


@pair(*TESTS)
def a_task_of_type_unknown(repo: Repository, lie: bool) -> Ended:
    shipped_project(repo, type_="unknown")
    repo.write(FAILING if lie else ADDED)
    repo.claim(*UNITS, type_="unknown")
    return repo.verify()


@pair(1, "TESTS_EMPTY", "code.tests_min")
def a_task_of_type_unknown_about_a_page(repo: Repository, lie: bool) -> Ended:
    """No tests are asked of a change that is only read. One that is run is none, whatever it is called."""
    shipped_project(repo, {"tests/test_calc.py": "ANSWER = 42\n"}, type_="unknown")
    repo.write({"README.md": "#!/usr/bin/env python3\n" if lie else PAGE})
    repo.claim("file:README.md", type_="unknown")
    return repo.verify()


@pair(*TESTS)
def a_task_of_type_content_with_a_good_page(repo: Repository, lie: bool) -> Ended:
    """Everything that the type asks for is there, and beside it code that its profile never looks at."""
    content_project(repo)
    repo.write({"README.md": PAGE, **(FAILING if lie else ADDED)})
    repo.claim("file:README.md", type_="content")
    return repo.verify()


@pair(*TESTS)
def a_task_of_type_content_that_removes_code(repo: Repository, lie: bool) -> Ended:
    """What is gone was code too."""
    calc = "from helper import FACTOR\n\n\ndef double(n):\n    return FACTOR * n\n"
    content_project(repo, {"helper.py": "FACTOR = 2\n", "calc.py": calc})
    gone: dict[str, Content] = {"helper.py": None} if lie else {}
    repo.write({"README.md": PAGE, **gone})
    repo.claim("file:README.md", type_="content")
    return repo.verify()


@pair(*TESTS)
def a_task_of_type_content_in_a_commit(repo: Repository, lie: bool) -> Ended:
    content_project(repo)
    repo.claim("file:README.md", type_="content")
    repo.commit({"README.md": PAGE, **(FAILING if lie else ADDED)})
    return repo.verify("T1", "--ref", "HEAD")


@pair(*TESTS)
def a_task_of_type_content_in_the_index(repo: Repository, lie: bool) -> Ended:
    """Committed by whoever does the work, which makes the type no better."""
    content_project(repo)
    repo.git("add", "--force", ".artifacts/T1/commitment.json")
    repo.commit()
    repo.claim("file:README.md", type_="content")
    repo.write({"README.md": PAGE, **(FAILING if lie else ADDED)})
    repo.git("add", "--all")
    return repo.verify("T1", "--staged")


@pair(*TESTS)
def a_task_of_type_link_check(repo: Repository, lie: bool) -> Ended:
    names = [f"links:{name}" for name in ("discover", "check", "resample")]
    repo.adapter("links", "links:check", FOLLOWS_LINKS, capabilities=names)
    shipped_project(repo, type_="link_check")
    repo.write({"README.md": f"{PAGE}\n<https://calc.example/>\n", **(FAILING if lie else ADDED)})
    repo.claim("file:README.md", type_="link_check")
    return repo.verify()


@pair(1, "LINT_FAIL", "code.lint_errors_max")
def a_task_of_type_db_update(repo: Repository, lie: bool) -> Ended:
    """A type that asks for tests and not for lint: code is asked for both."""
    shipped_project(repo, type_="db_update")
    repo.write({**ADDED, **({"migrate.py": "import os\n"} if lie else {})})
    repo.claim(*UNITS, type_="db_update")
    return repo.verify()


@pair(*TESTS)
def a_type_of_the_repositorys_own(repo: Repository, lie: bool) -> Ended:
    """What the repository asks of one type it doesn't take back from its code."""
    plan = {"note": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}}
    rules = {"note": {"required_artifacts": ["diff.json"]}}
    own = {"config/adapter-plan.json": plan, "config/verification.profiles.json": rules}
    shipped_project(repo, {name: json.dumps(content) for name, content in own.items()}, type_="note")
    repo.write(FAILING if lie else ADDED)
    repo.claim(*UNITS, type_="note")
    return repo.verify()


DOCTEST = ">>> from calc import double\n>>> double(2)\n4\n"


@pair(*TESTS)
def a_test_that_is_called_like_a_text(repo: Repository, lie: bool) -> Ended:
    """pytest takes ``test*.txt`` for doctests without being told."""
    shipped_project(repo, {"docs/test_calc.txt": DOCTEST})
    repo.write({"docs/test_calc.txt": DOCTEST.replace("4", "5") if lie else f"{DOCTEST}\nIt doubles.\n"})
    return repo.gate("verify", "--json", "--quiet")


@pair(1, "INTEGRITY_FAIL", "code.integrity")
def a_doctest_that_is_gone(repo: Repository, lie: bool) -> Ended:
    """It would have failed, and no runner misses it."""
    more = f"{DOCTEST}>>> double(3)\n6\n"
    shipped_project(repo, {"docs/test_calc.txt": more})
    broken = {"calc.py": "def double(n):\n    return n * n\n", "docs/test_calc.txt": DOCTEST}
    repo.write(broken if lie else {"docs/test_calc.txt": f"It doubles.\n\n{more}"})
    return repo.gate("verify", "--json", "--quiet")


@pair(*TESTS)
def a_page_that_is_tested(repo: Repository, lie: bool) -> Ended:
    settings = PYPROJECT + 'addopts = ["--doctest-glob=*.md"]\n'
    shipped_project(repo, {"README.md": f"# Calc\n\n{DOCTEST}", "pyproject.toml": settings}, type_="unknown")
    repo.write({"README.md": f"# Calc\n\n{DOCTEST.replace('4', '5') if lie else DOCTEST}\nIt doubles.\n"})
    repo.claim("file:README.md", type_="unknown")
    return repo.verify()


@pair(*TESTS)
def a_text_that_is_run(repo: Repository, lie: bool) -> Ended:
    """What computes is in a file that is called like a text; a change of it touches nothing else."""
    calc = "from pathlib import Path\n\nexec(Path(__file__).with_name('double.txt').read_text())\n"
    shipped_project(repo, {"calc.py": calc, "double.txt": "def double(n):\n    return 2 * n\n"})
    repo.write({"double.txt": f"def double(n):\n    return {'n + 0' if lie else 'n + n'}\n"})
    repo.git("add", "--all")
    return repo.gate("verify", "--staged", "--json", "--quiet")


@pair(1, "INTEGRITY_FAIL", "code.integrity")
def a_plugin_of_pytest_in_a_text(repo: Repository, lie: bool) -> Ended:
    """A type that asks for no integrity would let in what changes every later run of the tests."""
    content_project(repo)
    name = "calc.egg-info/entry_points.txt" if lie else "docs/entry_points.txt"
    repo.write({"README.md": PAGE, name: "[pytest11]\nquiet = calc\n"})
    repo.claim("file:README.md", type_="content")
    return repo.verify()
