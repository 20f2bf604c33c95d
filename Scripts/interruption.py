"""Lets scripts that a signal ends remove their files and end the programs that they started."""

import signal
import sys

NUMBERS = (signal.SIGTERM, signal.SIGHUP)


def handle():
    """Raises SystemExit at the first signal, as Control-C raises KeyboardInterrupt.

    A signal that is ignored, for example by nohup, is still ignored.
    """
    for number in NUMBERS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)


def end(number, _):
    """Ends the script, and ignores further signals meanwhile."""
    ignore()
    sys.exit(128 + number)


def ignore():
    """Ignores the signals from now on."""
    for number in NUMBERS:
        signal.signal(number, signal.SIG_IGN)
