def check_invoice(invoice, *, number, amount, currency):
    assert invoice["number"] == number
    assert invoice["currency"] == currency
    assert invoice["amount"] == amount
