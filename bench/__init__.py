"""Measurements on real and generated code. Everything here uses the tool only through its command line and its JSON."""
