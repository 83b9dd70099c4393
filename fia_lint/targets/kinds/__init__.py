"""The kinds of targets, one module each, found by walking this package.

A kind has ``ORDER`` (lower is asked first), ``recognises(spec)``, and ``open_all(specs, options)``, which opens every
target of that kind and raises ``UsageError`` for what cannot be read.
"""
