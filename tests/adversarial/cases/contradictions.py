"""Artifacts of somebody's own adapters that contradict themselves: nobody knows which of their fields is the fact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import literal_facts
from repositories import Ended, Repository

from cases.adapters import python
from cases.pair import ANY, PAIRS, Pair

KIND = "artifacts that contradict themselves"
_WITH = {
    "api:responses": ("api/responses.json", "api/schema.json"),
    "code:diff": ("diff.json", "diff_names.json", "diffs.patch"),
}
"""Artifacts that a capability owes together."""

ISSUE = {"path": "a.py", "line": 1, "rule": "E1", "severity": "error", "message": "m"}
FAILURE = {"test": "a", "message": "m"}
ARTIFACTS: tuple[tuple[str, str, str, Mapping[str, Any] | None, Any], ...] = (
    (
        "a failure that is ok",
        "api:responses",
        "api/schema.json",
        {"errors": [{"endpoint": "GET /a", "message": "m"}]},
        None,
    ),
    (
        "a status of 500 that is ok",
        "api:responses",
        "api/responses.json",
        {"GET /users": {"status": 500, "ok": True, "latency_ms": 1, "body_sample": None}},
        None,
    ),
    ("an endpoint both protected and public", "api:auth", "api/auth.json", {"endpoints_public": ["GET /users"]}, None),
    ("a limit that nobody probed", "api:rate-limits", "api/rate_limits.json", {"probed": []}, None),
    ("tests that do not add up", "code:tests", "tests.json", {"total": 9}, None),
    ("failures without a failure", "code:tests", "tests.json", {"failures": [FAILURE]}, None),
    ("more covered than there is", "code:coverage", "coverage.json", {"lines": {"covered": 110, "total": 100}}, None),
    ("a share that is no quotient", "code:coverage", "coverage.json", {"pct": 0.95}, None),
    (
        "a success with errors",
        "code:build",
        "build.json",
        {"errors": [{"path": "a.c", "line": 1, "message": "m"}]},
        None,
    ),
    ("a sum of words that is another", "content:wordcount", "content/wordcount.json", {"total": 500}, None),
    (
        "a page that counts twice",
        "content:wordcount",
        "content/wordcount.json",
        {"files": [{"path": "a.md", "word_count": 50}, {"path": "a.md", "word_count": 50}]},
        None,
    ),
    ("a path in two lists", "code:diff", "diff.json", {"files_modified": ["a.py"], "total_changes": 2}, None),
    ("a total of functions that is another", "code:functions", "functions.json", {"total": 7}, None),
    ("clean lint with issues", "code:lint", "lint.json", {"issues": [ISSUE]}, None),
    ("a link twice", "links:discover", "links/urlset.json", None, ["a.md", "a.md"]),
)
"""What is wrong, the capability, its artifact, and the fields that contradict the others, or the whole document."""


def contradicts(what: str, capability: str, path: str, fields: Mapping[str, Any] | None, whole: Any) -> None:
    """Register a twin whose adapter writes a good artifact, or this one."""
    good = ["a.md", "b.md"] if fields is None else literal_facts.GOOD[path]
    lying = whole if fields is None else {**good, **fields}
    others = {name: literal_facts.GOOD[name] for name in _WITH.get(capability, ()) if name != path}

    def build(repo: Repository, lie: bool) -> Ended:
        facts = {path: lying if lie else good, **others}
        body = (
            f"for name, document in {facts!r}.items():\n"
            "    os.makedirs(os.path.dirname(f'{task}/{name}'), exist_ok=True)\n"
            "    open(f'{task}/{name}', 'w').write(document if isinstance(document, str) else json.dumps(document))\n"
        )
        repo.policy([capability], {"required_artifacts": [path]})
        repo.adapter("mine", capability, python(body))
        repo.commit({"notes.txt": "one\n"})
        repo.task(type_="change")
        repo.write({"notes.txt": "two\n"})
        repo.claim(type_="change")
        return repo.verify()

    PAIRS.append(
        Pair(what.replace(" ", "_"), build, 3, "ARTIFACT_INVALID", f"capability:{capability}", None, KIND, ANY)
    )


for row in ARTIFACTS:
    contradicts(*row)
