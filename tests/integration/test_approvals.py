"""Approvals on a real repository: signed by ``gate approve``, carried by a commit, refused where they are misused."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import pytest
from gated_repository import Done, GatedRepository
from sample_repository import SampleRepository
from ssh_keys import FileKey, TokenKey, make_key, signers

from verigate.domain.approval import POLICY, Approval

PROFILES = "config/verification.profiles.json"
CONFIG = "config/approvals.json"
SIGNERS = "config/allowed-signers"
FOLDER = ".artifacts/.approvals"
ID = "example.com/shop"
REASON = "reviewed with the team"
ENTRY = {"order": ["code:tests"], "required": ["code:tests"], "optional": []}
TOKEN = TokenKey()


def rules(**more: object) -> str:
    wanted = {"tests_pass": True, **more}
    return json.dumps({"facts": wanted, "code_default": wanted})


@pytest.fixture
def key(tmp_path: Path) -> FileKey:
    return make_key(tmp_path / "keys")


@pytest.fixture
def repository(tmp_path: Path, key: FileKey) -> GatedRepository:
    """A repository whose base allows plain keys: hardware can't be had for a test of the command."""
    return make(tmp_path, {"repository": ID, "keys": "any"}, signers(key, TOKEN))


def make(tmp_path: Path, config: dict[str, Any] | None, allowed: str | None) -> GatedRepository:
    files: dict[str, Any] = {"config/adapter-plan.json": {"code": ENTRY, "facts": ENTRY}}
    if config is not None:
        files[CONFIG] = config
    if allowed is not None:
        files[SIGNERS] = allowed
    return gr.make(tmp_path, {"tests.json": lf.GOOD["tests.json"]}, {"tests_pass": True}, files=files)


def verify(repository: GatedRepository, *arguments: str) -> Any:
    """Verify, check that a replay decides the same from the evidence alone, and return the verdict."""
    done = repository.gate("verify", *arguments, "--quiet", "--json")
    again = repository.gate("replay", done.json["task_id"], "--json")
    assert again.json["agrees"], again.output
    return done.json


def judges(verdict: Any) -> Any:
    (found,) = [check for check in verdict["checks"] if check["id"] == "gate.judges"]
    return found


def faults(verdict: Any) -> str:
    return "\n".join(verdict.get("approvals", {}).get("faults", ()))


def approve(repository: GatedRepository, key: FileKey, *arguments: str, reason: str = REASON) -> Done:
    return repository.gate("approve", *arguments, "--reason", reason, "--key", str(key.path), "--yes")


def change_policy(repository: GatedRepository, **more: object) -> None:
    repository.put(PROFILES, rules(tests_min=1, **more))


def plant(gated: GatedRepository, key: FileKey | TokenKey = TOKEN, **more: Any) -> Path:
    """Write an approval by hand of what the published verdict found; ``more`` are other members of it."""
    run = gated.published("run.json", "implicit")
    now = datetime.now(UTC).replace(microsecond=0)
    moments = [f"{(now + timedelta(days=days)):%Y-%m-%dT%H:%M:%SZ}" for days in (0, 7)]
    own = {
        "namespace": POLICY, "repository": ID, "tree": run["subject"]["tree"],
        "findings": tuple(run["approvals"]["policy"].values()), "reason": REASON, "signed": moments[0],
        "expires": moments[1], **more,
    }  # fmt: skip
    approval = Approval(**own)
    document = {**approval.document(), "signature": key.sign(approval.encode(), approval.namespace)}
    return gated.put(f"{FOLDER}/planted.json", document)


def test_a_change_of_policy_from_the_refusal_to_another_clone(
    repository: GatedRepository, key: FileKey, tmp_path: Path
) -> None:
    change_policy(repository)
    repository.sample.git("add", "--all")
    assert repository.gate("install").code == 0
    refused = repository.gate("verify", "--staged", "--quiet")
    assert refused.code == 1
    assert "approves them with `gate approve implicit --reason …`" in " ".join(refused.out.split())

    done = approve(repository, key)
    assert done.code == 0, done.output
    for shown in (f"approve in {ID}", PROFILES, REASON, str(key.path), "policy@verigate"):
        assert shown in done.out
    (file,) = (repository.root / FOLDER).iterdir()
    repository.sample.git("add", "--", f"{FOLDER}/{file.name}")  # the folder's .gitignore lets it travel

    committed = subprocess.run(
        ("git", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "-m", "Ask for a test"),
        cwd=repository.root, env=repository.environ(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert committed.returncode == 0, committed.stderr

    clone = GatedRepository(SampleRepository(tmp_path / "clone"), tmp_path / "other")
    clone.tmp.mkdir(parents=True)
    repository.sample.git("clone", "--quiet", ".", str(clone.root))
    verdict = verify(clone, "--ref", "HEAD", "--stage", "ci")
    assert verdict["status"] == "pass", verdict["reasons"]
    check = judges(verdict)
    assert check["accounted"]["by"] == "approval"
    assert check["accounted"]["reference"].endswith("by alice@example.com")
    assert "plain key SHA256:" in check["message"]
    assert (verdict["approvals"]["policy"], verdict["approvals"]["weakenings"]) == (1, 0)
    assert verdict["approvals"]["listed"][0]["policy"] == [PROFILES]
    assert verdict["approvals"]["listed"][0]["reason"] == REASON


def test_every_report_shows_what_was_approved(repository: GatedRepository, key: FileKey, tmp_path: Path) -> None:
    change_policy(repository)
    verify(repository)
    approve(repository, key)
    names = ("text", "markdown", "html", "sarif", "junit", "github", "json")
    files = {name: tmp_path / f"report.{name}" for name in names}
    wanted = [word for name, file in files.items() for word in ("--format", f"{name}={file}")]
    assert repository.gate("verify", "--quiet", *wanted).code == 0
    texts = {name: file.read_text() for name, file in files.items()}
    assert texts["text"].splitlines()[0].startswith("PASS  approved: 1 policy change · implicit")
    for name, text in texts.items():
        assert "alice@example.com" in text, name
        assert REASON in " ".join(text.split()), name
    results = json.loads(texts["sarif"])["runs"][0]["results"]
    assert [(each["ruleId"], each["level"]) for each in results] == [("APPROVED", "note")]
    explained = repository.gate("explain", "implicit", "gate.judges")
    assert explained.code == 0
    assert "changed, and approved" in " ".join(explained.out.split())


def test_hardware_keys_count_by_default_and_plain_ones_do_not(tmp_path: Path, key: FileKey) -> None:
    repository = make(tmp_path, {"repository": ID}, signers(key, TOKEN))
    change_policy(repository)
    verify(repository)
    done = approve(repository, key)
    assert done.code == 2
    assert "the signature would not count: it is signed with a plain key (ssh-ed25519" in done.err
    assert not (repository.root / FOLDER).exists()

    plant(repository, key)
    verdict = verify(repository)
    assert verdict["status"] == "fail"
    assert "plain key (ssh-ed25519" in faults(verdict)
    assert "plain key" in judges(verdict)["message"]
    assert "approvals" in repository.gate("show", "implicit").out

    plant(repository, TOKEN)
    verdict = verify(repository)
    assert verdict["status"] == "pass"
    assert verdict["approvals"]["listed"][0]["how"].startswith("hardware key SHA256:")


def test_another_change_needs_another_approval(repository: GatedRepository, key: FileKey) -> None:
    change_policy(repository)
    verify(repository)
    approve(repository, key)
    assert verify(repository)["status"] == "pass"
    repository.put("notes.txt", "one word more")
    verdict = verify(repository)
    assert verdict["status"] == "fail"
    assert "it is for the tree" in faults(verdict)
    assert "the change is another one" in judges(verdict)["message"]
    (repository.root / "notes.txt").unlink()
    assert verify(repository)["status"] == "pass"


def test_a_finding_that_appears_later_is_not_approved(repository: GatedRepository, key: FileKey) -> None:
    """The same tree, compared with an older base, has one policy file more."""
    repository.put("config/adapters.json", {})
    repository.sample.commit("another policy file, past the gate")
    change_policy(repository)
    verify(repository)
    approve(repository, key)
    repository.sample.git("add", PROFILES)
    assert verify(repository, "--staged")["status"] == "pass"
    verdict = verify(repository, "--staged", "--base", "HEAD~1")
    assert judges(verdict)["outcome"] == "refuted"
    assert "config/adapters.json" in judges(verdict)["message"]
    assert PROFILES not in judges(verdict)["message"]
    assert verdict["approvals"]["policy"] == 1


def test_an_approval_of_another_repository_does_not_count(repository: GatedRepository, key: FileKey) -> None:
    change_policy(repository)
    verify(repository)
    plant(repository, key, repository="example.com/other")
    assert "it is for the repository example.com/other, and this is example.com/shop" in faults(verify(repository))


def test_a_key_that_the_change_adds_does_not_count(repository: GatedRepository, tmp_path: Path) -> None:
    mine = make_key(tmp_path / "mine")
    repository.put(SIGNERS, signers(mine))
    verdict = verify(repository)
    assert SIGNERS in judges(verdict)["message"]
    plant(repository, mine)
    verdict = verify(repository)
    assert verdict["status"] == "fail"
    assert "is added by this very change" in faults(verdict)
    done = approve(repository, mine)
    assert done.code == 2
    assert "the signature would not count" in done.err


def test_the_rules_for_approvals_count_as_they_are_in_the_base(tmp_path: Path, key: FileKey) -> None:
    repository = make(tmp_path, {"repository": ID}, signers(key))
    repository.put(CONFIG, {"repository": ID, "keys": "any"})
    verify(repository)
    plant(repository, key)
    assert "plain key" in faults(verify(repository))


@pytest.mark.parametrize(
    ("config", "allowed", "said"),
    [
        (None, None, "no keys are configured"),
        ({"repository": ID}, None, "no keys are configured"),
        (None, "alice", "it is missing: nothing says which repository this is"),
        ({"repository": ID}, "alice@example.com {}\n", "has no namespaces="),
        ({"repository": ID, "keys": "all"}, "alice", "no approval counts: config/approvals.json"),
        ({"keys": "any"}, "alice", "no approval counts: config/approvals.json"),
    ],
)
def test_without_usable_keys_nothing_counts(
    tmp_path: Path, key: FileKey, config: dict[str, Any] | None, allowed: str | None, said: str
) -> None:
    text = None if allowed is None else allowed.format(key.public) if "{}" in allowed else signers(key)
    repository = make(tmp_path, config, text)
    # The subject's own files must be in order, or nothing is verified at all.
    repository.put(CONFIG, {"repository": ID})
    repository.put(SIGNERS, signers(key))
    verify(repository)
    plant(repository, key)
    verdict = verify(repository)
    assert verdict["status"] == "fail"
    assert said in faults(verdict)
    done = approve(repository, key)
    assert done.code == 2, done.output
    assert said.removeprefix("no approval counts: ") in done.err


def test_broken_files_about_approvals_can_not_land(repository: GatedRepository) -> None:
    repository.put(SIGNERS, "alice@example.com ssh-ed25519 AAAA\n")
    repository.put(CONFIG, {"repository": "has spaces in it", "key": "any"})
    done = repository.gate("verify", "--quiet")
    assert done.code == 2
    for shown in (f"{SIGNERS}:1", "this key may sign anything", "namespaces=", CONFIG, "'key'"):
        assert shown in done.err


def test_what_is_over_does_not_count(repository: GatedRepository) -> None:
    change_policy(repository)
    verify(repository)
    plant(repository, signed="2026-01-01T00:00:00Z", expires="2026-01-08T00:00:00Z")
    assert "it expired at 2026-01-08T00:00:00Z" in faults(verify(repository))
    plant(repository, signed="2999-01-01T00:00:00Z", expires="2999-01-08T00:00:00Z")
    assert "this machine's clock says" in faults(verify(repository))
    year = f"{(datetime.now(UTC) + timedelta(days=365)):%Y-%m-%dT00:00:00Z}"
    plant(repository, expires=year)
    assert "it counts for more than 30 days" in faults(verify(repository))


def test_what_was_edited_after_it_was_signed_does_not_count(repository: GatedRepository) -> None:
    change_policy(repository)
    verify(repository)
    file = plant(repository)
    assert verify(repository)["status"] == "pass"
    document = json.loads(file.read_text())
    for edit in ({"reason": "another"}, {"findings": [*document["findings"], "policy hooks/x 0123456789ab"]}):
        file.write_text(json.dumps({**document, **edit}))
        verdict = verify(repository)
        assert verdict["status"] == "fail"
        assert "its signature is not for what it says" in faults(verdict)


def test_files_that_are_no_approvals_are_reported(repository: GatedRepository, tmp_path: Path) -> None:
    change_policy(repository)
    verify(repository)
    hidden = "read\u200bable\u202e"
    plant(repository, reason=hidden)
    repository.put(f"{FOLDER}/huge.json", "[" + "1," * 200_000 + "1]")
    repository.put(f"{FOLDER}/list.json", [])
    repository.put(f"{FOLDER}/more.json", {"schema": "verigate:approval.v1", "extra": 1})
    repository.put(f"{FOLDER}/new\nline\x1b[31m.json", "{")
    (repository.root / FOLDER / "link.json").symlink_to(tmp_path / "elsewhere.json")
    os.mkfifo(repository.root / FOLDER / "pipe.json")
    verdict = verify(repository)
    said = faults(verdict)
    assert verdict["status"] == "fail"
    for shown in (
        "huge.json is no approval: it is larger than", "list.json is no approval", "more.json is no approval",
        "new\\nline\\x1b[31m.json is no approval", "link.json is no approval: it is a symbolic link",
        "pipe.json is no approval: it is not a regular file",
        "planted.json is no approval: it has characters that can't be seen",
    ):  # fmt: skip
        assert shown in said
    text = repository.gate("verify", "--quiet").out
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_flood_of_files_is_cut_and_a_folder_that_leads_elsewhere_is_not_read(
    repository: GatedRepository, tmp_path: Path
) -> None:
    change_policy(repository)
    verify(repository)
    for number in range(510):
        repository.put(f"{FOLDER}/{number:04}.json", "{")
    assert "is no approval" in faults(verify(repository))
    (repository.root / FOLDER).rename(tmp_path / "moved")
    (repository.root / FOLDER).symlink_to(tmp_path / "moved")
    assert "it is a symbolic link" in faults(verify(repository))
    done = repository.gate("approve", "--list")
    assert "it is a symbolic link" in done.err


def test_a_reason_that_nobody_can_read_is_refused(repository: GatedRepository, key: FileKey) -> None:
    change_policy(repository)
    verify(repository)
    for reason in ("\x1b[2Khidden", "two\nlines", "\u202etxet", "…", " "):
        done = approve(repository, key, reason=reason)
        assert done.code == 2, done.output
        assert "\x1b" not in done.output
    assert not (repository.root / FOLDER).exists()


def test_names_that_hide_something_are_shown_and_signed_as_they_are(repository: GatedRepository, key: FileKey) -> None:
    repository.put("adapters/facts/new\nline\u202e", "x")
    verify(repository)
    done = approve(repository, key)
    assert done.code == 0, done.output
    assert "adapters/facts/new\\nline\\u202e" in done.out
    assert verify(repository)["status"] == "pass"


def test_nobody_is_asked_without_a_terminal(repository: GatedRepository, key: FileKey) -> None:
    change_policy(repository)
    verify(repository)
    done = repository.gate("approve", "--reason", REASON, "--key", str(key.path), stdin="y\n")
    assert done.code == 2
    assert "nobody is there to ask" in done.err
    assert not (repository.root / FOLDER).exists()


@pytest.mark.parametrize(("answer", "code"), [("n", 1), ("", 1), ("y", 0)])
def test_a_person_at_a_terminal_is_asked(repository: GatedRepository, key: FileKey, answer: str, code: int) -> None:
    change_policy(repository)
    verify(repository)
    ours, theirs = pty.openpty()
    argv = (*gr.GATE, "approve", "--reason", REASON, "--key", str(key.path))
    with subprocess.Popen(
        argv, cwd=repository.root, env=repository.environ(), stdin=theirs, stdout=theirs, stderr=theirs
    ) as asked:
        os.close(theirs)
        seen = b""
        while b"[y/N]" not in seen:
            seen += os.read(ours, 4096)
        os.write(ours, f"{answer}\n".encode())
        assert asked.wait(60) == code
    os.close(ours)
    assert PROFILES in seen.decode()
    assert (repository.root / FOLDER).exists() == (code == 0)


@pytest.mark.release
def test_approvals_are_listed_and_revoked(repository: GatedRepository, key: FileKey) -> None:
    assert "there are no approvals" in repository.gate("approve", "--list").out
    change_policy(repository)
    verify(repository)
    made = repository.gate("approve", "--reason", REASON, "--key", str(key.path), "--yes", "--json", "--days", "30")
    (approval,) = made.json["approvals"]
    assert approval["findings"][0].startswith(f"policy {PROFILES} ")
    listed = repository.gate("approve", "--list", "--json").json["approvals"]
    assert [(each["id"], each["counts"]) for each in listed] == [(approval["id"], True)]

    copy = (repository.root / approval["file"]).read_bytes()
    assert repository.gate("approve", "--revoke", "0123").code == 2
    assert repository.gate("approve", "--revoke", "012345678").code == 2
    done = repository.gate("approve", "--revoke", approval["id"][:12])
    assert done.code == 0, done.output
    assert f'"revoked": ["{approval["id"]}"]' in done.out
    assert not (repository.root / approval["file"]).exists()
    assert verify(repository)["status"] == "fail"

    # A copy counts, until the policy in the base says that it doesn't.
    repository.put(approval["file"], copy)
    assert verify(repository)["status"] == "pass"
    changed = (repository.root / PROFILES).read_text()
    repository.sample.git("checkout", "--quiet", "--", PROFILES)
    repository.put(CONFIG, {"repository": ID, "keys": "any", "revoked": [approval["id"]]})
    repository.sample.commit("Revoke it")
    repository.put(PROFILES, changed)
    verdict = verify(repository)
    assert verdict["status"] == "fail"
    assert repository.gate("approve", "--list", "--json").json["approvals"][0]["counts"] is False


def test_there_must_be_something_to_approve(repository: GatedRepository, key: FileKey) -> None:
    assert "there is no task" in approve(repository, key).err
    repository.put("notes.txt", "a word")
    verify(repository)
    assert "has nothing that can be approved" in approve(repository, key).err
    for days in ("0", "31", "soon"):
        assert approve(repository, key, "--days", days).code == 2
    assert "Missing option '--reason'" in repository.gate("approve").err
    assert "no key is named" in repository.gate("approve", "--reason", REASON, "--yes").err


def test_a_commit_is_verified_and_approved(repository: GatedRepository, key: FileKey) -> None:
    change_policy(repository)
    repository.sample.commit("Ask for a test")
    repository.sample.git("config", "user.signingkey", str(key.path))
    done = repository.gate("approve", "HEAD", "--reason", REASON, "--yes")
    assert done.code == 0, done.output
    assert verify(repository, "--ref", "HEAD")["status"] == "pass"
    ranged = repository.gate("verify", "--range", "HEAD~1..HEAD")
    assert ranged.code == 0, ranged.output


def test_a_commit_of_another_branch_is_approved_by_the_keys_of_its_own_base(
    repository: GatedRepository, key: FileKey
) -> None:
    repository.sample.git("switch", "--quiet", "-c", "topic")
    repository.put("notes.txt", "a word")
    repository.sample.commit("A word")
    change_policy(repository)
    repository.sample.commit("Ask for a test")
    repository.sample.git("switch", "--quiet", "main")
    done = approve(repository, key, "topic")
    assert done.code == 0, done.output
    assert verify(repository, "--ref", "topic")["status"] == "pass"
    assert "there is no commit" in approve(repository, key, "none").err or approve(repository, key, "none").code == 2


@pytest.mark.release
def test_a_first_commit_has_nobody_who_could_approve_it(tmp_path: Path, key: FileKey) -> None:
    found = GatedRepository(SampleRepository.create(tmp_path / "first"), tmp_path / "home")
    found.tmp.mkdir(parents=True)
    found.put("config/adapter-plan.json", {"code": ENTRY})
    found.put(CONFIG, {"repository": ID, "keys": "any"})
    found.put(SIGNERS, signers(key))
    assert found.gate("verify", "--quiet").code in {1, 3}
    done = approve(found, key)
    assert done.code == 2, done.output


def test_a_task_s_commitment_can_not_be_approved(repository: GatedRepository, key: FileKey) -> None:
    repository.begin("T1")
    repository.claim(statements=["All tests pass."])
    repository.sample.git("add", "--force", ".artifacts/T1/commitment.json")
    repository.sample.git("commit", "--quiet", "-m", "The promise")
    document = json.loads((repository.root / ".artifacts/T1/commitment.json").read_bytes())
    repository.put(".artifacts/T1/commitment.json", {**document, "commitments": {"expected_total": 1}})
    repository.put("notes.txt", "a word")
    refused = repository.verify("T1")
    assert "restore it, or start another task" in " ".join(refused.out.split())
    done = approve(repository, key, "T1")
    assert done.code == 2
    assert "is a task's promise, and can't be changed" in " ".join(done.err.split())


def test_what_is_signed_is_what_lies_here(repository: GatedRepository, key: FileKey) -> None:
    """A person looks at the change, and then signs the verdict about another that was there before."""
    repository.put(PROFILES, "{}")
    verify(repository)
    change_policy(repository)
    done = approve(repository, key)
    assert (done.code, "not approved: HEAD, or what was verified is no longer the tree" in done.err) == (3, True), done
    verify(repository)
    done = approve(repository, key)
    assert done.code == 0, done.output
    base, tree = (str(repository.published("run.json", "implicit")["subject"][name])[:12] for name in ("base", "tree"))
    assert f"git diff {base} {tree}" in done.output


@pytest.mark.parametrize("hides", ["--skip-worktree", "--assume-unchanged"])
def test_git_hides_no_change_of_the_working_tree(repository: GatedRepository, hides: str) -> None:
    before = (repository.root / PROFILES).read_text()
    change_policy(repository)
    repository.sample.git("add", "--all")
    (repository.root / PROFILES).write_text(before)
    repository.sample.git("update-index", hides, PROFILES)
    repository.put("notes.txt", "a word")
    assert judges(verify(repository))["outcome"] == "holds"
    assert judges(verify(repository, "--staged"))["outcome"] == "refuted"


@pytest.mark.parametrize("hides", ["--skip-worktree", "--assume-unchanged"])
def test_a_deleted_file_is_not_hidden_either(repository: GatedRepository, hides: str) -> None:
    (repository.root / PROFILES).unlink()
    repository.sample.git("update-index", hides, PROFILES)
    assert judges(verify(repository))["outcome"] == "refuted"


@pytest.mark.parametrize("kind", ["branch", "commit"])
def test_a_task_that_is_called_like_a_commit_is_not_approved_in_its_place(
    repository: GatedRepository, key: FileKey, kind: str
) -> None:
    change_policy(repository)
    repository.sample.commit("Ask for a test")
    repository.sample.git("branch", "release")
    name = "release" if kind == "branch" else repository.sample.git("rev-parse", "HEAD")
    (repository.root / ".artifacts" / name).mkdir(parents=True)
    done = approve(repository, key, name)
    assert (done.code, f"{name} is a task and a commit" in done.err) == (2, True), done.output
    assert approve(repository, key, "refs/heads/release").code == 0
