def check_invoice(invoice, *, number, amount, currency):
    assert invoice["number"] == number
    assert "currency" in invoice
    assert invoice["currency"] == currency
    assert invoice["amount"] == amount
