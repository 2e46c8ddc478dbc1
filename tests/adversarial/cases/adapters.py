"""Adapters that do what they must not. The honest twin does nearly the same and keeps to its own folder."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from processes_alive import gone
from repositories import Ended, Repository

from cases.pair import pair
from cases.samples import claim

CHECK = "mine:check"
SECOND = "mine:second"
GOOD = '#!/bin/sh\nprintf \'{"errors": 0}\' > "$3/check.json"\n'


def adapters_project(
    repo: Repository,
    script: str,
    *,
    second: str | None = None,
    rules: dict[str, Any] | None = None,
    order: Sequence[str] = (),
    **fields: Any,
) -> None:
    """Commit a repository with an adapter of its own (and a ``second`` one); task T1 claims a changed file."""
    names = [CHECK, SECOND] if second is not None else [CHECK]
    repo.policy(["code:diff", *(order or names)], rules or {"required_artifacts": ["check.json"]})
    repo.adapter("mine", CHECK, script, **fields)
    if second is not None:
        repo.adapter("second", SECOND, second)
    repo.commit({"notes.txt": "one\n", "answer.py": "ANSWER = 41\n"})
    repo.task(type_="change")
    repo.write({"notes.txt": "two\n"})
    claim(repo, "file:notes.txt")


def python(body: str) -> str:
    """An entry in Python; ``task`` is its task folder."""
    return f"#!/usr/bin/env python3\nimport json, os, sys\ntask = sys.argv[sys.argv.index('--task-dir') + 1]\n{body}"


WRITE = "open(task + '/check.json', 'w').write('{\"errors\": 0}')\n"


def logs(repo: Repository) -> bytes:
    """Everything that the run has published of T1, one after the other."""
    return b"\n".join(path.read_bytes() for path in sorted(repo.artifact("").rglob("*")) if path.is_file())


@pair(3, "ARTIFACT_CONFLICT", f"capability:{SECOND}")
def it_writes_anothers_artifact(repo: Repository, lie: bool) -> Ended:
    name = "check.json" if lie else "second.json"
    adapters_project(repo, GOOD, second=f'#!/bin/sh\nprintf \'{{"errors": 1}}\' > "$3/{name}"\n')
    return repo.verify()


@pair(3, "ARTIFACT_CONFLICT", f"capability:{CHECK}")
def it_writes_a_standard_artifact_that_isnt_its_own(repo: Repository, lie: bool) -> Ended:
    name = "tests.json" if lie else "counts.json"
    forged = '{"passed": 9, "failed": 0, "total": 9, "skipped": 0}'
    adapters_project(repo, f"{GOOD}printf '{forged}' > \"$3/{name}\"\n")
    return repo.verify()


@pair(3, "ARTIFACT_CONFLICT", f"capability:{CHECK}")
def it_writes_the_verdict(repo: Repository, lie: bool) -> Ended:
    name = "verdict.json" if lie else "opinion.json"
    adapters_project(repo, f'{GOOD}printf \'{{"status": "pass"}}\' > "$3/{name}"\n')
    return repo.verify()


@pair(3, "ARTIFACT_CONFLICT", f"capability:{CHECK}")
def it_writes_into_the_logs(repo: Repository, lie: bool) -> Ended:
    folder = "logs" if lie else "notes"
    adapters_project(repo, f'{GOOD}mkdir -p "$3/{folder}"\necho "all well" > "$3/{folder}/code.diff.err"\n')
    return repo.verify()


@pair(3, "ARTIFACT_CONFLICT", f"capability:{CHECK}")
def it_rewrites_the_claim(repo: Repository, lie: bool) -> Ended:
    target = "claim.json" if lie else "copy.json"
    adapters_project(repo, f'{GOOD}tr n m < "$7" > "$TMPDIR/changed"\ncat "$TMPDIR/changed" > "$3/{target}"\n')
    return repo.verify()


@pair(3, "ARTIFACT_INVALID", f"capability:{CHECK}")
def it_follows_a_link_out_of_its_folder(repo: Repository, lie: bool) -> Ended:
    outside = repo.root / "outside.json"
    target = "$GATE_REPO_ROOT/outside.json" if lie else "$3/inside.json"
    script = f'#!/bin/sh\nprintf \'{{"errors": 0}}\' > "{target}"\nln -s "{target}" "$3/check.json"\n'
    adapters_project(repo, script)
    ended = repo.verify()
    assert not outside.exists()
    return ended


@pair(3, "ADAPTER_TIMEOUT", f"capability:{CHECK}")
def it_forks_and_hangs(repo: Repository, lie: bool) -> Ended:
    """A grandchild in a session of its own keeps the streams open; nothing of it may outlive the run."""
    marker = f"twin-{repo.root.parent.name}-{time.time_ns()}"
    body = (
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        f"        os.execv('/bin/sh', ['sh', '-c', \"trap '' TERM HUP INT; while :; do sleep 1; done\", '{marker}'])\n"
        "    os._exit(0)\n"
        "os.wait()\n"
    )
    hang = "import time\ntime.sleep(600)\n" if lie else ""
    adapters_project(repo, python(body + WRITE + hang), timeout=1 if lie else 20)
    ended = repo.verify(timeout=60)
    assert gone(marker)
    return ended


@pair(3, "ADAPTER_CRASH", f"capability:{CHECK}")
def it_floods_its_error_stream_with_a_gigabyte(repo: Repository, lie: bool) -> Ended:
    flood = "head -c 1073741824 /dev/zero >&2\nexit 1\n" if lie else "head -c 1073741 /dev/zero >&2\n"
    adapters_project(repo, GOOD + flood, timeout=60)
    ended = repo.verify()
    assert sum(path.stat().st_size for path in repo.artifact("logs").iterdir()) < 8 << 20
    return ended


@pair(3, "ADAPTER_CRASH", f"capability:{CHECK}")
def it_prints_secrets_from_the_environment(repo: Repository, lie: bool) -> Ended:
    """It looks in its own environment and in that of every process it can see; nothing of it may be kept."""
    secret = "hunter2-correct-horse-battery"
    body = (
        "import glob\n"
        "seen = [repr(dict(os.environ))]\n"
        "for name in glob.glob('/proc/[0-9]*/environ'):\n"
        "    try:\n"
        "        seen.append(open(name, errors='replace').read())\n"
        "    except OSError:\n"
        "        pass\n"
        "sys.stderr.write('\\n'.join(seen))\n"
        "print('\\n'.join(seen))\n"
        "json.dump({'seen': seen}, open(task + '/seen.json', 'w'))\n"
    )
    adapters_project(repo, python((body + WRITE + "sys.exit(1)\n") if lie else WRITE))
    ended = repo.verify(DEPLOY_TOKEN=secret, DATABASE_URL=f"postgres://me:{secret}@host/db")
    assert secret.encode() not in logs(repo)
    assert secret.encode() not in ended.stdout + ended.stderr
    return ended


@pair(3, "ARTIFACT_MISSING", f"capability:{CHECK}")
def it_exits_0_with_no_artifact(repo: Repository, lie: bool) -> Ended:
    adapters_project(repo, "#!/bin/sh\nexit 0\n" if lie else GOOD, rules={"required_artifacts": [CHECK]})
    return repo.verify()


def _writes(repo: Repository, text: str) -> Ended:
    adapters_project(repo, python(f"open(task + '/check.json', 'w').write({text!r})\n"))
    return repo.verify()


INVALID = (3, "ARTIFACT_INVALID", f"capability:{CHECK}")


@pair(*INVALID)
def it_writes_invalid_json(repo: Repository, lie: bool) -> Ended:
    return _writes(repo, '{"errors": 0,}' if lie else '{"errors": 0}')


@pair(*INVALID)
def it_writes_nan(repo: Repository, lie: bool) -> Ended:
    return _writes(repo, '{"errors": NaN}' if lie else '{"errors": 0.5}')


@pair(*INVALID)
def it_writes_the_same_key_twice(repo: Repository, lie: bool) -> Ended:
    return _writes(repo, '{"errors": 7, "errors": 0}' if lie else '{"errors": 7, "warnings": 0}')


@pair(*INVALID)
def it_writes_json_too_deep_to_read(repo: Repository, lie: bool) -> Ended:
    depth = 100_000 if lie else 20
    return _writes(repo, "[" * depth + "]" * depth)


@pair(*INVALID)
def it_writes_an_artifact_of_200_mb(repo: Repository, lie: bool) -> Ended:
    size = 200 << 20 if lie else 2 << 10
    adapters_project(repo, python(f"open(task + '/check.json', 'w').write('\"' + 'x' * {size} + '\"')\n"))
    return repo.verify()


@pair(*INVALID)
def it_writes_a_sparse_artifact_of_a_terabyte(repo: Repository, lie: bool) -> Ended:
    size = 1 << 40 if lie else 12
    body = f"stream = open(task + '/check.txt', 'wb')\nstream.write(b'errors: none')\nstream.truncate({size})\n"
    adapters_project(repo, python(body), rules={"required_artifacts": ["check.txt"]})
    return repo.verify()


@pair(*INVALID)
def it_leaves_a_pipe_that_nobody_writes_to(repo: Repository, lie: bool) -> Ended:
    body = "os.mkfifo(task + '/waiting.json')\n" if lie else "open(task + '/waiting.json', 'w').write('1')\n"
    adapters_project(repo, python(WRITE + body))
    return repo.verify(timeout=60)


@pair(*INVALID)
def its_file_name_has_a_newline(repo: Repository, lie: bool) -> Ended:
    name = "a\nb.txt" if lie else "a b.txt"
    adapters_project(repo, python(WRITE + f"open(task + '/' + {name!r}, 'w').write('x')\n"))
    return repo.verify()


@pair(*INVALID)
def it_writes_a_number_beyond_a_double(repo: Repository, lie: bool) -> Ended:
    return _writes(repo, '{"errors": 1e400}' if lie else '{"errors": 1e40}')


@pair(*INVALID)
def it_writes_half_a_character(repo: Repository, lie: bool) -> Ended:
    """A lone surrogate has no UTF-8, and so no canonical form."""
    return _writes(repo, '{"note": "\\ud83d"}' if lie else '{"note": "\\ud83d\\ude00"}')


@pair(*INVALID)
def it_writes_utf_16(repo: Repository, lie: bool) -> Ended:
    encoding = "utf-16" if lie else "utf-8"
    adapters_project(repo, python(f"open(task + '/check.json', 'wb').write('[1]'.encode('{encoding}'))\n"))
    return repo.verify()


@pair(*INVALID)
def it_writes_more_files_than_anybody_reads(repo: Repository, lie: bool) -> Ended:
    count = 10_050 if lie else 50
    body = f"for n in range({count}):\n    open(f'{{task}}/{{n}}.txt', 'w').close()\n"
    adapters_project(repo, python(WRITE + body))
    return repo.verify()


@pair(3, "ARTIFACT_MISSING", f"capability:{CHECK}")
def it_leaves_a_folder_where_a_file_is_due(repo: Repository, lie: bool) -> Ended:
    make = "os.mkdir(task + '/check.json')\n" if lie else WRITE
    adapters_project(repo, python(make), rules={"required_artifacts": [CHECK]})
    return repo.verify()


@pair(3, "ADAPTER_CRASH", f"capability:{SECOND}")
def it_reaches_into_the_folders_of_others(repo: Repository, lie: bool) -> Ended:
    """Above its own folder lie those of the others, and what the gate has accepted."""
    top = "os.path.dirname(os.path.dirname(task))" if lie else "task"
    body = (
        f"for folder, _, names in os.walk({top}):\n"
        "    for name in names:\n"
        "        if name == 'check.json' and folder != task:\n"
        "            open(os.path.join(folder, name), 'w').write('{\"errors\": 9}')\n"
        "open(task + '/second.json', 'w').write('1')\n"
    )
    adapters_project(repo, GOOD, second=python(body))
    ended = repo.verify()
    assert repo.artifact("check.json").read_bytes() == b'{"errors": 0}'
    return ended


@pair(2, says="entry")
def its_entry_lies_outside_its_folder(repo: Repository, lie: bool) -> Ended:
    repo.write({"tools/entry": GOOD})
    adapters_project(repo, GOOD, entry="../../tools/entry" if lie else "./bin/entry")
    return repo.verify()


@pair(3, "ARTIFACT_INVALID", "capability:code:lint")
def its_counts_do_not_add_up(repo: Repository, lie: bool) -> Ended:
    """A report of a linter with an error in its list and none in its count."""
    errors = 0 if lie else 1
    lint = {"errors": errors, "warnings": 0, "files_checked": 1, "issues": [{"severity": "error", "message": "E"}]}
    repo.policy(["code:diff", "code:lint"], {"lint_errors_max": 1})
    repo.adapter("lint", "code:lint", python(f"json.dump({lint!r}, open(task + '/lint.json', 'w'))\n"))
    repo.commit({"notes.py": "one = 1\n"})
    repo.task(type_="change")
    repo.write({"notes.py": "one = 2\n"})
    claim(repo, "file:notes.py")
    return repo.verify()


@pair(3, "ADAPTER_CRASH", f"capability:{CHECK}")
def it_is_killed_half_way(repo: Repository, lie: bool) -> Ended:
    adapters_project(repo, GOOD + ("kill -KILL $$\n" if lie else "kill -0 $$\n"))
    return repo.verify()


@pair(3, "MISSING_ADAPTER", f"capability:{CHECK}")
def its_entry_is_not_there(repo: Repository, lie: bool) -> Ended:
    adapters_project(repo, GOOD, entry="bin/entries" if lie else "bin/entry")
    return repo.verify()


@pair(3, "MISSING_ADAPTER", "capability:mine:absent")
def nobody_provides_what_is_required(repo: Repository, lie: bool) -> Ended:
    adapters_project(repo, GOOD, order=("mine:absent" if lie else CHECK,))
    return repo.verify()


@pair(4, "ARTIFACT_MISSING", "any.required_artifacts:check.json")
def an_optional_one_fails_and_a_rule_reads_it(repo: Repository, lie: bool) -> Ended:
    repo.policy(["code:diff", CHECK], {"required_artifacts": ["check.json"]}, optional=[CHECK])
    # Named by its artifact, which no plan and no standard gives to a capability: the rule makes it no more required.
    repo.adapter("mine", CHECK, GOOD + ("exit 1\n" if lie else ""))
    repo.commit({"notes.txt": "one\n"})
    repo.task(type_="change")
    repo.write({"notes.txt": "two\n"})
    claim(repo, "file:notes.txt")
    return repo.verify()


@pair(1, "CUSTOM_RULE", "custom.answer")
def it_repairs_the_subject_for_those_that_come_after(repo: Repository, lie: bool) -> Ended:
    """The second reads ``answer.py``; what the first has made of it must be gone by then."""
    repair = "echo 'ANSWER = 42' > \"$GATE_REPO_ROOT/answer.py\"\n"
    read = "exec(open(os.environ['GATE_REPO_ROOT'] + '/answer.py').read())\n"
    rule = {"id": "answer", "expr": 'artifacts["second.json"].answer == 42', "message": "the answer is wrong"}
    second = python(read + "json.dump({'answer': ANSWER}, open(task + '/second.json', 'w'))\n")
    adapters_project(repo, GOOD + repair, second=second, rules={"rules": [rule]})
    if not lie:
        repo.write({"answer.py": "ANSWER = 42\n"})
    return repo.verify()


@pair(1, "DIFF_MISMATCH", "unit:file:answer.py")
def it_rewrites_the_history_of_its_checkout(repo: Repository, lie: bool) -> Ended:
    """With a commit and an index of its own it tries to make ``code:diff`` see a change that isn't there."""
    script = (
        f"{GOOD}cd \"$GATE_REPO_ROOT\"\necho 'ANSWER = 42' > answer.py\n"
        "git -c user.name=a -c user.email=a@example.com commit --quiet -am forged >&2\n"
        "git update-index --assume-unchanged notes.txt\n"
        "git config core.hooksPath /nowhere\n"
    )
    repo.policy([CHECK, "code:diff"], {"required_artifacts": ["check.json"]})
    repo.adapter("mine", CHECK, script)
    repo.commit({"notes.txt": "one\n", "answer.py": "ANSWER = 41\n"})
    repo.task(type_="change")
    repo.write({"notes.txt": "two\n"} if lie else {"notes.txt": "two\n", "answer.py": "ANSWER = 43\n"})
    claim(repo, "file:notes.txt", "file:answer.py")
    before = repo.git("status", "--porcelain", "--branch"), repo.git("config", "--list", "--local"), repo.head
    ended = repo.verify()
    assert (repo.git("status", "--porcelain", "--branch"), repo.git("config", "--list", "--local"), repo.head) == before
    return ended


@pair(1, "DIFF_MISMATCH", "unit:file:answer.py")
def it_writes_to_the_users_own_tree(repo: Repository, lie: bool) -> Ended:
    path = repo.root / "answer.py"
    write = f"echo 'ANSWER = 42' > '{path}'\n" if lie else ""
    adapters_project(repo, GOOD + write)
    if not lie:
        repo.write({"answer.py": "ANSWER = 42\n"})
    claim(repo, "file:notes.txt", "file:answer.py")
    before = path.read_bytes()
    first = repo.verify()
    assert path.read_bytes() == before
    assert first.exit_code == (1 if lie else 0), str(first)
    return repo.verify()


@pair(3, "CUSTOM_RULE", "custom.clean")
def a_rule_that_cannot_be_evaluated_is_no_rule_that_holds(repo: Repository, lie: bool) -> Ended:
    member = "errors.count" if lie else "errors"
    rule = {"id": "clean", "expr": f'artifacts["check.json"].{member} == 0', "message": "there are errors"}
    adapters_project(repo, GOOD, rules={"rules": [rule]})
    return repo.verify()
