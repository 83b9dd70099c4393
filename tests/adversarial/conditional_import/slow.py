"""Limits of another device."""
AHEAD = 2
