"""Run ``gate-ci`` as ``python -I -m verigate.integrations.ci``."""

import sys

from verigate.integrations.ci.command import main

sys.exit(main())
