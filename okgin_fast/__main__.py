"""``python -m okgin_fast`` is the command ``okgin``."""

import sys

from okgin_fast.cli import main

if __name__ == "__main__":
    sys.exit(main())
