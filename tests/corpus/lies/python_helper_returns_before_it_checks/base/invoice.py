def make_invoice(number, amount, currency="EUR"):
    return {"number": number, "amount": amount, "currency": currency}
