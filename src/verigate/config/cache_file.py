"""Read config/cache.json: the remote cache of a repository."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from verigate.config.files import parse_json, read_bytes
from verigate.config.validation import validate
from verigate.domain.profile import CACHE_FILE
from verigate.domain.remote_server import CacheMode, RemoteServerAddress, parse_address, parse_mode
from verigate.errors import ConfigError, Fault, UsageError
from verigate.formats.schema import locate_faults


class RemoteCacheSetting(Struct, frozen=True):
    """Where results of other machines are, and whether this run's are stored there too."""

    remote: RemoteServerAddress
    mode: CacheMode = CacheMode.READ


def read_cache_file(root: Path) -> RemoteCacheSetting | None:
    """Read the file; None without one. Raises ConfigError with every fault."""
    source = read_bytes(root / CACHE_FILE, shown=CACHE_FILE)
    if source is None:
        return None
    document = parse_json(source, shown=CACHE_FILE)
    if faults := validate("cache", document, file=CACHE_FILE, source=source):
        raise ConfigError(faults)
    try:
        address = parse_address(document["remote"], CACHE_FILE)
    except UsageError as problem:
        fault = Fault(problem.message, pointer="/remote", hint=problem.hint)
        raise ConfigError(locate_faults([fault], file=CACHE_FILE, source=source)) from None
    return RemoteCacheSetting(address, parse_mode(document.get("mode", CacheMode.READ.value), CACHE_FILE))
