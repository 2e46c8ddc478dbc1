from decimal import Decimal

AMOUNTS = {"0.005": 1, "1.10": 110, "2.675": 268}


def pytest_make_parametrize_id(config, val):
    return f"{Decimal(val):f}" if isinstance(val, str) else None
