"""A board's print on sheets of paper, as PDF; reportlab draws, in points from the bottom left of a sheet."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from companion.mat.content import QUIET_CELLS, Content, Line, Marker, Patch, Xy
from companion.mat.papers import MARGIN, PAPERS, WORDS, Sheet, sheets_of
from companion.texts import in_language, text

POINT_MM: Final = 72 / 25.4
RULER_MM: Final = 100.0
FONT: Final = "Companion"
FONT_FILE: Final = Path(__file__).parents[1] / "summary" / "fonts" / "DejaVuSans.ttf"
"""With Polish letters, which the fonts that every PDF reader has may lack."""
SMALL, LARGE = 7.5, 10.0
"""Letters in points."""
HAIR, CUT = 0.4, 0.7
"""Lines in points."""
GREY: Final = 0.55
CROSS_MM: Final = 3.0
GAP_MM: Final = 6.0
"""Between stickers, for scissors."""
COPIES: Final = 2
"""Of each sticker: one is soon stuck on askew."""

Say = Callable[[str], str]


def mat_pdf(content: Content, paper: str, language: str = "en") -> bytes:
    """The mat on as many sheets as it takes, and a last sheet with its markers to stick on."""
    pen = _Pen(language)
    sheets = sheets_of(content.box, paper, content.keep())
    for sheet in sheets:
        pen.mat_sheet(content, sheet, sheets)
    pen.stickers(content, paper)
    return pen.done()


def stickers_pdf(content: Content, paper: str, language: str = "en") -> bytes:
    """The markers to stick on alone."""
    pen = _Pen(language)
    pen.stickers(content, paper)
    return pen.done()


class _Pen:
    def __init__(self, language: str) -> None:
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas

        if FONT not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(FONT, str(FONT_FILE)))
        self._language = language
        self._file = io.BytesIO()
        self._page: Any = Canvas(self._file, invariant=1)  # the same mat is the same file
        self._page.setViewerPreference("PrintScaling", "None")
        self._page.setTitle("Companion")

    def done(self) -> bytes:
        self._page.save()
        return self._file.getvalue()

    def mat_sheet(self, content: Content, sheet: Sheet, sheets: Sequence[Sheet]) -> None:
        page = self._page
        page.setPageSize((sheet.width * POINT_MM, sheet.height * POINT_MM))
        page.saveState()
        page.scale(POINT_MM, POINT_MM)
        page.translate(*sheet.shift)
        self._clip(sheet)
        for patch in content.patches:
            self._patch(patch)
        for line in content.lines:
            self._line(line)
        for label in content.labels:
            self._label(label.middle, label.words)
        for marker in content.markers:
            self._marker(marker)
        page.restoreState()
        self._seams(sheet)
        game, how = content.game.capitalize(), [content.advice]
        what: str = text("{game}, sheet {name} of {count}", game=game, name=sheet.name, count=len(sheets))
        if len(sheets) == 1:
            what = game
        else:
            self._overview(sheet, sheets)
            how.insert(
                0,
                text(
                    "Cut the left and upper edge at the dashed lines, and glue each sheet on the rim of the one before "
                    "it, cross on cross."
                ),
            )
        self._foot(sheet.width, what, how)
        page.showPage()

    def stickers(self, content: Content, paper: str) -> None:
        """Each marker with its white rim, twice, and the patches once."""
        page, (width, height) = self._page, PAPERS[paper]
        page.setPageSize((width * POINT_MM, height * POINT_MM))
        page.saveState()
        page.scale(POINT_MM, POINT_MM)
        x, top, tallest = MARGIN, height - MARGIN, 0.0
        for marker in [marker for marker in content.markers for _ in range(COPIES)]:
            side = marker.size * (1 + 2 * QUIET_CELLS / len(marker.cells))
            if x + side > width - MARGIN:
                x, top = MARGIN, top - tallest - GAP_MM
            middle = x + side / 2, top - side / 2
            self._marker(Marker(marker.id, middle, marker.size, 0.0, marker.cells))
            self._line(Line(_square(middle, side), cut=True))
            self._label((middle[0], middle[1] - side / 2 - 2.6), f"↑ {marker.id}")
            x, tallest = x + side + GAP_MM, side
        self._strip(content.patches, top - tallest - 2 * GAP_MM)
        page.restoreState()
        what = text("{game}, markers to stick on", game=content.game.capitalize())
        how = text(
            "Stick marker {ids} on the board's frame, flat and upright, clockwise from the far left corner; then tell "
            "where they lie in the board editor, or measure them with a ruler.",
            ids=", ".join(str(marker.id) for marker in content.markers),
        )
        self._foot(width, what, [how])
        page.showPage()

    def _strip(self, patches: Sequence[Patch], top: float) -> None:
        """The patches side by side as they are on the mat, from the left margin."""
        left, high = min(p.middle[0] - p.size / 2 for p in patches), max(p.middle[1] + p.size / 2 for p in patches)
        for patch in patches:
            middle = patch.middle[0] - left + MARGIN, patch.middle[1] - high + top
            self._patch(Patch(middle, patch.size, patch.rgb))

    def _clip(self, sheet: Sheet) -> None:
        left, bottom, right, top = sheet.box
        path = self._page.beginPath()
        path.rect(left - 0.2, bottom - 0.2, right - left + 0.4, top - bottom + 0.4)
        self._page.clipPath(path, stroke=0, fill=0)

    def _patch(self, patch: Patch) -> None:
        self._page.setFillColorRGB(*patch.rgb)
        (x, y), half = patch.middle, patch.size / 2
        self._page.rect(x - half, y - half, patch.size, patch.size, stroke=0, fill=1)

    def _line(self, line: Line) -> None:
        page = self._page
        page.setLineWidth((CUT if line.cut else HAIR) / POINT_MM)
        page.setStrokeGray(0 if line.cut else GREY)
        page.setDash([2, 1.2] if line.cut else [])
        path = page.beginPath()
        path.moveTo(*line.points[0])
        for point in line.points[1:]:
            path.lineTo(*point)
        if line.closed:
            path.close()
        page.drawPath(path, stroke=1, fill=0)
        page.setDash([])

    def _marker(self, marker: Marker) -> None:
        """Black with white cells upon it: runs of white in one path, that no seam shows between them."""
        page, cells = self._page, len(marker.cells)
        cell, half = marker.size / cells, marker.size / 2
        page.saveState()
        page.translate(*marker.middle)
        page.rotate(marker.turn_deg)
        rim = half + QUIET_CELLS * cell
        page.setFillGray(1)
        page.rect(-rim, -rim, 2 * rim, 2 * rim, stroke=0, fill=1)
        page.setFillGray(0)
        page.rect(-half, -half, marker.size, marker.size, stroke=0, fill=1)
        page.setFillGray(1)
        path = page.beginPath()
        for row, line in enumerate(marker.cells):
            for column in (column for column, white in enumerate(line) if white):
                path.rect(column * cell - half, half - (row + 1) * cell, cell, cell)
        page.drawPath(path, stroke=0, fill=1)
        page.restoreState()

    def _label(self, middle: Xy, words: str) -> None:
        self._page.setFillGray(GREY)
        self._page.setFont(FONT, LARGE / POINT_MM)
        self._page.drawCentredString(middle[0], middle[1] - LARGE / POINT_MM / 3, words)

    def _seams(self, sheet: Sheet) -> None:
        """Where this sheet is cut (dashed) and where the next ones come, with crosses that lie on each other."""
        page, (left, bottom, right, top) = self._page, sheet.box
        page.saveState()
        page.scale(POINT_MM, POINT_MM)
        page.translate(*sheet.shift)
        for x in sheet.cuts_x:
            self._line(Line(((x, bottom), (x, top)), closed=False, cut=x == left))
        for y in sheet.cuts_y:
            self._line(Line(((left, y), (right, y)), closed=False, cut=y == top))
        along_x = [*sheet.cuts_x] or [left, right]
        along_y = [*sheet.cuts_y] or [top, bottom]
        if sheet.cuts_x or sheet.cuts_y:
            for at in ((x, y) for x in (*along_x, (left + right) / 2) for y in (*along_y, (bottom + top) / 2)):
                if at[0] in sheet.cuts_x or at[1] in sheet.cuts_y:
                    self._cross(at)
        page.restoreState()

    def _cross(self, at: Xy) -> None:
        for dx, dy in ((CROSS_MM, 0.0), (0.0, CROSS_MM)):
            self._line(Line(((at[0] - dx, at[1] - dy), (at[0] + dx, at[1] + dy)), closed=False))

    def _overview(self, sheet: Sheet, sheets: Sequence[Sheet]) -> None:
        """All sheets as they lie, this one filled, at the right of the foot."""
        page = self._page
        columns, rows = (max(each) + 1 for each in zip(*((s.column, s.row) for s in sheets), strict=True))
        cell = min(6.0, (WORDS - 4) / rows)
        page.saveState()
        page.scale(POINT_MM, POINT_MM)
        page.translate(sheet.width - MARGIN - columns * cell, MARGIN)
        page.setLineWidth(HAIR / POINT_MM)
        page.setStrokeGray(0)
        for each in sheets:
            page.setFillGray(0.7 if each.name == sheet.name else 1)
            page.rect(each.column * cell, (rows - 1 - each.row) * cell, cell, cell, stroke=1, fill=1)
            page.setFillGray(0)
            page.setFont(FONT, cell / 2.6)
            page.drawCentredString((each.column + 0.5) * cell, (rows - 0.63 - each.row) * cell, each.name)
        page.restoreState()

    def _foot(self, width: float, what: str, how: Sequence[str]) -> None:
        """The ruler, and what to do."""
        from reportlab.lib.utils import simpleSplit

        page = self._page
        page.saveState()
        page.scale(POINT_MM, POINT_MM)
        self._ruler((MARGIN, MARGIN + 1))
        check = text("Print at 100 % (actual size): this line must measure {mm} mm.", mm=int(RULER_MM))
        room = width - 2 * MARGIN - 40
        size = SMALL / POINT_MM
        lines = [line for each in (what, check, *how) for line in simpleSplit(self._say(each), FONT, size, room)]
        page.setFillGray(0)
        page.setFont(FONT, size)
        for number, line in enumerate(reversed(lines)):
            page.drawString(MARGIN, MARGIN + 6.2 + number * size * 1.2, line)
        page.restoreState()

    def _ruler(self, start: Xy) -> None:
        page, (x, y) = self._page, start
        page.setStrokeGray(0)
        page.setLineWidth(CUT / POINT_MM)
        page.line(x, y, x + RULER_MM, y)
        for mm in range(0, int(RULER_MM) + 1, 5):
            page.line(x + mm, y, x + mm, y + (3.5 if mm % 50 == 0 else 2.5 if mm % 10 == 0 else 1.5))

    def _say(self, words: str) -> str:
        return str(in_language(words, self._language))


def _square(middle: Xy, side: float) -> tuple[Xy, ...]:
    (x, y), half = middle, side / 2
    return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)
