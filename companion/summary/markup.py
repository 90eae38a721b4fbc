"""HTML put together so that nothing becomes markup by accident: what is not `Markup` is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

VOID = frozenset({"meta", "link", "img", "input", "br"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | Markup | None | Iterable["Child"]


def tag(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Markup:
    """An element.

    Args:
        children: texts, which are escaped, and elements; None is left out.
        attributes: `class_` is class, `aria_label` is aria-label; False and None are left out, True stands alone.
    """
    told = "".join(_attribute(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{name}{told}>")
    return Markup(f"<{name}{told}>{inside(*children)}</{name}>")


def inside(*children: Child) -> Markup:
    """Several children one after another."""
    parts = []
    for child in children:
        if isinstance(child, str):
            parts.append(child if isinstance(child, Markup) else escape(child))
        elif child is not None:
            parts.append(inside(*child))
    return Markup("".join(parts))


def _attribute(name: str, value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'
