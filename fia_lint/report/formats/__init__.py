"""The formats, one module each, known by the module's name: ``render(view, style)`` returns the whole report as a text."""
