class Connection:
    def __init__(self):
        self.open = False

    def query(self, text):
        self.open = True
        return f"rows of {text}"
