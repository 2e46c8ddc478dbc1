"""Read config/adapter-packages.json: the npm packages whose adapters may run, with the digest of their files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from verigate.config.files import parse_json, read_bytes
from verigate.config.validation import validate
from verigate.domain.adapter_package import PACKAGES_FILE
from verigate.errors import ConfigError


def read_pinned_packages(root: Path) -> Mapping[str, str]:
    """Map each npm package to its ``sha256:HEX``; empty without such a file. Raises ConfigError with every fault."""
    source = read_bytes(root / PACKAGES_FILE, shown=PACKAGES_FILE)
    if source is None:
        return {}
    document = parse_json(source, shown=PACKAGES_FILE)
    if faults := validate("packages", document, file=PACKAGES_FILE, source=source):
        raise ConfigError(faults)
    pins: Mapping[str, str] = document.get("npm", {})
    return pins
