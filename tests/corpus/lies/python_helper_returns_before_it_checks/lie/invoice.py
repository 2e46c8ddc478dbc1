def make_invoice(number, amount, currency="EUR"):
    return dict(number=number, amount=amount)
