import configparser


class ConfigError(Exception):
    pass


class Config:
    """Settings of an INI file, with types."""

    def __init__(self, path):
        self._parser = configparser.ConfigParser()
        if not self._parser.read(path):
            raise ConfigError(f"no such file: {path}")

    def integer(self, section, key, default=None):
        text = self._parser.get(section, key, fallback=None)
        if text is None:
            if default is None:
                raise ConfigError(f"{section}.{key} is missing")
            return default
        try:
            return int(text)
        except ValueError:
            raise ConfigError(f"{section}.{key} is no integer: {text}") from None

    def names(self):
        return self._parser.sections()
