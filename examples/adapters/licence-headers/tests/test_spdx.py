# SPDX-License-Identifier: Apache-2.0
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from spdx import licence_in, refused_part


class Spdx(unittest.TestCase):
    def test_licences_are_found_in_comments_of_all_kinds(self):
        for line, licence in {
            "# SPDX-License-Identifier: MIT\n": "MIT",
            "/* SPDX-License-Identifier: GPL-2.0-only WITH Note-1 */": "GPL-2.0-only WITH Note-1",
            "<!-- SPDX-License-Identifier: Apache-2.0 -->": "Apache-2.0",
            "// SPDX-License-Identifier:  MIT  OR  Apache-2.0": "MIT OR Apache-2.0",
            "// Licence: MIT": None,
            "# SPDX-License-Identifier:": None,
        }.items():
            self.assertEqual(licence_in([line]), licence, line)

    def test_one_of_a_choice_is_enough_and_all_of_a_sum_are_needed(self):
        accepted = {"MIT", "Apache-2.0"}
        for expression, refused in {
            "MIT": None,
            "GPL-3.0-only": "GPL-3.0-only",
            "GPL-3.0-only OR MIT": None,
            "GPL-3.0-only AND MIT": "GPL-3.0-only",
            "MIT AND (Apache-2.0 OR GPL-3.0-only)": "GPL-3.0-only",
            "Apache-2.0 WITH LLVM-exception": None,
        }.items():
            self.assertEqual(refused_part(expression, accepted), refused, expression)


if __name__ == "__main__":
    unittest.main()
