class SettingError(Exception):
    """A setting that can't be used."""


def port(settings):
    value = settings.get("port")
    if value is None:
        raise SettingError("port is missing")
    if int(value) > 65535:
        raise SettingError("port is too large")
    return int(value)
