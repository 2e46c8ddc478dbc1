import os
import shutil
import tempfile
import unittest

from tempconf import Config, ConfigError


class ConfigTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.path = os.path.join(self.folder, "app.ini")
        with open(self.path, "w") as file:
            file.write("[server]\nport = 80\nname = web\n\n[log]\n")
        self.config = Config(self.path)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def test_integer(self):
        self.assertEqual(self.config.integer("server", "port"), 80)

    def test_default(self):
        self.assertEqual(self.config.integer("log", "level", 3), 3)

    def test_missing(self):
        with self.assertRaisesRegex(ConfigError, "log.level is missing"):
            self.config.integer("log", "level")

    def test_no_integer(self):
        with self.assertRaisesRegex(ConfigError, "server.name is no integer: web"):
            self.config.integer("server", "name")

    def test_names(self):
        self.assertListEqual(self.config.names(), ["server", "log"])

    def test_no_file(self):
        self.assertRaises(ConfigError, Config, os.path.join(self.folder, "other.ini"))
