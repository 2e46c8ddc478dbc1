def read(line):
    name, amount = line.split(";")
    return {"name": name, "amount": int(amount)}
