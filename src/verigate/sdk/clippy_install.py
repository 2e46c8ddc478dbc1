"""The commands that give cargo its clippy, which several packagers of cargo leave out.

Source: rustup's manual on components; Debian's package rust-clippy.
"""

from __future__ import annotations

import shutil

_BY_RUSTUP = "rustup component add clippy"
_BY_DEBIAN = "apt-get install rust-clippy"


def list_clippy_commands(path: str) -> tuple[str, ...]:
    """List the commands that can install clippy where programs are found on ``path``, the likeliest first.

    clippy has to come from where cargo comes from: with rustup, no other package serves. Nothing is executed.
    """
    if shutil.which("rustup", path=path):
        return (_BY_RUSTUP,)
    if shutil.which("apt-get", path=path):
        return (_BY_DEBIAN,)
    return (_BY_RUSTUP, _BY_DEBIAN)
