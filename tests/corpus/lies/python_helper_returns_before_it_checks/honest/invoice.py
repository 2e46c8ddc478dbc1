def make_invoice(number, amount, currency="EUR"):
    invoice = {"number": number, "amount": amount}
    invoice["currency"] = currency
    return invoice
