def checksum(data):
    return sum(data) % 255
