"""Find the keys, the git objects and the names that attestations are made and verified with."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct

from verigate import __version__
from verigate.composition import now
from verigate.domain.attestation import AttestedSubject
from verigate.domain.policy_source import PolicyRef
from verigate.domain.profile import SIGNERS_FILE
from verigate.domain.subject import SubjectKind
from verigate.domain.verdict_chain import CHAINS, WORKTREE_CHAINS, Chain
from verigate.errors import ConfigError, EvidenceError, Fault, SubjectError, UsageError
from verigate.evidence.attestations.signing_keys import require_packages
from verigate.evidence.verdict_chain import read_chain_at
from verigate.subject.git import Git, is_git, open_repository
from verigate.subject.git_query import read_git_line
from verigate.subject.policy_ref import resolve_policy_ref
from verigate.subject.workspace import open_workspace
from verigate.usecases.policy_ref import find_policy_ref

if TYPE_CHECKING:
    from verigate.evidence.attestations.trusted_keys import KeySource, TrustedKeys
    from verigate.usecases.attest import AttestationWanted, FindSubject, Made
    from verigate.usecases.verify_attestations import AttestationReport, Expected


class TrustWanted(Struct, frozen=True):
    """Whose signatures count, as the caller names them: files of keys, the ref that those of the repository are read
    from, and of sigstore an identity, its issuer and the file of a trusted root.
    """

    keys: tuple[Path, ...] = ()
    keys_ref: str | None = None
    identity: str | None = None
    issuer: str | None = None
    trusted_root: Path | None = None


_DEFAULT_REF = "refs/remotes/origin/HEAD"
_CHAIN = re.compile(rf"({CHAINS}|{WORKTREE_CHAINS}/[0-9a-f]{{16}})/[A-Za-z0-9_-]{{1,64}}")
_LARGEST_FILE = 64 * 1024 * 1024
_LARGEST_KEYS = 1_000_000
_LONGEST_ADDRESS = 1000
_SCP_ADDRESS = re.compile(r"(?:[^/:@]*@)?([^/:@]+):(?!//)(.+)")


def name_verifier() -> str:
    """Name this gate as a verifier: by major and minor version, within which its logic stays."""
    return f"https://verigate.invalid/gate/v{'.'.join(__version__.split('.')[:2])}"


def name_resource(root: Path, environ: Mapping[str, str]) -> str:
    """Name the repository by the address of its remote ``origin``, without credentials, query and fragment.

    Without one it is named by its folder. Whoever can write ``.git/config`` can choose it.
    """
    address = (read_git_line(root, environ, "config", "--get", "remote.origin.url") or "")[:_LONGEST_ADDRESS]
    if scp := _SCP_ADDRESS.fullmatch(address):
        address = f"ssh://{scp[1]}/{scp[2].lstrip('/')}"
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        host = ""
    if not host or parts.scheme == "file":
        return f"urn:verigate:repository:{re.sub(r'[^A-Za-z0-9._-]', '_', root.name) or '_'}"
    return urlunsplit((f"git+{parts.scheme.removeprefix('git+')}", f"{host}{port}", parts.path, "", ""))


def attest_task(
    root: Path,
    folder: Path,
    wanted: AttestationWanted,
    *,
    key: Path | None,
    option: str,
    ref: str | None,
    environ: Mapping[str, str],
) -> Made:
    """Make statements about the task of ``folder``, signed with the key at ``key``, if any, which ``option`` named."""
    from verigate.evidence.attestations.signing_keys import load_signer

    require_packages("gate attest")
    from verigate.usecases.attest import attest

    sign = load_signer(key, environ, root, option=option) if key is not None else None
    return attest(
        root, folder, wanted, find_subject=_subject_finder(root, environ, ref), sign=sign, now=now(), environ=environ
    )


def _subject_finder(root: Path, environ: Mapping[str, str], ref: str | None) -> FindSubject:
    return lambda verdict: find_judged(root, environ, verdict, ref)


def find_judged(
    root: Path,
    environ: Mapping[str, str],
    verdict: Mapping[str, Any],
    ref: str | None = None,
    *,
    what: str = "attested",
) -> AttestedSubject:
    """Return what the verdict is about, as it is here now: the commit ``ref``, without it HEAD or what was verified.

    Raises EvidenceError, ``not <what>``, where none of these is the tree that was judged.
    """
    judged, tree = verdict["subject"]["kind"], str(verdict["subject"]["tree"])
    if judged == SubjectKind.FOLDER or not is_git(root):
        hint = f"put the folder under git: its trees and commits are what is {what}"
        raise EvidenceError(f"not {what}: this is not a git repository", where=str(root), hint=hint)
    for subject in _list_candidates(root, environ, verdict, ref):
        if subject.tree == tree:
            return subject
    place = f"{ref}" if ref is not None else "HEAD, or what was verified"
    hint = f"run `gate verify {verdict['task_id']}` again"
    message = f"not {what}: {place} is no longer the tree that was judged, {tree}"
    raise EvidenceError(message, where=str(root), hint=hint)


def _list_candidates(
    root: Path, environ: Mapping[str, str], verdict: Mapping[str, Any], ref: str | None
) -> Iterator[AttestedSubject]:
    """Yield what may be the tree that was judged: the commit ``ref``; without it HEAD, and then what was verified."""
    found = read_commit_subject(root, environ, ref or "HEAD")
    if found is not None:
        yield found
    if ref is not None:
        return
    judged = SubjectKind(verdict["subject"]["kind"])
    if judged is not SubjectKind.COMMIT:
        yield _read_subject(root, environ, judged)
        return
    named = (verdict["metadata"].get("subject") or {}).get("commit")
    if isinstance(named, str) and (of_verdict := read_commit_subject(root, environ, named)) is not None:
        yield of_verdict


def read_commit_subject(root: Path, environ: Mapping[str, str], name: str) -> AttestedSubject | None:
    """Return a commit and its tree as the gate judges it, without ``.artifacts``; None for HEAD of an unborn branch."""
    if name == "HEAD" and read_git_line(root, environ, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") is None:
        return None
    return _read_subject(root, environ, SubjectKind.COMMIT, name)


def _read_subject(root: Path, environ: Mapping[str, str], kind: SubjectKind, ref: str | None = None) -> AttestedSubject:
    with open_workspace(root, kind=kind, ref=ref, environ=environ) as workspace:
        commit = workspace.names.commit if kind is SubjectKind.COMMIT else None
        return AttestedSubject(workspace.subject.tree, commit)


def list_expected_subjects(root: Path, environ: Mapping[str, str], ref: str | None) -> tuple[AttestedSubject, ...]:
    """Return what an attestation may be about: the commit ``ref``; without it HEAD, or the working tree as it is."""
    if ref is not None:
        found = read_commit_subject(root, environ, ref)
        return (found,) if found is not None else ()
    head = read_commit_subject(root, environ, "HEAD")
    tree = _read_subject(root, environ, SubjectKind.WORKTREE)
    return (tree,) if head is None else (head, tree)


def verify_file(
    root: Path,
    path: Path,
    expected: Expected,
    *,
    trust: TrustWanted,
    environ: Mapping[str, str],
) -> AttestationReport:
    """Verify the attestations in a file by keys and identities that the change doesn't choose."""
    require_packages("gate attest verify")
    from verigate.evidence.attestations.envelope import open_envelope, read_envelopes
    from verigate.evidence.attestations.sigstore_bundle import SigstoreTrust, is_bundle, open_bundle
    from verigate.evidence.attestations.trusted_keys import load_trusted_keys
    from verigate.usecases.verify_attestations import verify_attestations

    where = str(path)
    documents = read_envelopes(read_attestation(path), where=where)
    bundles = [document for document in documents if is_bundle(document)]
    signed = [document for document in documents if not is_bundle(document)]
    opened = []
    if bundles:
        trusted_root = None
        if trust.trusted_root is not None:
            trusted_root = _read_trusted(root, environ, trust.trusted_root, trust.keys_ref).content
        by = SigstoreTrust(trust.identity, trust.issuer, trusted_root)
        opened += [open_bundle(document, by, where=where) for document in bundles]
    if signed:
        sources, own = find_key_sources(root, environ, trust.keys, trust.keys_ref)
        keys = load_trusted_keys(sources, own, environ, root)
        opened += [open_envelope(document, keys, where=where) for document in signed]
    return verify_attestations(opened, expected, now=now(), where=where, read_chain=_chain_reader(root, environ))


def read_attestation(path: Path) -> bytes:
    """Read a file of attestations. Raises UsageError without one."""
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST_FILE + 1)
    except (FileNotFoundError, IsADirectoryError) as problem:
        hint = "make it with `gate attest`, or name the file"
        raise UsageError("there is no attestation", where=str(path), hint=hint) from problem


def _chain_reader(root: Path, environ: Mapping[str, str]) -> Any:
    def read(ref: str) -> Chain | None:
        if not is_git(root) or _CHAIN.fullmatch(ref) is None:
            return None
        found = read_chain_at(root, environ, ref)
        return None if found.is_unknown else found

    return read


def find_key_sources(
    root: Path, environ: Mapping[str, str], files: Sequence[Path], keys_ref: str | None
) -> tuple[tuple[KeySource, ...], KeySource | None]:
    """Return the files of trusted keys, and the signers that the change itself names, for a message.

    A file outside of the repository is read as it is. One inside, and SIGNERS_FILE where no file is named, is read from
    the trusted ref: a change must not bring the keys that vouch for it. Raises ConfigError.
    """
    from verigate.evidence.attestations.trusted_keys import KeySource

    sources = [_read_trusted(root, environ, file, keys_ref) for file in files]
    own = _read_blob(root, environ, "HEAD", SIGNERS_FILE)
    if not files:
        sources.append(_read_at_ref(root, environ, SIGNERS_FILE, keys_ref))
    return tuple(sources), None if own is None else KeySource(f"HEAD:{SIGNERS_FILE}", own)


def load_key_files(
    files: Sequence[Path],
    environ: Mapping[str, str],
    root: Path,
    *,
    repository: Path | None = None,
    ref: str | None = None,
) -> TrustedKeys:
    """Load the keys of files that are read as they are, and those of SIGNERS_FILE in ``repository`` at ``ref``, if any.

    No program below ``root`` is used. Raises ConfigError and UsageError.
    """
    require_packages("gate serve --keys")
    from verigate.evidence.attestations.trusted_keys import KeySource, load_trusted_keys

    sources = [KeySource(str(file), _read_key_file(file)) for file in files]
    if repository is not None and ref is not None:
        sources.append(_read_at_ref(repository, environ, SIGNERS_FILE, ref))
    return load_trusted_keys(sources, None, environ, root)


def _read_trusted(root: Path, environ: Mapping[str, str], file: Path, keys_ref: str | None) -> KeySource:
    from verigate.evidence.attestations.trusted_keys import KeySource

    name = _find_place(root, file) if is_git(root) else None
    if name is not None:
        return _read_at_ref(root, environ, name, keys_ref)
    return KeySource(str(file), _read_key_file(file))


def _find_place(root: Path, file: Path) -> str | None:
    """Return the path of a file in the repository; None outside. A link in the repository that leads out is inside."""
    for folder, place in ((root.absolute(), file.absolute()), (root.resolve(), file.resolve())):
        inner = os.path.relpath(place, folder)
        if inner != ".." and not inner.startswith("../"):
            return inner
    return None


def _read_key_file(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(_LARGEST_KEYS)
    except OSError as problem:
        raise ConfigError([Fault(f"the key can't be read: {problem.strerror}", str(file))]) from problem


def _read_at_ref(root: Path, environ: Mapping[str, str], name: str, keys_ref: str | None) -> KeySource:
    from verigate.evidence.attestations.trusted_keys import KeySource

    shown, commit = _find_trusted_commit(root, environ, keys_ref)
    content = _read_blob(root, environ, commit, name)
    if content is None:
        message = f"{shown} has no {name}: keys that the change itself adds don't count"
        hint = "name a public key outside of the repository with --key, or a ref that has the file with --keys-ref"
        raise ConfigError([Fault(message, name, hint=hint)])
    return KeySource(f"{shown}:{name}", content)


def _find_trusted_commit(root: Path, environ: Mapping[str, str], keys_ref: str | None) -> tuple[str, str]:
    """Return the ref that keys are read from, as it is shown, and its commit: the named one, else the policy's."""
    named = PolicyRef(keys_ref, "--keys-ref") if keys_ref else find_policy_ref(str(root), environ)
    wanted = named or PolicyRef(_DEFAULT_REF, "gate attest verify")
    git = Git.from_root(str(root), environ)
    try:
        return wanted.name, resolve_policy_ref(git, wanted, open_repository(git)).commit
    except SubjectError:
        hint = "name trusted keys with --key FILE, or the ref that has them with --keys-ref origin/main"
        message = f"trusted keys are to be read from {wanted.name}, which is not here"
        raise UsageError(message, where=wanted.where, hint=hint) from None


def _read_blob(root: Path, environ: Mapping[str, str], commit: str, name: str) -> bytes | None:
    if not is_git(root):
        return None
    done = Git.from_root(str(root), environ).attempt("cat-file", "blob", f"{commit}:{name}")
    return done.stdout[:_LARGEST_KEYS] if done.returncode == 0 else None
