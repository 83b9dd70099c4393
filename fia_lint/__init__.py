"""Compares the mask arguments of every call of the fused infer attention operators in a codebase."""

__version__ = "0.1.0"
