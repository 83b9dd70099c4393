"""Configuration files: found, read, checked, and turned into settings."""
