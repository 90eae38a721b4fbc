"""The language of whoever looks on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.texts import ENGLISH, best_language

if TYPE_CHECKING:
    from starlette.requests import Request


def language_of(request: Request, otherwise: str = ENGLISH) -> str:
    """By `?lang=`, else the first that the browser prefers.

    Args:
        otherwise: where the browser prefers none that there is.
    """
    preferred = request.headers.get("accept-language", "").split(",")
    return best_language([request.query_params.get("lang", ""), *preferred], otherwise)
