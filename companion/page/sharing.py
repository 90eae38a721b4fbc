"""The page's link for phones, as a QR code, for who may command already.

GET  phone?address=&lang=    {"link", "svg"}; with the token in `X-Companion-Token`; {"detail"} where no phone gets here

`address` is where the browser has the page, which is right for phones, too, unless it is this machine's own.
"""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from starlette.responses import JSONResponse
from starlette.routing import Route

from companion.page.guard import TOKEN_HEADER, host_allowed, is_this_machine, own_names, token_matches
from companion.page.reach import lan_url
from companion.texts import in_language, text

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.page.site import Site

NO_STORE = {"Cache-Control": "no-store"}
LONGEST = 300
"""Characters of an address: with the token behind it, a QR code of it is still read by any phone."""

ONLY_LOOKING = text("This page may only look on; open the link that the terminal shows to take part.")
ONLY_HERE = text(
    'Only this machine reaches the page. For phones, start again with host = "0.0.0.0" in the config\'s [page]; '
    "where there is no config, with `companion demo --qr` or `companion setup --host 0.0.0.0`."
)


def sharing_routes(site: Site) -> list[Route]:
    """The route of the link for phones."""

    async def phone(request: Request) -> Response:
        language = site.language_of(request)
        if not token_matches(request.headers.get(TOKEN_HEADER), site.token):
            site.refusals.note("link without the token")
            return JSONResponse({"detail": in_language(ONLY_LOOKING, language)}, 403, NO_STORE)
        address = phone_address(
            request.query_params.get("address", ""), request.app.state.bound, own_names(site.outer_names)
        )
        if address is None:
            return JSONResponse({"detail": in_language(ONLY_HERE, language)}, headers=NO_STORE)
        link = f"{address}#token={site.token}"
        return JSONResponse({"link": link, "svg": await asyncio.to_thread(qr_svg, link)}, headers=NO_STORE)

    return [Route("/phone", phone)]


def phone_address(shown: str, bound: tuple[str, int] | None, names: frozenset[str]) -> str | None:
    """The page's address for a phone: the one that the browser has, or this machine's in the network, or none.

    Args:
        shown: where the browser has the page; another site's address is passed over.
        bound: where the server listens.
    """
    parts = _parts(shown if len(shown) <= LONGEST else "")
    known = parts.scheme in ("http", "https") and parts.username is None and host_allowed(parts.netloc, names)
    if known and not is_this_machine(parts.hostname or ""):
        return f"{parts.scheme}://{parts.netloc}{parts.path}"
    return lan_url(bound)


def _parts(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:  # brackets without an end
        return urlsplit("")


def qr_svg(link: str) -> str:
    """A QR code as an SVG of its own, dark on light with the quiet border that readers need."""
    import segno

    out = io.BytesIO()
    segno.make(link, error="m", micro=False).save(out, kind="svg", border=4, dark="#000", light="#fff", scale=4)
    return out.getvalue().decode()


def qr_text(link: str) -> str:
    """A QR code for a terminal, two rows of it in a line; dark on light whatever the terminal's colours are."""
    import segno

    out = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()
