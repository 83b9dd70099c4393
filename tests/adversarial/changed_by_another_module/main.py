"""Values of one module that another one changes when it is asked to: they are what they are when they are read."""
from layers import Layer


def main(q, tuned):
    if tuned:
        import tuning

        tuning.apply()
    layer = Layer()
    for call in (layer.constant, layer.function, layer.method, layer.attribute, layer.entry):
        call(q)
    for call in (layer.by_alias, layer.by_name, layer.by_modules):
        call(q)


# run: main(0, False)
# run: main(0, True)
