"""Another module."""


def again():
    from main import Meta as M
    return M(12)


def by_function():
    from main import make as mk
    return mk(7)
