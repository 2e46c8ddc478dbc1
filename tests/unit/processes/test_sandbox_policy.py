# ruff: noqa: S108 (paths in argument vectors that are only compared)
from __future__ import annotations

from pathlib import Path

import pytest

from verigate.domain.manifest import SandboxPolicy
from verigate.domain.ports import Mount
from verigate.errors import ExecutionError, UsageError
from verigate.processes.granted_paths import GrantedPath
from verigate.processes.job import Containment
from verigate.processes.sandbox import (
    AS_ROOT,
    Bubblewrap,
    Landlock,
    choose_sandbox,
    find_secret_stores,
    launch_in_sandbox,
    launch_under_supervisor,
    probe_bubblewrap,
    report_sandbox,
)
from verigate.processes.sandbox_view import Confinement

FOUND = Bubblewrap("/usr/bin/bwrap")


def test_the_policy_decides() -> None:
    assert choose_sandbox("off", FOUND) is None
    assert choose_sandbox("prefer", FOUND) is FOUND
    assert choose_sandbox("prefer", None) is None
    assert choose_sandbox("require", FOUND) is FOUND


def test_a_required_sandbox_that_is_missing_is_an_error() -> None:
    with pytest.raises(ExecutionError, match="requires a sandbox"):
        choose_sandbox("require", None)


def test_landlock_is_preferred_to_nothing_and_not_enough_where_a_sandbox_is_required() -> None:
    found = Landlock(7, "/python")
    assert choose_sandbox("prefer", found) is found
    assert choose_sandbox("off", found) is None
    with pytest.raises(ExecutionError, match="Landlock alone doesn't hold pid-namespace, file-attributes, sockets"):
        choose_sandbox("require", found)


def test_namespaces_without_bubblewrap_are_enough() -> None:
    found = Bubblewrap("/python", ("--unshare-user",), ("-I", "namespaces.py"))
    assert choose_sandbox("require", found) is found
    assert report_sandbox(found, SandboxPolicy()).mechanism == "namespaces"
    assert launch_in_sandbox(found, confinement(), ("/a/entry",), None).argv[:3] == ("/python", "-I", "namespaces.py")


def test_what_landlock_lacks_depends_on_the_kernel_and_the_manifest() -> None:
    always = ("pid-namespace", "file-attributes", "sockets")
    closed, opened = SandboxPolicy(network=False, read_only=True), SandboxPolicy(network=True)
    assert report_sandbox(Landlock(7, "/p"), closed).missing == (*always, "loopback")
    assert report_sandbox(Landlock(7, "/p"), opened).missing == always
    assert report_sandbox(Landlock(1, "/p"), opened).missing == (*always, "filesystem", "signals")
    report = report_sandbox(Landlock(7, "/p"), closed)
    assert (report.mechanism, report.network, report.read_only, report.is_whole) == ("landlock", False, True, False)


def test_an_unknown_policy_is_an_error() -> None:
    with pytest.raises(UsageError, match="'maybe'"):
        choose_sandbox("maybe", FOUND)


def test_a_bubblewrap_that_fails_or_is_missing_is_not_used(tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    assert probe_bubblewrap(str(broken)) is None
    assert probe_bubblewrap(str(tmp_path / "none")) is None
    assert probe_bubblewrap(None) is None


def test_a_bubblewrap_that_needs_a_user_namespace_gets_one(tmp_path: Path) -> None:
    picky = tmp_path / "bwrap"
    picky.write_text('#!/bin/sh\nfor each; do [ "$each" = --unshare-user ] && exit 0; done\nexit 1\n')
    picky.chmod(0o755)
    assert probe_bubblewrap(str(picky), root=False) == Bubblewrap(str(picky), ("--unshare-user",))
    assert probe_bubblewrap(str(picky), root=True) == Bubblewrap(str(picky), AS_ROOT)


def test_root_without_user_namespaces_has_a_sandbox(tmp_path: Path) -> None:
    picky = tmp_path / "bwrap"
    picky.write_text('#!/bin/sh\nfor each; do [ "$each" != --unshare-user ] || exit 1; done\n')
    picky.chmod(0o755)
    assert probe_bubblewrap(str(picky), root=True) == Bubblewrap(str(picky))


def test_the_report_says_what_is_in_force_and_what_is_missing() -> None:
    strict = SandboxPolicy(network=False, read_only=True)
    inside, outside = report_sandbox(FOUND, strict), report_sandbox(None, strict)
    assert (inside.mechanism, inside.network, inside.read_only, inside.missing) == ("bubblewrap", False, True, ())
    assert (outside.mechanism, outside.network, outside.read_only) == ("process-group", True, False)
    assert outside.missing == ("filesystem", "network", "pid-namespace", "read-only")
    assert report_sandbox(None, SandboxPolicy(network=True)).missing == ("filesystem", "pid-namespace")


def confinement(**fields: object) -> Confinement:
    values: dict[str, object] = {
        "root": "/repo",
        "mounts": (Mount("/w/checkout", "/repo", False), Mount("/repo/.venv", "/repo/.venv", True)),
        "visible": ("/tmp/w", "/usr/lib", "/tmp/-rf $(x)\n"),
        "writable": ("/tmp/w/staging",),
        "tmp": "/tmp/w/tmp",
        "links": ("/tmp/w/core", {"cat": "/bin/cat"}),
        "masked": (),
        "empty": "/tmp/w/empty",
        "network": False,
        "read_only": False,
    }
    return Confinement(**(values | fields))  # type: ignore[arg-type]


def options(**fields: object) -> tuple[str, ...]:
    return launch_in_sandbox(FOUND, confinement(**fields), ("/a/entry", "x:y"), None).argv


def test_a_folder_of_links_that_is_kept_is_shown_instead_of_making_them() -> None:
    vector = options(linked="/home/u/.cache/verigate/core/abc")
    assert position(vector, "--ro-bind", "/home/u/.cache/verigate/core/abc", "/tmp/w/core")
    assert "--symlink" not in vector


def position(vector: tuple[str, ...], *words: str) -> int:
    starts = [at for at in range(len(vector)) if vector[at : at + len(words)] == words]
    assert len(starts) == 1, (words, vector)
    return starts[0]


def test_the_network_is_cut_unless_declared() -> None:
    assert "--unshare-net" in options()
    assert "--unshare-net" not in options(network=True)


def test_later_options_stand_on_earlier_ones() -> None:
    vector = options()
    order = [
        position(vector, "--ro-bind", "/", "/"),
        position(vector, "--bind", "/tmp/w/tmp", "/tmp"),
        position(vector, "--ro-bind-try", "/tmp/w", "/tmp/w"),
        position(vector, "--bind", "/w/checkout", "/repo"),
        position(vector, "--ro-bind", "/repo/.venv", "/repo/.venv"),
        position(vector, "--bind", "/tmp/w/staging", "/tmp/w/staging"),
        position(vector, "--tmpfs", "/tmp/w/core"),
        position(vector, "--symlink", "/bin/cat", "/tmp/w/core/cat"),
        position(vector, "--remount-ro", "/tmp/w/core"),
        position(vector, "--chdir", "/repo"),
        position(vector, "--", "/bin/sh", "-c"),
    ]
    assert order == sorted(order)


def test_only_what_would_be_hidden_is_shown_again() -> None:
    vector = options()
    assert "/tmp/-rf $(x)\n" in vector
    assert "/usr/lib" not in vector


def test_secrets_in_a_folder_that_is_shown_again_are_hidden_again() -> None:
    vector = options(visible=("/tmp/home",), masked=("/tmp/home/credentials.toml", "/home/u/.netrc"))
    again = [at for at, word in enumerate(vector) if word == "/tmp/home/credentials.toml"]
    assert again[0] < position(vector, "--ro-bind-try", "/tmp/home", "/tmp/home") < again[1]
    assert vector.count("/home/u/.netrc") == 1


def test_a_home_is_empty_but_for_what_is_visible() -> None:
    vector = options(homes=("/home",), visible=("/home/u/.cargo", "/usr/lib"), masked=("/home/u/.ssh",))
    assert position(vector, "--tmpfs", "/home") < position(vector, "--ro-bind-try", "/home/u/.cargo", "/home/u/.cargo")
    assert position(vector, "--remount-ro", "/home") > position(vector, "--bind", "/w/checkout", "/repo")
    assert "/home/u/.ssh" not in vector


def test_secrets_in_a_home_that_a_grant_opens_are_masked() -> None:
    grant = GrantedPath("/home/u", "/home/u")
    vector = options(homes=("/home",), granted=(grant,), masked=("/home/u/.netrc",))
    opened = position(vector, "--ro-bind", "/home/u", "/home/u")
    assert opened < position(vector, "--ro-bind", "/tmp/w/empty", "/home/u/.netrc")


def test_a_grant_inside_a_toolchain_that_is_shown_stays_writable() -> None:
    grant = GrantedPath("/home/u/.cargo/x", "/home/u/.cargo/x", writable=True)
    vector = options(homes=("/home",), granted=(grant,), visible=("/home/u/.cargo",))
    last = max(at for at, word in enumerate(vector) if word == "--bind" and vector[at + 1] == "/home/u/.cargo/x")
    assert last > position(vector, "--ro-bind-try", "/home/u/.cargo", "/home/u/.cargo")


def test_a_checkout_at_the_home_itself_stays_writable() -> None:
    vector = options(homes=("/home/u",), mounts=(Mount("/w/checkout", "/home/u", False),), root="/home/u")
    assert "/home/u" not in [vector[at + 1] for at, word in enumerate(vector) if word == "--remount-ro"]


def test_the_kernels_settings_are_read_only() -> None:
    vector = options()
    assert position(vector, "--proc", "/proc") < position(vector, "--ro-bind-try", "/proc/sys", "/proc/sys")


def test_secrets_of_homes_that_the_environment_names(tmp_path: Path) -> None:
    for name in ("cargo/credentials.toml", "gradle/gradle.properties", ".gradle/gradle.properties"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    homes = {"CARGO_HOME": str(tmp_path / "cargo"), "GRADLE_USER_HOME": str(tmp_path / "gradle")}
    found = find_secret_stores({"HOME": str(tmp_path), **homes})
    names = [".gradle/gradle.properties", "cargo/credentials.toml", "gradle/gradle.properties"]
    assert [path.removeprefix(f"{tmp_path}/") for path in found] == names


def test_a_read_only_subject_is_remounted_after_its_mount_points_are_made() -> None:
    vector = options(read_only=True)
    assert position(vector, "--remount-ro", "/repo") > position(vector, "--ro-bind", "/repo/.venv", "/repo/.venv")
    assert position(vector, "--bind", "/w/checkout", "/repo") < position(vector, "--remount-ro", "/repo")


def test_a_read_only_folder_with_mounts_in_it_is_remounted_after_them() -> None:
    mounts = (Mount(None, "/w/deps", True), Mount("/repo/.git/objects", "/w/deps/objects-0", True))
    vector = options(mounts=mounts)
    assert position(vector, "--tmpfs", "/w/deps") < position(
        vector, "--ro-bind", "/repo/.git/objects", "/w/deps/objects-0"
    )
    assert position(vector, "--remount-ro", "/w/deps") > position(
        vector, "--ro-bind", "/repo/.git/objects", "/w/deps/objects-0"
    )


def test_secret_stores_are_those_that_exist(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / "elsewhere").mkdir()
    (home / ".aws").symlink_to(home / "elsewhere")
    (home / ".netrc").write_text("machine x")
    (home / ".local" / "state" / "verigate").mkdir(parents=True)
    (home / ".cache" / "verigate").mkdir(parents=True)
    expected = {".ssh", "elsewhere", ".netrc", ".local/state/verigate", ".cache/verigate"}
    assert set(find_secret_stores({"HOME": str(home)})) == {str(home / name) for name in expected}
    assert find_secret_stores({}) == ()


@pytest.mark.parametrize("variable", ["GATE_REMOTE_CACHE_KEY", "GATE_REMOTE_CERTIFICATE_KEY", "GATE_REMOTE_TOKEN_FILE"])
def test_what_servers_of_results_are_shown_is_a_secret(tmp_path: Path, variable: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a key\n")
    assert find_secret_stores({variable: str(secret)}) == (str(secret),)
    assert find_secret_stores({variable: ""}) == ()


def test_memory_is_bounded_in_both_containments() -> None:
    inside = launch_in_sandbox(FOUND, confinement(), ("/a/entry",), 100)
    assert inside.containment is Containment.NAMESPACE
    assert inside.argv[-2:] == ("102400", "/a/entry")
    outside = launch_under_supervisor("/python", ("/a/entry",), "/checkout", 100)
    assert outside.containment is Containment.SUPERVISOR
    assert outside.argv[-3:] == ("/checkout", "102400", "/a/entry")
    assert outside.argv[:3] == ("/python", "-I", "-S")
