"""Limits of one device."""
AHEAD = 1
