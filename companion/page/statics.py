"""The pages' files: read once from the installed package, served with a mark by which a browser knows them again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.responses import Response

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def read_statics() -> dict[str, tuple[bytes, str]]:
    """The pages' files, from the installed package: name to content and media type."""
    folder = files("companion.page").joinpath("static")
    return {
        item.name: (item.read_bytes(), MEDIA_TYPES[suffix])
        for item in sorted(folder.iterdir(), key=lambda item: item.name)
        if (suffix := item.name[item.name.rfind(".") :]) in MEDIA_TYPES
    }


def statics_mark(statics: Mapping[str, tuple[bytes, str]]) -> str:
    """Changes whenever any of the pages' files does."""
    digest = hashlib.sha256()
    for name, (content, _) in statics.items():
        digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()[:16]


def static_response(statics: Mapping[str, tuple[bytes, str]], name: str, headers: Mapping[str, str]) -> Response:
    """One file, or that the browser has it already, or that there is none."""
    from starlette.responses import PlainTextResponse, Response

    if name not in statics:
        return PlainTextResponse("There is no such page here.\n", status_code=404)
    content, media_type = statics[name]
    etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    told = {"ETag": etag, "Cache-Control": "no-cache"}
    if headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=told)
    return Response(content, media_type=media_type, headers=told)
