import pytest

from tempconf import Config, ConfigError


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "app.ini"
    path.write_text("[server]\nport = 80\nname = web\n\n[log]\n")
    return Config(path)


def test_integer(config):
    assert config.integer("server", "port") == 80


def test_default(config):
    assert config.integer("log", "level", 3) == 3


def test_missing(config):
    with pytest.raises(ConfigError, match="log.level is missing"):
        config.integer("log", "level")


def test_no_integer(config):
    with pytest.raises(ConfigError, match="server.name is no integer: web"):
        config.integer("server", "name")


def test_names(config):
    assert config.names() == ["server", "log"]


def test_no_file(tmp_path):
    with pytest.raises(ConfigError):
        Config(tmp_path / "other.ini")
