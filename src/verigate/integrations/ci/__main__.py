"""``python -I -m verigate.integrations.ci`` is ``gate-ci``."""

import sys

from verigate.integrations.ci.command import main

sys.exit(main())
