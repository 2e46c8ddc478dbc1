def checksum(data):
    return sum(data) % 256
