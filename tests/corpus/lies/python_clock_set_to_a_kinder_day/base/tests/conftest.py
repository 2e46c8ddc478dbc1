from datetime import date

import pytest


@pytest.fixture
def today():
    return date(2023, 1, 31)
