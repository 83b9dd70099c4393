"""From a name or an attribute to the definitions that may have given it its value."""

from __future__ import annotations

from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Module
from fia_lint.evaluate.scopes import dotted
from fia_lint.extract import ir
from fia_lint.trace.definitions import Definition, Guards
from fia_lint.trace.resolve import ASSIGNING, Frame
from fia_lint.trace.slice import Slice, one_line
from fia_lint.trace.steps import Field, Slot, Some, Want, may_be


class Names(Slice):
    """Names, attributes, and the kinds of definitions that are plain assignments."""

    def name(self, name: str, expr: ir.Expr, frame: Frame, want: Want) -> None:
        """A plain name: every definition that may reach it."""
        if want and isinstance(want[0], (Slot, Some)) and self.captured(expr, frame, want):
            return
        passed = self.code.flow(frame.scope).guards_of(expr)
        for made, inside in self.resolver.definitions(name, expr, frame):
            self.definition(made, frame if inside.function is frame.function else inside, want, passed)
        for made, inside in self.resolver.rebound(name, frame):
            nested = inside.function
            if nested is None or nested is frame.function:
                continue
            if nested.parent is not frame.function or frame.function is None or self.resolver.has_run(nested, expr, frame):
                self.definition(made, inside, want, ())

    def attribute(self, expr: ir.Attribute, frame: Frame, want: Want) -> None:
        """An attribute: what the same function assigned to it, and what it was before."""
        if want and isinstance(want[0], (Slot, Some)) and self.captured(expr, frame, want):
            return
        name = dotted(expr)
        flow = self.code.flow(frame.scope)
        known = sorted(flow.reaching(name, expr), key=lambda made: made.order) if name else []
        for made in known:
            if made.kind not in ("entry", "hand"):
                self.definition(made, frame, want, flow.guards_of(expr))
        if all(made.kind in ("entry", "hand") for made in known) or any(
            made.kind == "entry" or made.kind == "hand" and self._changes(made, expr.attr, frame) for made in known
        ):
            self._from_elsewhere(expr, frame, want)

    def _changes(self, made: Definition, attr: str, frame: Frame, depth: int = 0) -> bool:
        """Whether a call that an object is handed to may assign its attribute."""
        if not isinstance(made.item, ir.Call) or depth > 4:
            return False
        for target in self.resolver.targets(made.item, frame):
            if isinstance(target, FunctionInfo) and target.params:
                flow, inner = self.code.flow(target), Frame(target.module, target)
                first = target.params[0].name
                if any(each.kind in ASSIGNING for each in flow.whole(f"{first}.{attr}")):
                    return True
                if any(self._changes(each, attr, inner, depth + 1) for each in flow.whole(first) if each.kind == "hand"):
                    return True
        return False

    def _from_elsewhere(self, expr: ir.Attribute, frame: Frame, want: Want) -> None:
        """What an attribute was given outside this activation: in its class, in a module, where the object was made."""
        types = [] if self.resolver.is_made_here(expr.value, frame) else self.resolver.types(expr.value, frame)
        if types:
            if self._of_classes(types, expr, frame, want):
                return
        things = self.resolver.things(expr.value, frame)
        for thing in things:
            if isinstance(thing, Module):
                self._global(thing, expr.attr, want)
            elif isinstance(thing, ClassInfo):
                self._class_attribute(thing, expr.attr, want)
        if not things and not types:
            self.field_of(expr.value, expr.attr, frame, want)

    def field_of(self, base: ir.Expr, attr: str, frame: Frame, want: Want) -> None:
        raise NotImplementedError

    def captured(self, expr: ir.Expr, frame: Frame, want: Want) -> bool:
        raise NotImplementedError

    def _of_classes(self, classes: list[ClassInfo], expr: ir.Attribute, frame: Frame, want: Want) -> bool:
        """An attribute of an instance of some classes; whether anything is known of it."""
        found = False
        for made, inside in self.resolver.attribute(classes, expr.attr):
            found = True
            self.definition(made, inside, want, ())
        for cls in classes:
            method = self.code.method(cls, expr.attr)
            if method is not None and method.binding == "property":
                found = True
                self.returned(method, Frame(method.module, method), want)
        built = not self._is_own(expr, frame) and self.fields(classes, expr.attr, want)
        return found or built

    def _is_own(self, expr: ir.Attribute, frame: Frame) -> bool:
        return isinstance(expr.value, ir.Name) and self.resolver.is_self(expr.value.id, frame)

    def returned(self, function: FunctionInfo, frame: Frame, want: Want) -> None:
        raise NotImplementedError

    def fields(self, classes: list[ClassInfo], attr: str, want: Want) -> bool:
        raise NotImplementedError

    def _class_attribute(self, cls: ClassInfo, attr: str, want: Want) -> None:
        """A name that a class body binds, in the first class of the order of resolution that has it."""
        for each in self.code.mro(cls):
            known = [made for made in self.code.flow(each).whole(attr) if made.kind in ASSIGNING]
            for made in known:
                self.definition(made, Frame(each.module, None, body=each.qualname), want, ())
            if known:
                return

    def _global(self, module: Module, name: str, want: Want) -> None:
        """A module-level name, imports followed and shown."""
        known = self.code.at_end(module, name)
        for made in known:
            self.definition(made, Frame(module, None), want, ())
        for made, inside in self.resolver.rebound(name, Frame(module, None)):
            self.definition(made, inside, want, ())
        for thing in [] if known else self.code.global_name(module, name):
            if isinstance(thing, tuple) and thing != (module, name):
                self._global(*thing, want)

    def imported(self, made: Definition, frame: Frame, want: Want) -> None:
        """An import: what it stands for first."""
        things = self.code.defined(made, frame.module)
        values = [thing for thing in things if isinstance(thing, tuple)]
        source = self.code.source_of(made, frame.module)
        if values and source is not None:
            self._global(*source, want)
        if values or not things and isinstance(made.item, ir.ImportFrom):
            self.emit("import", frame, made.span, made.name, one_line(frame.module.text(made.span)))

    # ------------------------------------------------------------------------------------------ tests

    def test_name(self, expr: ir.Name, frame: Frame) -> None:
        """A name in a test: what the same function set it to."""
        passed = self.code.flow(frame.scope).guards_of(expr)
        for made, inside in self.resolver.definitions(expr.id, expr, frame):
            if inside.function is frame.function and made.kind in ("assign", "walrus", "augment"):
                if self.enter("test", id(made)):
                    if made.value is not None and not made.want:
                        self.tested(made.value, frame)
                    self.guarded(made.guards, passed, frame)
                    self.emit(made.kind, frame, made.span, *self.said(made, frame))
                    self.leave()

    def guarded(self, guards: Guards, passed: Guards, frame: Frame, exits: bool = False) -> None:
        """The tests that stand around a definition and not around its use; with ``exits``, also those that lead away before."""
        for guard in guards:
            if guard in passed or guard.kind == "exit" and not exits:
                continue
            if guard.test is not None:
                self.tested(guard.test, frame)
            if guard.kind in ("for", "except"):
                continue
            says = "" if guard.holds else "not"
            if guard.kind == "case" and isinstance(guard.statement, ir.Match):
                self.tested(guard.statement.subject, frame)
                says = self.text(guard.statement.subject, frame.module)
            self.emit("test", frame, guard.span, says, one_line(frame.module.text(guard.span)), guard.kind)

    def tested(self, test: ir.Expr, frame: Frame) -> None:
        raise NotImplementedError

    def said(self, made: Definition, frame: Frame) -> tuple[str, str, str]:
        raise NotImplementedError


def reads(want: Want, made: Definition) -> bool:
    """Whether what is stored to a part may be what is wanted."""
    if not want or made.part is None:
        return True
    return not isinstance(want[0], Field) and may_be(want[0], made.part)
