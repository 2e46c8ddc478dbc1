import time

import pytest

SECONDS = {}


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    start = time.monotonic()
    try:
        pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames})
    finally:
        SECONDS[pyfuncitem.name] = time.monotonic() - start
    return True
