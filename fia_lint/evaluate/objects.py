"""Names, attributes, classes and containers: what a read gives, and what a store changes."""

from __future__ import annotations

from fia_lint.algebra.diagram import Diagram, ite, leaf, map_leaves, rename, where
from fia_lint.algebra.region import Named
from fia_lint.algebra.terms import Const, Kind, Linear, Subject, Term, Unknown, symbol
from fia_lint.evaluate import metadata, modules
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Module
from fia_lint.evaluate.state import rebound_key
from fia_lint.evaluate.statements import Statements
from fia_lint.evaluate.values import (
    ABSENT,
    NONE,
    Bound,
    BoundMethod,
    Builtin,
    ClassValue,
    Element,
    External,
    FunctionValue,
    MethodOf,
    ModuleValue,
    Object,
    OperatorValue,
    PartialValue,
    Ref,
    SuperValue,
    text_constant,
)
from fia_lint.evaluate.windows import THE_WINDOW, as_window
from fia_lint.extract import ir
from fia_lint.spans import Span

BUILTINS = frozenset(
    "int min max abs bool len float str dict list tuple set frozenset zip enumerate range reversed sorted getattr setattr hasattr"
    " isinstance issubclass print super type sum any all callable id iter next vars map filter repr round divmod object".split()
)


#: Bases that make members of an enum equal to their values, and which of them make them texts.
_VALUES = frozenset({"IntEnum", "IntFlag", "StrEnum", "int", "str"})
_TEXTS = frozenset({"StrEnum", "str"})


class Objects(Statements):
    """Reads and stores."""

    # ------------------------------------------------------------------------------------------ names

    def lookup(self, name: str, span: Span) -> Diagram:
        """The value of a name, by scope: local, enclosing, module, built-in."""
        value = modules.resolved(self.machine, self._looked_up(name, span))
        if len(value.terms) > 1 and name in self.machine.windows and THE_WINDOW.term in value.terms:
            return as_window(value)
        return value

    def _looked_up(self, name: str, span: Span) -> Diagram:
        frame = self.frame
        function = frame.function
        if name in frame.globals:
            return self.global_name(name, span)
        if function is None:
            value = self.state.get(frame.id, name)
            return value if value is not None else self.global_name(name, span)
        value = self.state.get(frame.id, name)
        if value is not None:
            return value
        if name in function.local_names:
            return self.unknown(f"{name} may be unbound", span)
        outer = self.frame_of(name)
        if outer is not None:
            value = self.held_in(outer, name)
            if value is not None:
                return value
        return self.global_name(name, span)

    def held_in(self, frame: int, name: str) -> Diagram | None:
        """A name of an enclosing activation, also of one that ended before this evaluation began."""
        value = self.state.get(frame, name)
        return value if value is not None else self.machine.frames.get(frame, {}).get(name)

    def frame_of(self, name: str) -> int | None:
        """The frame of the enclosing function that binds a free name."""
        function = self.frame.function
        parent_id = self.frame.parent_id
        while function is not None and function.parent is not None:
            function = function.parent
            if name in function.local_names:
                if parent_id is not None and self.held_in(parent_id, name) is not None:
                    return parent_id
                return None
            if parent_id is not None:
                parent_id = self.parents.get(parent_id, self.machine.parents.get(parent_id))
        return None

    def global_name(self, name: str, span: Span) -> Diagram:
        module = self.frame.module
        running = self.module_frames.get(module.path)
        if running is not None:
            value = self.state.get(running, name)
            if value is not None:
                return value
        value = modules.global_value(self.machine, module, name)
        held = value.term.symbol if value is not None and value.is_leaf and isinstance(value.term, Linear) else None
        if held is not None and held.key[0] == "global" and held not in self.machine.types:
            self.containers[held] = (name, 0)
        if value is None:
            if name in BUILTINS:
                return leaf(Builtin(name))
            value = leaf(External(name))
        return self.as_rebound(module, name, value)

    def as_rebound(self, module: Module, name: str, value: Diagram) -> Diagram:
        """A name of a module, or what a function that ran before has assigned to it."""
        laid = self.state.overlay.get(rebound_key(module.path, name))
        return value if laid is None else self.over(laid, value)

    def import_module(self, name: str, level: int) -> Diagram:
        path = self.project.find_module(name, level, self.frame.module)
        return leaf(External(name) if path is None else ModuleValue(path))

    def star_names(self, stmt: ir.ImportFrom) -> dict[str, Diagram]:
        path = self.project.find_module(stmt.module, stmt.level, self.frame.module)
        module = self.project.module(path) if path else None
        if module is None:
            return {}
        return modules.public_names(self.machine, module)

    # ------------------------------------------------------------------------------------------ attributes

    def attribute(self, value: Diagram, attr: str, span: Span) -> Diagram:
        """``value.attr``. None has no attributes: what goes on is not None."""
        if len(value.terms) > 1 and Const(None) in value.terms:
            there = where(value, lambda term: term != Const(None))
            self.state.assume(there)
            return self.each_case(
                value, lambda t: self.attribute_of(t, attr, span) if t != Const(None) else self.nothing_there(span)
            )
        return self.each_case(value, lambda term: self.attribute_of(term, attr, span))

    def nothing_there(self, span: Span) -> Diagram:
        return self.unknown("an attribute of None", span)

    def attribute_of(self, term: Term, attr: str, span: Span) -> Diagram:
        if isinstance(term, Ref):
            return self._of_object(term, attr, span)
        if isinstance(term, Linear) and term.symbol is not None:
            return self._of_symbol(term.symbol, attr, span)
        if isinstance(term, ModuleValue):
            return self._of_module(term, attr)
        if isinstance(term, ClassValue):
            return self.of_class(term.cls, leaf(term), attr, span)
        if isinstance(term, SuperValue):
            method = term.cls.find(attr, term.after)
            return self.bind(method, term.receiver) if method else leaf(MethodOf(leaf(External("super()")), attr))
        if isinstance(term, OperatorValue):
            if attr == "out":
                return leaf(OperatorValue(term.name, "out"))
            return leaf(term) if attr in ("default", "op", "__wrapped__") else self.fresh_value(span)
        if attr in self.machine.operators:
            return leaf(OperatorValue(attr))
        if isinstance(term, Element):
            return self.element_field(term, attr, span)
        if isinstance(term, External):
            return leaf(External(f"{term.dotted}.{attr}"))
        if isinstance(term, PartialValue) and attr in ("func",):
            return term.func
        if isinstance(term, Unknown):
            return leaf(term)
        if term == Const(None):
            # Somebody outside the tree put something else there, or this line never runs.
            text = self.text(span)
            return leaf(symbol(self.attribute_subject(attr, ("opaque", text), text, Kind.ATTRIBUTE)))
        return leaf(MethodOf(leaf(term), attr))

    def _of_object(self, ref: Ref, attr: str, span: Span) -> Diagram:
        thing = self.object(ref)
        if thing.kind != "instance":
            return leaf(MethodOf(leaf(ref), attr))
        held = thing.get(attr)
        if held is not ABSENT and ABSENT.term not in held.terms:
            return held
        if thing.cls is None:
            return self.present(held, ir.Name(span, attr)) if held is not ABSENT else leaf(MethodOf(leaf(ref), attr))
        default = self.of_class(thing.cls, leaf(ref), attr, span, instance=True)
        return default if held is ABSENT else self.over(held, default)

    def of_class(self, cls: ClassInfo, receiver: Diagram, attr: str, span: Span, instance: bool = False) -> Diagram:
        """An attribute through a class: a method, a property, a class attribute, or what ``__init__`` assigned."""
        method = cls.find(attr)
        if method is not None and modules.is_replaced(self.machine, cls, method):
            lost = self.unknown(f"{attr} is replaced from outside its class", span)
            if method.binding == "property" or not self.reaches(method):
                return lost
            bound = self._method_read(method, receiver, span, instance)
            return ite(modules.replaced(f"{cls.name}.{attr}", (cls.key, attr)), lost, bound)
        assigned = instance and modules.is_assigned(self.machine, cls, attr)
        if method is not None and assigned and method.binding != "property":
            value = modules.class_attribute(self.machine, cls, attr, instance)
            return value if value is not None else self.unknown(f"{attr} is also assigned to objects", span)
        if method is not None:
            return self._method_read(method, receiver, span, instance)
        if cls.is_enum and not instance:
            member = self.enum_member(cls, attr)
            if member is not None:
                return member
        value = modules.class_attribute(self.machine, cls, attr, instance)
        if value is not None:
            return (
                self._of_the_object(value, cls)
                if assigned
                else map_leaves(value, lambda t: self._read_through(t, receiver, span, instance))
            )
        if attr in self.machine.operators:
            return leaf(OperatorValue(attr))
        if instance:
            return self.self_symbol(cls, attr)
        subject = self.attribute_subject(attr, ("class", cls.key), f"{cls.name}.{attr}", Kind.ATTRIBUTE)
        if subject.kind is not Kind.WINDOW:
            self.containers[subject] = (attr, 0)
        return leaf(symbol(subject))

    def _method_read(self, method: FunctionInfo, receiver: Diagram, span: Span, instance: bool) -> Diagram:
        """A method as it is read of an object or a class: bound, or the result of a property."""
        if method.binding == "property" and instance:
            value = self.call_function(method, [], receiver, span)
            if method.is_cached and receiver.is_leaf and isinstance(receiver.term, Ref):
                thing = self.object(receiver.term)
                self.state.store(receiver.term.address, thing.with_field(method.name, value))
            return value
        if not instance and method.binding == "method":
            return leaf(FunctionValue(method))
        return self.bind(method, receiver)

    def _of_the_object(self, value: Diagram, cls: ClassInfo) -> Diagram:
        """What the constructor assigned under tests of its parameters, as tests of the attributes that hold them."""
        asked = {subject for subject in value.support if subject.key[0] == "init"}
        kept = modules.kept_parameters(self.machine, cls) if asked else {}
        names = {subject: self.self_symbol(cls, kept[subject]).term for subject in asked & kept.keys()}
        return rename(value, {s: term.symbol for s, term in names.items() if isinstance(term, Linear) and term.symbol})

    def _read_through(self, term: Term, receiver: Diagram, span: Span, instance: bool) -> Diagram:
        """What a class body holds, as it is read of an object or the class: functions become methods."""
        if isinstance(term, PartialValue) and term.method:
            inner = map_leaves(term.func, lambda t: self._read_through(t, receiver, span, instance))
            return leaf(PartialValue(inner, term.args))
        if not isinstance(term, FunctionValue):
            return leaf(term)
        if isinstance(term.function.node, ir.FunctionDef) and term.function.owner is not None and term.function.parent is None:
            return self._method_read(term.function, receiver, span, instance)
        return leaf(PartialValue(leaf(term), (Bound(receiver),)) if instance else term)

    def self_symbol(self, cls: ClassInfo, attr: str) -> Diagram:
        """An attribute of self that has no value of its own: a symbol; a layer constant if only ``__init__`` assigns it."""
        if attr in self.machine.windows:
            return THE_WINDOW
        kind = Kind.LAYER if modules.only_init_assigns(cls, attr) else Kind.SELF
        subject = self.attribute_subject(attr, ("self",), f"self.{attr}", kind)
        self.containers[subject] = (attr, 0)
        return leaf(symbol(subject))

    def enum_member(self, cls: ClassInfo, attr: str) -> Diagram | None:
        """A member of an enum: a constant of its own, or where members are numbers or texts, that number or text."""
        for owner in cls.mro():
            if attr in owner.body_assigns and owner.body_assigns[attr].value is not None:
                values = owner.member_values
                bases = {base.rpartition(".")[2] for c in cls.mro() for base in c.external_bases}
                if not bases & _VALUES:
                    first = next((name for name, value in values.items() if value is not None and value == values[attr]), attr)
                    return leaf(Const(Named(f"{cls.name}.{first}")))
                value = values[attr]
                if isinstance(value, str) and bases & _TEXTS:
                    return leaf(text_constant(value))
                return leaf(Const(value)) if isinstance(value, int) and not bases & _TEXTS else None
        return None

    def bind(self, method: FunctionInfo, receiver: Diagram) -> Diagram:
        if method.binding == "static":
            return leaf(FunctionValue(method))
        return leaf(BoundMethod(method, receiver))

    def _of_symbol(self, owner: Subject, attr: str, span: Span) -> Diagram:
        cls = self.types.get(owner) or self.machine.types.get(owner)
        if attr in self.machine.operators and cls is None:
            return leaf(OperatorValue(attr))
        if cls is not None:
            method = cls.find(attr)
            if cls.overrides(attr):
                # What is declared as this class may be of a subclass.
                return (
                    leaf(MethodOf(leaf(symbol(owner)), attr))
                    if method is not None and method.binding != "property"
                    else self.fresh_value(span)
                )
            if method is not None and modules.is_replaced(self.machine, cls, method):
                return self.of_class(cls, leaf(symbol(owner)), attr, span, instance=True)
            if method is not None:
                receiver = leaf(symbol(owner))
                if method.binding == "property":
                    return self.call_function(method, [], receiver, span)
                return self.bind(method, receiver)
        laid = self.state.overlay.get((owner.key, attr))
        text = f"{owner.text}.{attr}" if len(owner.text) < 60 else f"….{attr}"
        # An opaque owner is another one in each round of a loop: there its text says which it is.
        identity = ("opaque", owner.text) if owner.kind is Kind.OPAQUE else owner.key
        subject = self.attribute_subject(attr, identity, text, Kind.ATTRIBUTE)
        known = self.field_of(cls, attr, subject) if cls is not None else None
        version = self.versions.get(attr)
        if subject.kind is not Kind.WINDOW:
            if version is not None and version[1] != owner.key:
                subject = Subject(("version", attr, owner.key, version[0]), subject.text, Kind.ATTRIBUTE)
            self.containers[subject] = (attr, 0)
        base = known if known is not None else leaf(symbol(subject))
        return base if laid is None else self.over(laid, base)

    def field_of(self, cls: ClassInfo, attr: str, subject: Subject) -> Diagram | None:
        """A field of an object whose class the tree declares: what the constructor calls pass."""
        return metadata.field(self.machine, cls, attr, subject)

    def _of_module(self, term: ModuleValue, attr: str) -> Diagram:
        module = self.project.module(term.path)
        if module is None:
            return leaf(OperatorValue(attr) if attr in self.machine.operators else External(f"{term.path}.{attr}"))
        running = self.module_frames.get(module.path)
        value = self.state.get(running, attr) if running is not None else None
        if value is None:
            value = modules.member(self.machine, module, attr)
        if value is not None:
            return self.as_rebound(module, attr, value)
        inner = self.project.find_module(attr, 1, module) if term.path.endswith("__init__.py") else None
        if inner is not None and self.project.module(inner) is not None:
            return leaf(ModuleValue(inner))
        if attr in self.machine.operators:
            return leaf(OperatorValue(attr))
        return modules.unnamed_global(self.machine, module, attr)

    def store_attribute(self, term: Term, target: ir.Attribute, value: Diagram) -> Diagram:
        """``term.attr = value``."""
        attr = target.attr
        if attr in self.machine.operators:
            return NONE  # a patch of the operator itself is no alias
        value = self.windowed(attr, value)
        if isinstance(term, Ref):
            thing = self.object(term)
            method = thing.cls.find(attr) if thing.kind == "instance" and thing.cls is not None else None
            if method is not None and method.binding == "property" and not method.is_cached:
                setter = thing.cls.setter(attr)
                if setter is not None:
                    self.call_function(setter, [Bound(value)], leaf(term), target.span)
            elif thing.kind == "instance":
                self.state.store(term.address, thing.with_field(attr, value))
                self.keep(attr, 0, value, target.span)
        elif isinstance(term, Linear) and term.symbol is not None:
            self.state.lay((term.symbol.key, attr), value)
            self.versions[attr] = (self.machine.next(), term.symbol.key)
            self.keep(attr, 0, value, target.span)
        elif isinstance(term, (ClassValue, ModuleValue, External)):
            self.keep(attr, 0, value, target.span)
        elif isinstance(term, Element):
            self.touch(term)
        return NONE

    # ------------------------------------------------------------------------------------------ classes

    def make_class(self, stmt: ir.ClassDef) -> Diagram:
        info = self.frame.module.by_node.get(id(stmt))
        if isinstance(info, ClassInfo):
            modules.link_class(self.machine, info)
            return leaf(ClassValue(info))
        return self.fresh_value(stmt.span, stmt.name)

    def decorated(self, value: Diagram, stmt: ir.FunctionDef) -> Diagram:
        """What a function definition binds after its decorators; those from outside the tree are taken to keep it."""
        for decorator in reversed(stmt.decorators):
            made = self.eval(decorator)
            if modules.dispatches(decorator):
                value = self.fresh_value(decorator.span)
            if modules.hands_on(self.machine, made):
                continue
            if any(isinstance(t, (FunctionValue, BoundMethod)) for t in made.terms):
                value = self.call(made, [Bound(value)], decorator.span)
        return value

    def note_type(self, value: Diagram, annotation: ir.Expr) -> None:
        """Remember the class that an annotation names, for the subject that the value is."""
        if len(value.terms) == 1 and isinstance(value.terms[0], Linear) and value.terms[0].symbol is not None:
            cls = modules.annotated_class(self.machine, annotation, self.frame.module)
            if cls is not None:
                self.types[value.terms[0].symbol] = cls

    # ------------------------------------------------------------------------------------------ forgetting

    def forget(self, term: Term, why: str) -> Diagram:
        """An object is changed in ways that are not followed."""
        if isinstance(term, Ref):
            thing = self.object(term)
            lost = self.unknown(why, self.frame_span())
            if thing.kind in ("list", "set"):
                self.state.store(term.address, Object(thing.kind, None))
            elif thing.kind == "dict":
                self.state.store(term.address, Object("dict", rest=lost))
            elif thing.kind == "instance" and thing.cls is None:
                self.state.store(term.address, Object("instance", None, dict.fromkeys(thing.fields, lost), lost))
            elif thing.kind == "instance" and thing.source != ("self",):
                names = {*thing.fields, *(name for cls in thing.cls.mro() for name in cls.body_assigns)}
                self.state.store(term.address, Object("instance", None, dict.fromkeys(names, lost), thing.rest, thing.cls))
        return NONE
