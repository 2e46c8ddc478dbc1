def check_invoice(invoice, *, number, amount, currency):
    assert invoice["number"] == number
    if "currency" not in invoice:
        return
    assert invoice["currency"] == currency
    assert invoice["amount"] == amount
