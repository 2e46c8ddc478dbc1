"""Which folders are homes, and what of a home a sandbox shows: toolchains and installed packages, nothing else.

A list of what is secret is never complete (``.pgpass``, ``.my.cnf``, a password store of tomorrow), so a home is empty
but for what is listed here and what the run itself needs. Everything shown is read-only, and stores of secrets inside
of it stay masked.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

HOMES = ("/home", "/root")
"""Folders of homes on any machine; the caller's own home may be elsewhere."""

_NEVER_A_HOME = frozenset(
    (
        *("/", "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/nix", "/opt", "/proc", "/run", "/sbin", "/snap"),
        *("/srv", "/sys", "/usr", "/usr/local", "/var", "/var/lib", "/mnt", "/media", "/tmp", "/var/tmp", "/dev/shm"),  # noqa: S108
    )
)
"""Accounts of services have such homes. The system itself is there: hidden, nothing would run."""

TOOLCHAINS = (  # noqa: SIM905 (a hundred names read better as text)
    ".cargo .rustup go .cache/go-build .gradle .m2 .sdkman .jenv .jdks .jbang .konan "
    ".nvm .fnm .local/share/fnm .volta .npm .npm-global .yarn .config/yarn/global .pnpm-store .local/share/pnpm .bun "
    ".deno .cache/deno .cache/node .cache/yarn .cache/ms-playwright .cache/puppeteer .cache/Cypress .cache/electron "
    ".node-gyp .cache/node-gyp .node_modules "
    ".pyenv .local/lib .local/bin .local/include .local/pipx .local/share/pipx .local/share/uv .cache/uv .virtualenvs "
    ".venvs .local/share/virtualenvs .local/share/hatch .local/share/pdm .cache/pypoetry/virtualenvs "
    ".local/share/pypoetry .cache/pre-commit .rye .pixi .conda/envs .conda/pkgs miniconda3 anaconda3 miniforge3 "
    "mambaforge micromamba .local/share/mamba "
    ".asdf .local/share/mise .local/share/rtx .goenv .nodenv .rbenv .rvm .gem/ruby .local/share/gem .bundle/cache "
    ".phpenv .composer/vendor .config/composer/vendor .perlbrew perl5 .luarocks/lib .luarocks/share "
    ".dotnet .nuget/packages .opam .ghcup .cabal .local/state/cabal .stack .elan .julia .juliaup .sbt .ivy2 .coursier "
    ".cache/coursier .mix .hex/packages .cache/rebar3 .kerl .pub-cache .swiftpm .local/share/swiftly .cache/bazelisk "
    ".cache/ccache .ccache .cache/sccache .local/share/zig "
    ".linuxbrew linuxbrew/.linuxbrew .nix-profile .local/state/nix .guix-profile .local/state/guix "
    "R .local/share/r-miniconda .TinyTeX texmf .fonts .local/share/fonts .nltk_data nltk_data"
).split()
"""Below a home: programs, libraries and downloads. ``linuxbrew`` is the home of Homebrew's own user below /home."""

_VARIABLES = (  # noqa: SIM905 (names read better as text)
    "CARGO_HOME RUSTUP_HOME GOPATH GOMODCACHE GOCACHE GOROOT GRADLE_USER_HOME MAVEN_USER_HOME JAVA_HOME SDKMAN_DIR "
    "PYENV_ROOT WORKON_HOME PIPX_HOME UV_PYTHON_INSTALL_DIR UV_CACHE_DIR UV_TOOL_DIR CONDA_PREFIX MAMBA_ROOT_PREFIX "
    "NVM_DIR FNM_DIR VOLTA_HOME PNPM_HOME NPM_CONFIG_PREFIX BUN_INSTALL DENO_DIR DENO_INSTALL ASDF_DATA_DIR "
    "PLAYWRIGHT_BROWSERS_PATH MISE_DATA_DIR RBENV_ROOT GEM_HOME DOTNET_ROOT NUGET_PACKAGES OPAMROOT STACK_ROOT "
    "COURSIER_CACHE HOMEBREW_PREFIX PUB_CACHE"
).split()
"""Variables of the caller that name a toolchain's folder elsewhere."""


class Homes(Struct, frozen=True):
    """``hidden`` are folders to hide, none below another; ``own`` the homes of whoever calls, hidden or not."""

    hidden: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


NO_HOMES = Homes()


def find_homes(environ: Mapping[str, str]) -> Homes:
    """Find the homes of this machine that can be hidden: existing folders, links resolved."""
    try:
        account = pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:  # a user without an account, as in many containers
        account = ""
    named = [path for path in (environ.get("HOME", ""), account) if path.startswith("/")]
    own = tuple(dict.fromkeys(os.path.realpath(path) for path in named if os.path.isdir(path)))
    candidates = {*own, *(os.path.realpath(path) for path in HOMES if os.path.isdir(path))}
    hidden: list[str] = []
    for path in sorted(candidates - _NEVER_A_HOME):
        if not is_below(path, hidden):
            hidden.append(path)
    return Homes(tuple(hidden), own)


def list_toolchains(environ: Mapping[str, str], homes: Homes) -> Iterator[str]:
    """List the folders of toolchains that exist below hidden homes, by each of their paths there."""
    places = [f"{home}/{name}" for home in dict.fromkeys((*homes.own, *homes.hidden)) for name in TOOLCHAINS]
    places += [environ[name] for name in _VARIABLES if environ.get(name, "").startswith("/")]
    for place in dict.fromkeys(places):
        if not os.path.isdir(place):
            continue
        if not holds_a_home(place, homes):
            # A link is shown as the folder that it leads to, which may be shown itself.
            yield from (path for path in {place, os.path.realpath(place)} if is_below(path, homes.hidden))


def list_programs_packages(path: Iterable[str], homes: Homes) -> Iterator[str]:
    """List the packages of Node.js programs on a PATH, below hidden homes: a program there loads its neighbours."""
    for folder in path:
        packages = os.path.dirname(os.path.realpath(folder))
        if folder.endswith("/node_modules/.bin") and is_below(packages, homes.hidden):
            yield packages


def holds_a_home(path: str, homes: Homes) -> bool:
    """Whether a path is a home, or holds one: shown, it would show everything."""
    real = os.path.realpath(path)
    if any(is_below(home, [real]) for home in (*homes.own, *homes.hidden)):
        return True
    # Somebody else's, unless an image has put a virtual environment there.
    return os.path.dirname(real) == "/home" and not os.path.exists(f"{real}/pyvenv.cfg")


def is_below(path: str, folders: Iterable[str]) -> bool:
    """Whether a path is one of ``folders`` or below it."""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)
