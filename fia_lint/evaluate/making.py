"""Objects that calls of classes make."""

from __future__ import annotations

from fia_lint.algebra.diagram import Diagram
from fia_lint.evaluate import modules
from fia_lint.evaluate.binding import Binding
from fia_lint.evaluate.definitions import ClassInfo
from fia_lint.evaluate.scopes import dotted
from fia_lint.evaluate.values import ABSENT, Bound, Object, Ref
from fia_lint.extract import ir
from fia_lint.spans import Span


class Making(Binding):
    """Calls of classes: constructors, dataclasses and the like."""

    def self_object(self, cls: ClassInfo) -> Diagram:
        """An instance of which only the class is known."""
        return self.allocate(Object("instance", cls=cls, source=("self",)))

    def instantiate(self, cls: ClassInfo, args: list[Bound], span: Span) -> Diagram:
        """A new object of a class of the tree."""
        modules.link_class(self.machine, cls)
        if cls.is_enum or cls.find("__new__") is not None:
            self.escape_all(args)
            return self.fresh_value(span)
        init = cls.find("__init__")
        if init is None and cls.fields_kind:
            return self._record(cls, args, span)
        made = self.allocate(Object("instance", cls=cls, source=("made", tuple(span))))
        if init is not None and len(self.stack()) <= self.machine.settings.max_depth:
            self.call_function(init, args, made, span)
        elif init is None:
            self.escape_all(args)
        return made

    def _record(self, cls: ClassInfo, args: list[Bound], span: Span) -> Diagram:
        positional, lost = self._positional(args)
        keywords, rest = self._keywords(args)
        fields: dict[object, Diagram] = {}
        only_init: list[Bound] = []
        for name, default, annotation in cls.declared_fields():
            options = {a.name: a.value for a in default.args} if isinstance(default, ir.Call) else {}
            if _is(options.get("init"), False):
                fields[name] = self._field_default(cls, default)
                if fields[name] is ABSENT:
                    del fields[name]
                continue
            if positional and not _is(options.get("kw_only"), True) and not cls.keywords_only:
                fields[name] = positional.pop(0)
            elif name in keywords:
                fields[name] = keywords[name]
            elif lost is not None or rest is not ABSENT:
                fields[name] = lost if lost is not None else rest
            else:
                fields[name] = self._field_default(cls, default)
            if fields[name] is ABSENT:
                fields[name] = self.unknown(f"the field {name} is not given", span)
            fields[name] = self.windowed(name, fields[name])
            if annotation is not None and "InitVar" in cls.module.text(annotation.span):
                only_init.append(Bound(fields.pop(name)))
        items = tuple(fields.values()) if cls.fields_kind == "namedtuple" else None
        made = self.allocate(Object("instance", items, fields, cls=cls, source=("made", tuple(span))))
        post = cls.find("__post_init__")
        if post is not None and cls.fields_kind == "dataclass":
            self.call_function(post, only_init, made, span)
        if made.is_leaf and isinstance(made.term, Ref):
            self.ran.add((self.frame.module.path, span))
            self.made.append((cls, self.object(made.term).fields))
        return made

    def _field_default(self, cls: ClassInfo, default: ir.Expr | None) -> Diagram:
        if default is None:
            return ABSENT
        if isinstance(default, ir.Call) and (dotted(default.func) or "").rpartition(".")[2] in ("field", "attrib", "ib"):
            for argument in default.args:
                if argument.name == "default":
                    return self.in_class(cls, argument.value)
                if argument.name == "default_factory":
                    return self.call(self.in_class(cls, argument.value), [], default.span)
            return ABSENT
        return self.in_class(cls, default)


def _is(expr: ir.Expr | None, value: bool) -> bool:
    return isinstance(expr, ir.Constant) and expr.value is value
