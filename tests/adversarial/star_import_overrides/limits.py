"""Limits of the device."""
BEHIND = 100
AHEAD = 200
_HIDDEN = 300
