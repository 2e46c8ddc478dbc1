"""Run git: argument vectors, a clean environment, bytes in and out, errors with a hint."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from verigate.errors import SubjectError
from verigate.subject.outside_programs import find_outside_program

_SETTINGS = (
    # The repository's own configuration must not start programs, and no speed setting of the repository or the user may
    # make git overlook a change.
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "core.commitGraph=false",
    "core.multiPackIndex=false",
    "core.safecrlf=false",
    "core.looseCompression=0",
    "core.fsync=none",
    "add.ignoreErrors=false",
    "advice.addEmbeddedRepo=false",
    "advice.addIgnoredFile=false",
    "advice.graftFileDeprecated=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "submodule.recurse=false",
)
_ALONE = (
    # The gate's own git folder takes blobs as they are: no filter, attribute or ignore file of this machine's user.
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.symlinks=true",
    "core.fileMode=true",
)
_ROOM = "make room on the disks of the repository and of TMPDIR, and make both writable"
_HINTS = (
    (b"dubious ownership", "if the repository is yours: git config --global --add safe.directory <its path>"),
    (b"does not have a commit checked out", "commit in that nested repository, or have it ignored"),
    (b"not a git repository", "the .git of this folder can't be used; run git status"),
    (b"must be run in a work tree", "verify a checkout, not a bare repository"),
    (b"unable to create temporary file", _ROOM),
    (b"No space left", _ROOM),
    (b"unable to write", _ROOM),
    (b"couldn't write", _ROOM),
    (b"Permission denied", "make the file readable, or have it ignored"),
    (b"index file", "run git fsck; git reset makes a new index"),
    (b"unable to read", "an object is missing; in a shallow or partial clone: git fetch --unshallow"),
    (b"bad object", "an object is missing; in a shallow or partial clone: git fetch --unshallow"),
    (b"promisor", "a partial clone lacks this object; fetch it with git first: the gate uses no network"),
)


def find_git(path: str, outside: str) -> str:
    """Find the first ``git`` on ``path`` (as in PATH) outside the folder ``outside``. Raises SubjectError for none."""
    found = find_outside_program("git", path, outside)
    if found is None:
        raise SubjectError("there is no git on PATH outside of the repository", hint="install git")
    return found


def escape_bytes(text: bytes) -> str:
    """Decode bytes of a path or of a message to text that is safe to print and valid in JSON."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text.decode("utf-8", "backslashreplace")
    )


def decode_path(path: bytes) -> str:
    """Decode a path's bytes as domain values hold them: UTF-8, any other byte as a backslash, x and two digits."""
    return path.decode("utf-8", "backslashreplace")


class Git(Struct, frozen=True):
    """git in one folder.

    ``environ`` is the caller's; none of its GIT_* variables reach git. ``options`` precede the command. While a command
    runs, one step of ``meanwhile`` (other work) is done.
    """

    program: str
    cwd: str
    environ: Mapping[str, str]
    options: tuple[str, ...] = ()
    meanwhile: Iterator[None] | None = None

    def __repr__(self) -> str:
        """Without the environment, which may hold secrets."""
        return f"Git({self.program!r}, cwd={self.cwd!r}, options={self.options!r})"

    @classmethod
    def from_root(cls, root: str, environ: Mapping[str, str], meanwhile: Iterator[None] | None = None) -> Git:
        """Return git for the repository at ``root`` (absolute), with its own and its user's configuration."""
        kept = {name: value for name, value in environ.items() if not name.startswith("GIT_")}
        kept |= {
            "LC_ALL": "C",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_GRAFT_FILE": "/dev/null",
            "GIT_LFS_SKIP_SMUDGE": "1",
        }
        options = tuple(word for setting in _SETTINGS for word in ("-c", setting))
        return cls(find_git(environ.get("PATH", os.defpath), root), root, kept, options, meanwhile)

    def isolate(self, git_dir: str, work_tree: str) -> Git:
        """Return git for a git folder of the gate's own, without the configuration of the user or the machine."""
        environ = {**self.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
        environ |= {"GIT_ATTR_NOSYSTEM": "1"}
        environ.pop("GIT_OBJECT_DIRECTORY", None)
        own = tuple(word for setting in _ALONE for word in ("-c", setting))
        options = (*self.options, *own, f"--git-dir={git_dir}", f"--work-tree={work_tree}")
        return Git(self.program, work_tree, environ, options, self.meanwhile)

    def with_variables(self, **variables: str) -> Git:
        """Return a copy with more environment variables."""
        return replace(self, environ={**self.environ, **variables})

    def attempt(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run ``git <arguments>`` and return the completed process, whatever its exit code."""
        end = self.begin(*arguments, stdin=stdin)
        if self.meanwhile is not None:
            next(self.meanwhile, None)
        return end()

    def begin(self, *arguments: str, stdin: bytes = b"") -> Callable[[], subprocess.CompletedProcess[bytes]]:
        """Start ``git <arguments>``; call the returned function to wait for the completed process."""
        argv = (self.program, *self.options, *arguments)
        try:
            process = subprocess.Popen(
                argv,
                cwd=self.cwd,
                env=self.environ,
                stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                umask=0o022,
            )
        except (OSError, ValueError) as error:
            raise SubjectError(f"git {arguments[0]} could not be started: {error}", where=self.cwd) from error

        def end() -> subprocess.CompletedProcess[bytes]:
            with process:
                try:
                    out, err = process.communicate(stdin or None)
                except BaseException:
                    process.kill()
                    raise
            return subprocess.CompletedProcess(argv, process.returncode, out, err)

        return end

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Return the standard output of ``git <arguments>``. Raises SubjectError unless it exits with 0."""
        done = self.attempt(*arguments, stdin=stdin)
        if done.returncode != 0:
            raise self.make_error(arguments, done.returncode, done.stderr)
        return done.stdout

    def make_error(self, arguments: Sequence[str], code: int, stderr: bytes) -> SubjectError:
        """Make the error for a failed git command: its last line and a hint."""
        lines = [line for line in stderr.splitlines() if line.strip() and not line.startswith(b"hint:")]
        last = escape_bytes(lines[-1])[:500] if lines else "it printed nothing"
        first = f"{escape_bytes(lines[0])[:500]}; " if len(lines) > 1 else ""
        hint = next((text for mark, text in _HINTS if mark in stderr), None)
        # Our own settings name private folders, which no longer exist when this is read.
        given = arguments[2:] if arguments[0] == "-c" else arguments
        command = escape_bytes(os.fsencode(" ".join(given)))[:300]
        return SubjectError(f"git {command} failed with exit code {code}: {first}{last}", where=self.cwd, hint=hint)


class Repository(Struct, frozen=True):
    """Paths of a repository, absolute. ``head`` is None on an unborn branch."""

    root: str
    git_dir: str
    objects: str
    index: str
    shallow_file: str
    object_format: str
    shallow: bool
    head: str | None


_DESCRIBE = (
    "rev-parse",
    "--path-format=absolute",
    "--show-toplevel",
    "--absolute-git-dir",
    *("--git-path", "objects"),
    *("--git-path", "index"),
    *("--git-path", "shallow"),
    "--show-object-format",
    "--is-shallow-repository",
    *("--revs-only", "HEAD^{commit}"),
)


def open_repository(git: Git) -> Repository:
    """Read the repository whose top-level folder is ``git.cwd``.

    Raises SubjectError if git can't use it or uses another folder as its working tree.
    """
    if "\n" in git.cwd:
        raise SubjectError(
            "the repository's path has a line break in it", where=repr(git.cwd), hint="rename the folder"
        )
    answer = git.attempt(*_DESCRIBE)
    if answer.returncode != 0:
        raise git.make_error(_DESCRIBE, answer.returncode, answer.stderr)
    lines = os.fsdecode(answer.stdout).split("\n")
    if len(lines) not in {8, 9} or lines[-1]:
        raise SubjectError("git's description of this repository can't be read", where=git.cwd)
    toplevel, git_dir, objects, index, shallow_file, object_format, shallow = lines[:7]
    if os.path.realpath(toplevel) != os.path.realpath(git.cwd):
        raise SubjectError(
            f"git takes {toplevel} for the working tree of this folder",
            where=git.cwd,
            hint="run the gate there, or fix core.worktree",
        )
    head = lines[7] or None
    if head is None and git.attempt("rev-parse", "--verify", "--quiet", "HEAD").returncode == 0:
        # Not an unborn branch: treated as one, every file would be new, and nothing would count as weakened.
        raise SubjectError("the commit that HEAD names can't be read", where=git.cwd, hint="run git fsck")
    return Repository(git.cwd, git_dir, objects, index, shallow_file, object_format, shallow == "true", head)


def is_git(root: str | os.PathLike[str]) -> bool:
    """Whether ``root`` is the top of a git working tree: it has a ``.git`` folder or file. Starts no process."""
    return os.path.lexists(os.path.join(root, ".git"))


def list_object_stores(objects: str) -> tuple[str, ...]:
    """List an object folder and all its alternates, absolute (gitrepository-layout(5), objects/info/alternates)."""
    found: dict[str, None] = {}
    pending = [(objects, 0)]
    while pending:
        store, depth = pending.pop(0)
        store = os.path.realpath(store)
        if store in found or depth > 5 or not os.path.isdir(store):
            continue
        found[store] = None
        try:
            with open(os.path.join(store, "info", "alternates"), "rb") as file:
                text = file.read(1_000_000)
        except OSError:
            continue
        lines = [line for line in text.splitlines() if line and not line.startswith((b"#", b'"'))]
        pending.extend((os.path.join(store, os.fsdecode(line)), depth + 1) for line in lines)
    return tuple(found)
