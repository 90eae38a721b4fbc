"""The pages' files: read once from the installed package, served with a mark by which a browser knows them again."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from companion.games.game import Json

if TYPE_CHECKING:
    from starlette.responses import Response

QUICK = 1
"""Compression of what is asked for once: the best would save a tenth more and take three times as long."""
REFUSED = ("q=0", "q=0.0", "q=0.00", "q=0.000")
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
    """One file, or that the browser has it already, or that there is none; compressed for who takes it so."""
    from starlette.responses import PlainTextResponse, Response

    if name not in statics:
        return PlainTextResponse("There is no such page here.\n", status_code=404)
    content, media_type = statics[name]
    squeezed = takes_gzip(headers)
    etag = f'"{_digest(content)}{"-gz" if squeezed else ""}"'
    told = {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=told)
    if squeezed:
        return Response(_squeezed(content), media_type=media_type, headers={**told, "Content-Encoding": "gzip"})
    return Response(content, media_type=media_type, headers=told)


def json_response(value: Json, headers: Mapping[str, str], status_code: int = 200) -> Response:
    """A JSON value that is asked for once in a while, never kept by the browser; compressed for who takes it so.

    Args:
        headers: the request's.
    """
    from starlette.responses import Response

    content = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict).encode()
    told = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if takes_gzip(headers):
        content, told["Content-Encoding"] = gzip.compress(content, QUICK), "gzip"
    return Response(content, status_code, media_type="application/json", headers=told)


def takes_gzip(headers: Mapping[str, str]) -> bool:
    """Whether a request's headers say that its sender unpacks gzip."""
    taken = (part.partition(";") for part in headers.get("accept-encoding", "").lower().split(","))
    return any(name.strip() == "gzip" and weight.replace(" ", "") not in REFUSED for name, _, weight in taken)


@lru_cache(maxsize=256)
def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


@lru_cache(maxsize=256)
def _squeezed(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)
