"""Configuration files: found, read, checked, and turned into settings."""

from fia_lint.config.find import NAMES, configuration_in, nearest
from fia_lint.config.load import Configuration, load

__all__ = ["NAMES", "Configuration", "configuration_in", "load", "nearest"]
