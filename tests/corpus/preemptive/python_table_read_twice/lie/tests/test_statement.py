from datetime import date

import pytest
from amounts import format_amount, parse_amount
from statement import balance, parse_day, parse_line

WRITTEN = ["1,00", "1.234,50", "12,5", "7", "-3,20", "3,20-"]
CENTS = [100, 123450, 1250, 700, -320, -320]
AMOUNTS = zip(WRITTEN, CENTS, strict=True)


@pytest.mark.parametrize(("text", "cents"), AMOUNTS)
def test_amounts_are_integers(text, cents):
    assert isinstance(parse_amount(text), int)


@pytest.mark.parametrize(("text", "cents"), AMOUNTS)
def test_parse_amount(text, cents):
    assert parse_amount(text) == cents


@pytest.mark.parametrize(("text", "cents"), [("1.234,50", 123450), ("-0,05", -5)])
def test_format_amount(text, cents):
    assert format_amount(cents) == text


def test_too_many_digits():
    with pytest.raises(ValueError, match="not an amount"):
        parse_amount("1,234")


def test_parse_day_of_this_century():
    assert parse_day("31.12.24") == parse_day("31.12.2024") == date(2024, 12, 31)


def test_line_and_balance():
    entries = [parse_line("02.01.2024; Rent ;1.000,00"), parse_line("03.01.2024;;2,50")]
    assert [entry.text for entry in entries] == ["Rent", "(no text)"]
    assert balance(entries, 100) == 100350
