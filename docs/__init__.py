"""The documentation, and the program that writes those pages of it that the code determines."""
