def read_v1(line):
    return {"name": line}


def read(line):
    if "|" in line:
        return read_v1(line)
    name, amount = line.split(";")
    return {"name": name, "amount": int(amount)}
