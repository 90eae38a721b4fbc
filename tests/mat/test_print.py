"""Printed mats, rendered to pixels as a printer would, and measured."""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import Board, load_board, parse_board
from calibration.markers import find_markers, gray
from calibration.preview import look
from companion.cli.app import run as run_command
from companion.errors import UsageError
from companion.mat.content import content_of
from companion.mat.drawing import FONT_FILE, RULER_MM, mat_pdf, stickers_pdf
from companion.mat.papers import MARGIN, PAPERS, sheets_of

DPI = 254.0
"""Ten pixels a millimetre; the renderer rounds edges to whole ones."""
PX_MM = DPI / 25.4
Picture = NDArray[np.uint8]


@cache
def board(game: str) -> Board:
    return load_board(game)


def rendered(pdf: bytes, dpi: float = DPI) -> list[Picture]:
    """Pages as (H, W, 3) BGR."""
    import pypdfium2

    document = pypdfium2.PdfDocument(io.BytesIO(pdf))
    pages = [np.asarray(page.render(scale=dpi / 72).to_pil().convert("RGB"))[..., ::-1].copy() for page in document]
    document.close()
    return pages


@cache
def pages(game: str, paper: str, players: int | None = None) -> list[Picture]:
    return rendered(mat_pdf(content_of(board(game), players), paper))


def paper_mm(px: NDArray[np.float64], page: Picture) -> NDArray[np.float64]:
    """Picture points (centres of pixels at whole numbers) as millimetres from the paper's bottom left."""
    at = (px + 0.5) / PX_MM
    return np.stack([at[..., 0], page.shape[0] / PX_MM - at[..., 1]], axis=-1)


@pytest.mark.parametrize("game", ["infinity", "finity"])
@pytest.mark.parametrize("paper", PAPERS)
def test_markers_lie_at_the_stated_millimetres(game: str, paper: str) -> None:
    copy = board(game)
    sheets = sheets_of(content_of(copy).box, paper, content_of(copy).keep())
    drawn = pages(game, paper)
    assert len(drawn) == len(sheets) + 1
    true = copy.aruco.corners()
    met = set()
    for sheet, page in zip(sheets, drawn, strict=False):
        assert page.shape[1] / PX_MM == pytest.approx(sheet.width, abs=0.2)
        for marker, corners in find_markers(gray(page), copy).items():
            found = paper_mm(corners, page) - sheet.shift
            assert found == pytest.approx(np.array(true[marker])[:, :2], abs=0.12)
            met.add(marker)
    assert met == set(copy.aruco.ids)


@pytest.mark.parametrize("game", ["infinity", "finity"])
@pytest.mark.parametrize("paper", PAPERS)
def test_the_ruler_of_every_page_is_as_long_as_it_says(game: str, paper: str) -> None:
    for page in pages(game, paper):
        row = page.shape[0] - round((MARGIN + 1) * PX_MM)
        band = gray(page)[row - 3 : row + 4].min(axis=0) < 128
        dark = np.flatnonzero(band[: round((MARGIN + RULER_MM + 4) * PX_MM)])
        assert (dark[-1] - dark[0]) / PX_MM == pytest.approx(RULER_MM, abs=0.35)
        assert dark[0] / PX_MM == pytest.approx(MARGIN, abs=0.35)
        assert np.diff(dark).max() == 1


@pytest.mark.parametrize("game", ["infinity", "finity"])
@pytest.mark.parametrize("paper", PAPERS)
def test_stickers_are_markers_of_the_right_size_with_white_around(game: str, paper: str) -> None:
    copy = board(game)
    (page,) = rendered(stickers_pdf(content_of(copy), paper))
    assert np.array_equal(page, pages(game, paper)[-1])
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    quads, ids, _ = detector.detectMarkers(gray(page))
    assert sorted(np.ravel(ids).tolist()) == sorted([*copy.aruco.ids, *copy.aruco.ids])
    for quad in np.asarray(quads).reshape(-1, 4, 2):
        sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1) / PX_MM
        assert sides == pytest.approx(np.full(4, copy.aruco.size), abs=0.4)
        rim = copy.aruco.size / 8 * 0.7 * PX_MM
        (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
        assert gray(page)[round(top - rim), round(left) : round(right)].min() > 200
        assert gray(page)[round(top) : round(bottom), round(right + rim)].min() > 200


@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_patches_reflect_what_the_board_file_says(game: str) -> None:
    content = content_of(board(game))
    sheets = sheets_of(content.box, "a3", content.keep())
    drawn = pages(game, "a3")
    for patch in content.patches:
        sheet, page = next(
            (sheet, page)
            for sheet, page in zip(sheets, drawn, strict=False)
            if sheet.box[0] < patch.middle[0] < sheet.box[2] and sheet.box[1] < patch.middle[1] < sheet.box[3]
        )
        x, y = (patch.middle[0] + sheet.shift[0]) * PX_MM, page.shape[0] - (patch.middle[1] + sheet.shift[1]) * PX_MM
        assert page[round(y), round(x), ::-1] / 255 == pytest.approx(np.array(patch.rgb), abs=0.01)
    greys = [patch.rgb for patch in content.patches if len(set(patch.rgb)) == 1]
    assert len(greys) == 4
    assert greys == sorted(greys)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_tiles_of_the_players_are_drawn(players: int) -> None:
    content = content_of(board("finity"), players)
    names = [label.words for label in content.labels]
    assert len(names) == {2: 9, 3: 10, 4: 13}[players]
    assert len(content.lines) == len(names) + 1


def test_a_glued_mat_is_a_good_board_to_a_camera() -> None:
    """All sheets laid on each other as the crosses say, seen from straight above."""
    copy = board("finity")
    content = content_of(copy)
    left, bottom, right, top = content.box
    px_mm = 1.6
    mat = np.full((round((top - bottom) * px_mm), round((right - left) * px_mm), 3), 255, dtype=np.uint8)
    for sheet, page in zip(sheets_of(content.box, "a4", content.keep()), pages("finity", "a4"), strict=False):
        box = sheet.box
        # the page under the sheet's own box, at the mat's scale
        px = [(box[0] + sheet.shift[0]) * PX_MM, page.shape[0] - (box[3] + sheet.shift[1]) * PX_MM]
        scale = px_mm / PX_MM
        M = np.array(
            [[scale, 0, (box[0] - left) * px_mm - px[0] * scale], [0, scale, (top - box[3]) * px_mm - px[1] * scale]]
        )
        small = cv2.warpAffine(page, M, (mat.shape[1], mat.shape[0]), flags=cv2.INTER_AREA, borderValue=(255, 255, 255))
        rows = slice(round((top - box[3]) * px_mm), round((top - box[1]) * px_mm))
        columns = slice(round((box[0] - left) * px_mm), round((box[2] - left) * px_mm))
        mat[rows, columns] = small[rows, columns]
    around = cv2.copyMakeBorder(mat, 30, 31, 288, 288, cv2.BORDER_CONSTANT, value=(40, 60, 90))
    seen = look(np.asarray(around * 0.9, dtype=np.uint8), copy, 4)  # paper is no mirror
    assert set(seen.markers) == set(copy.aruco.ids)
    assert seen.error_px is not None
    assert seen.error_px < 0.3
    assert seen.ready


def test_a_mat_of_a_users_board_has_its_markers_where_they_are() -> None:
    data = board("infinity").to_json()
    data["aruco"] |= {"centres": [[-66, 104], [69, 104], [69, -104], [-69, -104]], "turns_deg": [5, 0, 0, 0]}
    copy = parse_board(data)
    content = content_of(copy)
    (sheet,) = sheets_of(content.box, "a4", content.keep())
    page = rendered(mat_pdf(content, "a4"))[0]
    found = paper_mm(find_markers(gray(page), copy)[0], page) - sheet.shift
    assert found == pytest.approx(np.array(copy.aruco.corners()[0])[:, :2], abs=0.12)


def test_windows_of_an_unusual_board_are_apart() -> None:
    data = board("infinity").to_json()
    data["board"] |= {"w": 260, "h": 320}
    data["channels"] |= {"entry_y": 60, "end_y": 150}
    data["slots"] |= {"first_y": 70}
    assert len(content_of(parse_board(data)).lines) == 3


def test_the_font_has_polish_letters() -> None:
    from reportlab.pdfbase.ttfonts import TTFont

    letters = TTFont("any", str(FONT_FILE)).face.charToGlyph
    assert not [letter for letter in "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ↑%" if ord(letter) not in letters]


def words_of(pdf: bytes) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(io.BytesIO(pdf))
    found = " ".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return re.sub(r"\s+", " ", found)


def test_every_page_says_how_to_print_it_in_both_languages() -> None:
    content = content_of(board("finity"), 2)
    english, polish = words_of(mat_pdf(content, "a4")), words_of(mat_pdf(content, "a4", "pl"))
    assert english.count("Print at 100 %") == 7
    assert polish.count("Drukuj w skali 100 %") == 7
    assert "zegara" in polish
    assert "glue" not in polish.lower()
    assert "sheet B2 of 6" in english


def test_the_same_mat_is_the_same_file() -> None:
    content = content_of(board("infinity"))
    assert mat_pdf(content, "a4") == mat_pdf(content, "a4")


def test_infinity_has_no_players_to_choose() -> None:
    with pytest.raises(UsageError, match="leave it out"):
        content_of(board("infinity"), 3)


def run(*arguments: str) -> int:
    return run_command(["mat", *arguments])


def test_the_command_writes_what_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "mat.pdf"
    assert run("--game", "finity", "--players", "2", "--paper", "A3", "--language", "en", "--out", str(out)) == 0
    assert out.read_bytes() == mat_pdf(content_of(board("finity"), 2), "a3")
    assert "100 %" in capsys.readouterr().out
    assert run("--stickers", "--language", "pl", "--out", str(out)) == 0
    assert out.read_bytes() == stickers_pdf(content_of(board("infinity")), "a4", "pl")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--paper", "a5", "--out", "mat.pdf"], 2, "a4, a3, letter"),
        (["--game", "chess", "--out", "mat.pdf"], 2, "there is no game chess"),
        (["--out", "nowhere/mat.pdf"], 1, "cannot be written"),
        (["--board", "none.json", "--out", "mat.pdf"], 1, "no such file"),
        (["--players", "3", "--out", "mat.pdf"], 2, "leave it out"),
        ([], 2, "--out"),
    ],
)
def test_what_cannot_be_is_one_line(
    arguments: list[str],
    code: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == code
    told = capsys.readouterr().err
    assert words in told
    assert "Traceback" not in told
    assert list(tmp_path.iterdir()) == []
