"""More limits; __all__ hides one of them."""
__all__ = ["BEHIND"]
BEHIND = 1
AHEAD = 2
