"""Names that people give: text that stands within sentences, and must not turn the rest of them around.

Right-to-left names and emoji are welcome; what is taken out are the invisible marks by which a text orders the
direction of all that follows it (Unicode's explicit directional formatting, UAX 9), and control characters.
"""

from __future__ import annotations

import re

_UNSEEN = re.compile("[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+")


def plain_name(name: str) -> str:
    """A name in one line, with single spaces, and without marks that order the direction of a text."""
    return " ".join(_UNSEEN.sub(" ", name).split())
