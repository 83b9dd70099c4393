"""Limits."""
BEHIND = 1
AHEAD = 2
MODE = 3


def bound():
    return 4
