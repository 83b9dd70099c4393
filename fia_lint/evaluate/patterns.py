"""``match``: when a pattern matches, and what it binds."""

from __future__ import annotations

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, conj, disj, leaf, map_leaves, where
from fia_lint.algebra.terms import Term
from fia_lint.evaluate.statements import Statements
from fia_lint.evaluate.values import ABSENT, ClassValue, Object, Ref, key_of
from fia_lint.extract import ir


class Patterns(Statements):
    """Conditions and bindings of patterns."""

    def matches(self, pattern: ir.Pattern, subject: Diagram) -> Diagram:
        """The condition that ``pattern`` matches."""
        kind = pattern.kind
        if kind == "capture":
            return self.matches(pattern.patterns[0], subject) if pattern.patterns else TRUE
        if kind in ("value", "singleton"):
            assert pattern.expr is not None
            op = "==" if kind == "value" else "is"
            expr = pattern.expr
            return self.compare(op, subject, self.eval(expr), expr, lambda: f"case {self.text(expr.span)}")
        if kind == "or":
            return disj(*(self.matches(p, subject) for p in pattern.patterns))
        if kind == "sequence":
            return self._matches_sequence(pattern, subject)
        if kind == "class":
            return self._matches_class(pattern, subject)
        if kind == "mapping":
            return self._matches_mapping(pattern, subject)
        return self.coin(pattern.span, "a pattern matches")

    def _matches_sequence(self, pattern: ir.Pattern, subject: Diagram) -> Diagram:
        star = next((i for i, p in enumerate(pattern.patterns) if p.kind == "star"), None)

        def of(term: Term) -> Diagram:
            thing = self.object(term) if isinstance(term, Ref) else None
            if thing is None:
                return self.coin(pattern.span, "a sequence pattern matches") if key_of(term) is NotImplemented else FALSE
            if thing.kind not in ("tuple", "list"):
                return FALSE
            if thing.items is None:
                return self.coin(pattern.span, "a sequence pattern matches")
            needed = len(pattern.patterns) - (star is not None)
            if len(thing.items) < needed if star is not None else len(thing.items) != needed:
                return FALSE
            return conj(*(self.matches(p, item) for p, item in self._pairs(pattern, thing.items) if p.kind != "star"))

        return map_leaves(subject, of)

    def _pairs(self, pattern: ir.Pattern, items: tuple[Diagram, ...]) -> list[tuple[ir.Pattern, Diagram]]:
        star = next((i for i, p in enumerate(pattern.patterns) if p.kind == "star"), None)
        if star is None:
            return list(zip(pattern.patterns, items))
        after = len(pattern.patterns) - star - 1
        middle = self.allocate(Object("list", items[star : len(items) - after]))
        return list(zip(pattern.patterns, (*items[:star], middle, *items[len(items) - after :])))

    def _matches_class(self, pattern: ir.Pattern, subject: Diagram) -> Diagram:
        assert pattern.expr is not None
        result = self.call_isinstance([subject, self.eval(pattern.expr)], pattern.expr.span)
        if result is FALSE:
            return FALSE
        if pattern.patterns:
            names = self._positional_fields(pattern)
            if names is None:
                if len(pattern.patterns) == 1 and pattern.patterns[0].kind == "capture":
                    return result
                return conj(result, self.coin(pattern.span, "a class pattern matches"))
            for name, inner in zip(names, pattern.patterns):
                result = conj(result, self.matches(inner, self.attribute(subject, name, pattern.span)))
        for name, inner in pattern.keywords:
            result = conj(result, self.matches(inner, self.attribute(subject, name, pattern.span)))
        return result

    def _positional_fields(self, pattern: ir.Pattern) -> list[str] | None:
        value = self.eval(pattern.expr)  # type: ignore[arg-type]
        term = value.term if value.is_leaf else None
        if isinstance(term, ClassValue) and term.cls.fields_kind:
            return [name for name, _, _ in term.cls.declared_fields()]
        return None

    def _matches_mapping(self, pattern: ir.Pattern, subject: Diagram) -> Diagram:
        def of(term: Term) -> Diagram:
            thing = self.object(term) if isinstance(term, Ref) else None
            if thing is None or thing.kind != "dict":
                return self.coin(pattern.span, "a mapping pattern matches")
            result = TRUE
            for key_expr, inner in pattern.entries:
                key = self.eval(key_expr)
                held = thing.get(key_of(key.term)) if key.is_leaf else ABSENT
                result = conj(result, where(held, lambda t: leaf(t) is not ABSENT), self.matches(inner, held))
            return result

        return map_leaves(subject, of)

    def bind_pattern(self, pattern: ir.Pattern, subject: Diagram) -> None:
        """Bind the names of a pattern that has matched."""
        if pattern.kind == "capture":
            if pattern.patterns:
                self.bind_pattern(pattern.patterns[0], subject)
            if pattern.name:
                self.bind_name(pattern.name, subject)
        elif pattern.kind == "star":
            if pattern.name:
                self.bind_name(pattern.name, subject)
        elif pattern.kind == "sequence":
            items = self.spread(subject)
            if items is None:
                for inner in pattern.patterns:
                    self.bind_pattern(inner, self.fresh_value(pattern.span, "part of a match"))
            else:
                for inner, item in self._pairs(pattern, items):
                    self.bind_pattern(inner, item)
        elif pattern.kind == "class":
            names = self._positional_fields(pattern) if pattern.patterns else []
            for index, inner in enumerate(pattern.patterns):
                held = self.attribute(subject, names[index], pattern.span) if names else subject
                self.bind_pattern(inner, held)
            for name, inner in pattern.keywords:
                self.bind_pattern(inner, self.attribute(subject, name, pattern.span))
        elif pattern.kind == "mapping":
            for key_expr, inner in pattern.entries:
                key = self.eval(key_expr)
                self.bind_pattern(inner, self.each_case(subject, lambda term, k=key: self.item(term, k, key_expr)))
            if pattern.name:
                self.bind_name(pattern.name, self.unknown("the rest of a mapping", pattern.span))
        elif pattern.kind == "or":
            for inner in pattern.patterns:
                self._bind_alternative(inner, subject)

    def _bind_alternative(self, pattern: ir.Pattern, subject: Diagram) -> None:
        holds = self.matches(pattern, subject)

        def bound() -> Diagram:
            self.bind_pattern(pattern, subject)
            return TRUE

        self.choose(holds, bound, lambda: FALSE)
