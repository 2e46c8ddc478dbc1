from datetime import date

import pytest


@pytest.fixture(params=[31, 15])
def today(request):
    return date(2023, 1, request.param)
