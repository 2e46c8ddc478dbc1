from checks import check_invoice
from invoice import make_invoice


def test_in_euros():
    check_invoice(make_invoice(7, 100), number=7, amount=100, currency="EUR")


def test_in_dollars():
    check_invoice(make_invoice(8, 90, "USD"), number=8, amount=90, currency="USD")
