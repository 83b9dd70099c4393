"""What the tool does not do yet, by fixture: expected to fail, strictly, so that a gap that closes is noticed here."""

from __future__ import annotations

KNOWN_GAPS = {
    "classes/metadata_field": "fields of metadata objects are not looked up at the constructor calls of their class",
    "masks/metadata_always_none": "fields of metadata objects are not looked up at the constructor calls of their class",
    "classes/records": "a NamedTuple is not read by index",
    "containers/dict_as_keywords": "a dict that was stored in a container is not spread by ** when it is read back",
    "containers/list_of_lists": "a list stored inside a list is not followed to its items",
    "containers/records_by_type": "records of several types in one container are not told apart by isinstance",
    "flow/depth_of_eight": "helpers are followed less than eight calls deep",
    "flow/keyword_dict": "a dict made from an attribute of an unknown object is unknown",
    "flow/starred_arguments": "a wrapper whose *arguments reach the operator is no wrapper yet",
    "sites/own_function_of_that_name": "a function of the tree that has an entry point's name is taken for the operator if it leads to none",
    "sites/passed_as_a_function": "an operator passed to a function of the project makes no site at the outer call",
    "values/opaque": "an item of an attribute is printed as an element of a container",
}

#: Programs written to make the tool wrong in which it still knows a wrong value. They need not fail on every machine.
WRONG_VALUES = {
    "async_and_yield",
    "attribute_set_through_alias",
    "cached_property_of_class",
    "class_body_scope",
    "container_filled_elsewhere",
    "dataclass_fields",
    "dataclass_special_fields",
    "exec_and_locals",
    "generator_expression_scope",
    "instance_of_annotation",
    "lazy_generator",
    "list_changed_while_looping",
    "module_dict_changed",
    "name_mangling",
    "operator_overloading",
    "partial_overrides",
    "property_of_class",
    "reassigned_import",
    "recursive_wrapper",
    "two_classes_one_length",
}

#: Generated programs are not evaluated right throughout yet.
ORACLE = "the evaluator still knows wrong values in some of the generated programs"
