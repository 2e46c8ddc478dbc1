class SettingError(Exception):
    """A setting that can't be used."""


def port(settings):
    value = settings.get("port")
    if int(value) > 65535:
        raise SettingError("port is too large")
    return int(value)
