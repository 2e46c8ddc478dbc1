"""Evidence that this run did not produce: forged, of an earlier run, of another task, or changed afterwards."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from repositories import Ended, Repository

from cases.adapters import CHECK, GOOD, adapters_project
from cases.pair import pair
from cases.samples import ADDED, TEST_TRIPLE, TEST_TRIPLE_FAILS, claim, python_project


def forge(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a JSON file in place."""
    document = json.loads(path.read_bytes())
    change(document)
    path.write_text(json.dumps(document))


def failed(repo: Repository, lie: bool, *, real: bool = False) -> Path:
    """The published task of a change whose tests fail (the liar's), or pass.

    What matters here is what becomes of the evidence; unless ``real``, an adapter of the base's own counts the tests.
    """
    if not real:
        repo.adapter("counter", "code:tests", COUNTER)
    python_project(repo)
    repo.write({**ADDED, "tests/test_triple.py": TEST_TRIPLE_FAILS if lie else TEST_TRIPLE})
    claim(repo, "file:calc.py")
    ended = repo.verify()
    assert ended.exit_code == (1 if lie else 0), str(ended)
    return repo.artifact("")


COUNTER = """#!/bin/sh
case $(cat tests/test_triple.py) in *'== 7'*) failed=1 ;; *) failed=0 ;; esac
printf '{"passed": 1, "failed": %s, "skipped": 0, "total": %s, "duration": 1}' $failed $((1 + failed)) > "$3/tests.json"
"""


def claim_to_pass(verdict: dict[str, Any]) -> None:
    """What somebody makes of a failed verdict by hand."""
    verdict.update(status="pass", reasons=[])
    for check in verdict["checks"]:
        if check["outcome"] != "holds":
            check["outcome"] = "holds"
            check.pop("reason", None)


@pair(1, "TEST_FAIL", "code.tests_pass")
def a_forged_verdict_is_decided_again(repo: Repository, lie: bool) -> Ended:
    folder = failed(repo, lie, real=True)
    forge(folder / "verdict.json", claim_to_pass)
    return repo.verify()


@pair(3, says="does not follow from its evidence")
def a_forged_verdict_is_replayed(repo: Repository, lie: bool) -> Ended:
    folder = failed(repo, lie)
    if lie:
        forge(folder / "verdict.json", claim_to_pass)
    return repo.gate("replay", "T1")


@pair(3, says="not verified")
def a_forged_verdict_is_shown(repo: Repository, lie: bool) -> Ended:
    folder = failed(repo, lie)
    if lie:
        forge(folder / "verdict.json", claim_to_pass)
    return repo.gate("show", "T1")


@pair(3, says="not verified")
def changed_evidence_is_shown(repo: Repository, lie: bool) -> Ended:
    folder = failed(repo, lie)
    if lie:
        forge(folder / "tests.json", lambda tests: tests.update(passed=tests["total"], failed=0, failures=[]))
    return repo.gate("show", "T1")


@pair(3, says="does not follow from its evidence")
def evidence_and_its_index_are_forged_together(repo: Repository, lie: bool) -> Ended:
    """Every digest is made right again; but verdict and evidence still have to agree."""
    folder = failed(repo, lie)
    if lie:
        forge(folder / "verdict.json", claim_to_pass)
        _reseal(folder)
    return repo.gate("replay", "T1")


@pair(3, says="not verified")
def the_index_names_a_file_outside(repo: Repository, lie: bool) -> Ended:
    folder = failed(repo, False)
    if lie:
        secret = repo.root / "calc.py"
        entry = {"path": "../../calc.py", "sha256": hashlib.sha256(secret.read_bytes()).hexdigest(), "producer": None}
        forge(folder / "artifacts.json", lambda index: index["files"].append(entry))
        _reseal(folder)
    return repo.gate("replay", "T1")


@pair(3, says="not verified")
def a_verdict_without_its_evidence(repo: Repository, lie: bool) -> Ended:
    folder = failed(repo, False)
    if lie:
        (folder / "tests.json").unlink()
    return repo.gate("show", "T1")


@pair(3, says="not verified")
def evidence_replaced_by_a_link(repo: Repository, lie: bool) -> Ended:
    folder = failed(repo, False)
    if lie:
        other = repo.root / "other.json"
        other.write_text('{"passed": 99, "failed": 0, "total": 99, "skipped": 0}')
        (folder / "tests.json").unlink()
        (folder / "tests.json").symlink_to(other)
    return repo.gate("replay", "T1")


@pair(3, "ARTIFACT_MISSING", f"capability:{CHECK}")
def the_artifacts_of_an_earlier_run(repo: Repository, lie: bool) -> Ended:
    """The second run's adapter finds nothing to say about this subject; the first run's words don't count."""
    script = f"#!/bin/sh\ncase $(cat notes.txt) in two*)\n{GOOD.partition(chr(10))[2]};; esac\n"
    adapters_project(repo, script)
    first = repo.verify()
    assert first.exit_code == 0, str(first)
    assert repo.artifact("check.json").exists()
    repo.write({"notes.txt": "three\n" if lie else "two and a half\n"})
    return repo.verify()


@pair(3, "ARTIFACT_MISSING", f"capability:{CHECK}")
def artifacts_laid_ready_by_hand(repo: Repository, lie: bool) -> Ended:
    adapters_project(repo, "#!/bin/sh\nexit 0\n" if lie else GOOD)
    ready = '{"errors": 0}'
    repo.write({".artifacts/T1/check.json": ready, "check.json": ready, ".artifacts/T1/logs/x": "fine\n"})
    return repo.verify()


@pair(1, "TEST_FAIL", "code.tests_pass")
def the_whole_folder_of_another_task(repo: Repository, lie: bool) -> Ended:
    failed(repo, False)
    shutil.copytree(repo.artifact(""), repo.artifact("", "T2"))
    for name in ("commitment.json", "claim.json"):
        forge(repo.artifact(name, "T2"), lambda document: document.update(task_id="T2"))
    if lie:
        repo.write({"tests/test_triple.py": TEST_TRIPLE_FAILS})
    return repo.verify("T2")


@pair(3, says="symbolic link")
def an_artifacts_folder_that_leads_out(repo: Repository, lie: bool) -> Ended:
    adapters_project(repo, GOOD)
    folder = repo.root / ".artifacts"
    elsewhere = repo.root.parent / "elsewhere"
    shutil.copytree(folder, elsewhere)
    if lie:
        shutil.rmtree(folder)
        folder.symlink_to(elsewhere)
    ended = repo.verify()
    assert not (elsewhere / "T1" / "verdict.json").exists()
    return ended


@pair(3, says="symbolic link")
def a_task_folder_that_leads_to_another(repo: Repository, lie: bool) -> Ended:
    adapters_project(repo, GOOD)
    shutil.copytree(repo.artifact(""), repo.artifact("", "T2"))
    forge(repo.artifact("commitment.json", "T2"), lambda document: document.update(task_id="T2"))
    forge(repo.artifact("claim.json", "T2"), lambda document: document.update(task_id="T2"))
    if lie:
        shutil.rmtree(repo.artifact("", "T2"))
        repo.artifact("", "T2").symlink_to(repo.artifact(""))
    return repo.verify("T2")


@pair(1, "CLAIM_INVALID", "claim.valid")
def a_claim_that_never_ends(repo: Repository, lie: bool) -> Ended:
    """A named pipe in the claim's place: whoever opens it waits for somebody who never writes."""
    adapters_project(repo, GOOD)
    if lie:
        repo.artifact("claim.json").unlink()
        os.mkfifo(repo.artifact("claim.json"))
    return repo.verify(timeout=60)


@pair(3, says="not verified")
def a_run_that_was_killed_while_it_published(repo: Repository, lie: bool) -> Ended:
    """New evidence beside the old verdict is what a careless order of writing would leave."""
    folder = failed(repo, False)
    if lie:
        run = json.loads((folder / "run.json").read_bytes())
        (folder / "run.json").write_text(json.dumps(run, indent=1))
    return repo.gate("show", "T1")


def _reseal(folder: Path) -> None:
    index = json.loads((folder / "artifacts.json").read_bytes())
    for entry in index["files"]:
        path = folder / entry["path"]
        entry["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "artifacts.json").write_text(json.dumps(index))
    sums = "".join(f"{entry['sha256']}  {entry['path']}\n" for entry in index["files"])
    (folder / "checksums.sha256").write_text(sums)
    seal = hashlib.sha256((folder / "artifacts.json").read_bytes()).hexdigest()
    forge(folder / "verdict.json", lambda verdict: verdict["metadata"].update(index_sha256=seal))
