"""What is told of one slot from what fits and colours say of it: the weighing alone, without a picture."""

from dataclasses import replace

import pytest

from calibration.finity.board import reference_board
from calibration.finity.slots import SlotLook
from vision.finity.sighting import Sighting
from vision.finity.slot_verdict import BLOCKER_PART, CUBE_PART, PROVEN_LINE, PROVEN_SEAM, Evidence, Judge

BOARD = reference_board()
SLOTS = BOARD.slot_places(2)
SLOT = SLOTS[0]
FIRST, SECOND = SLOT.stations
BLACK, WHITE = -0.5, 0.8
LOOK = SlotLook(
    {"b": (BLACK, 0.2), "w": (WHITE, 0.12)},
    {"b": ((SLOT.x_mm, SLOT.y_mm, BLACK),), "w": ((SLOT.x_mm, SLOT.y_mm, WHITE),)},
    {},
)
USUAL = 0.02

BARE = Evidence(
    fine=False,
    rough=-60.0,
    scores=(0.0, 0.0),
    calm=0.0,
    ratios=(0.0, 0.0),
    off=(0.0, 0.0),
    seam=12.0,
    line=10.0,
    cube=(0.0, 0.0),
    frame=(0.0, 0.0),
    cube_odd=0.0,
    cube_seen=1.0,
    visible=1.0,
    coloured=0.0,
    counted=1.0,
    usual_off=USUAL,
    light=1.0,
    blocker_seen=1.0,
)


def bridge(ratio: float, scores: tuple[float, float], off: float, bare_off: float) -> Evidence:
    return replace(
        BARE,
        fine=True,
        rough=max(scores),
        scores=scores,
        calm=max(scores),
        ratios=(ratio, ratio),
        off=(off * USUAL, bare_off * USUAL),
        seam=-5.0,
        line=0.0,
    )


def told(evidence: Evidence) -> Sighting:
    return Judge(LOOK, "AB", SLOTS, BOARD.hex_side).judge(SLOT, evidence)[0]


def test_tiles_whose_seam_is_seen_are_empty_however_little_else_is_in_sight() -> None:
    little = replace(BARE, visible=0.42, counted=0.18, cube_seen=0.1)
    assert told(little).proven
    assert told(little).doubts == ()
    for spoilt in (
        replace(little, seam=PROVEN_SEAM - 0.1),
        replace(little, line=PROVEN_LINE - 0.1),
        replace(little, rough=0.0),
        replace(little, cube=(0.1, 0.0)),
        replace(little, cube_odd=0.1),
    ):
        assert not told(spoilt).proven
        assert told(spoilt).doubts


def test_a_third_of_a_face_without_a_trace_of_colour_is_no_blocker() -> None:
    behind = replace(BARE, visible=0.45, counted=0.4, cube_seen=CUBE_PART, blocker_seen=0.0, seam=1.0, line=3.0)
    assert told(behind).doubts == ()
    assert "hardly in sight" in told(replace(behind, cube_seen=CUBE_PART - 0.05)).doubts
    assert told(replace(behind, cube_seen=0.0, blocker_seen=BLOCKER_PART)).doubts == ()
    assert "hardly in sight" in told(replace(behind, cube=(0.0, 0.1))).doubts


def test_a_bridge_behind_the_tower_that_explains_all_that_is_seen_is_told() -> None:
    seen = replace(bridge(WHITE, (125.0, 40.0), 1.0, 5.0), visible=0.44, counted=0.42, cube_seen=0.2)
    assert told(seen).label == f"w {FIRST}"
    assert told(seen).doubts == ()
    faint = replace(bridge(BLACK, (50.0, 20.0), 1.0, 2.1), visible=0.44, counted=0.42, cube_seen=0.2)
    assert "hardly in sight" in told(faint).doubts


@pytest.mark.parametrize(("ratio", "sure"), [(WHITE, True), (BLACK, False)])
def test_a_white_face_may_be_off_by_more_than_a_black_one(ratio: float, sure: bool) -> None:
    sighting = told(bridge(ratio, (90.0, 70.0), 2.0, 5.0))
    assert (sighting.doubts == ()) is sure


def test_a_black_bridge_is_no_blocker_of_a_player_as_dark() -> None:
    """Its face has the player's grey; its ends, beyond where a blocker stands, are a bridge's."""
    dark = replace(bridge(BLACK, (40.0, 112.0), 1.2, 2.8), cube=(0.0, 0.9))
    assert told(dark).label == f"b {SECOND}"
    assert told(dark).doubts == ()
    blocker = replace(BARE, seam=0.0, line=0.0, rough=10.0, cube=(0.0, 0.9))
    assert told(blocker).label == "blocker B"


def test_a_faint_bridge_needs_more_to_tell_its_direction() -> None:
    clear, faint = (bridge(BLACK, (60.0, 48.0), 1.0, bare_off) for bare_off in (2.4, 2.1))
    assert told(clear).doubts == ()
    assert told(faint).doubts == ("the direction is not clear",)


def test_a_bridge_that_only_one_way_to_lie_explains_is_doubted() -> None:
    lying = bridge(BLACK, (80.0, 40.0), 1.0, 2.2)
    assert told(lying).doubts == ()
    assert told(replace(lying, rough=-6.0)).doubts == ()
    assert told(replace(lying, rough=-6.0, seam=-0.9)).doubts == ("hardly differs from the tile",)


def test_a_dark_line_alone_is_no_seam() -> None:
    """A bridge that was pushed out of its slot throws one with its edge."""
    pushed = replace(bridge(BLACK, (22.0, 20.0), 1.2, 1.5), line=7.0, seam=-0.2)
    assert told(pushed).label == "."
    assert "a bridge is possible" in told(pushed).doubts
    assert told(replace(pushed, seam=8.0)).doubts == ()


def test_what_the_tower_hides_is_hidden_and_not_covered() -> None:
    """Else bridges beside it would be doubted as ends of one that a hand covers."""
    behind = replace(BARE, visible=0.02, coloured=0.015, counted=0.0)
    assert told(behind).doubts == ("hidden",)
    assert not told(behind).covered
    assert told(replace(behind, visible=0.9, coloured=0.6)).covered


@pytest.mark.parametrize(("ratio", "sure"), [(WHITE, True), (BLACK, False)])
def test_under_a_low_lamp_black_bridges_need_more_to_tell_their_direction(ratio: float, sure: bool) -> None:
    judge = Judge(LOOK, "AB", SLOTS, BOARD.hex_side, low_light=True)
    lying = bridge(ratio, (90.0, 78.0), 1.0, 3.0)
    assert told(lying).doubts == ()
    assert (judge.judge(SLOT, lying)[0].doubts == ()) is sure
    clearer = bridge(ratio, (120.0, 104.0), 1.0, 3.0)
    assert judge.judge(SLOT, clearer)[0].doubts == ()
    fainter = bridge(ratio, (90.0, 70.0), 1.0, 3.0)
    assert (judge.judge(SLOT, fainter)[0].doubts == ()) is sure


def test_a_slot_that_is_a_little_odd_needs_its_seam_to_be_empty() -> None:
    """A dull blocker that was pushed aside is neither a bridge nor of any player's colour where it should stand."""
    odd = replace(bridge(BLACK, (5.0, 4.0), 1.7, 1.9), seam=2.0, line=-0.7)
    assert told(odd).doubts == ("looks neither like a bridge nor like the tile",)
    assert told(replace(odd, seam=8.0, line=8.0)).doubts == ()


def test_an_empty_slot_of_a_strange_hue_needs_its_seam_to_be_seen() -> None:
    """A dull blocker under a coloured lamp: of no player's colour, and what is left around it is tile."""
    dull = replace(BARE, coloured=0.19, counted=0.45, seam=-0.2, line=0.0)
    assert told(dull).doubts == ("something coloured may lie there",)
    assert told(replace(dull, coloured=0.05)).doubts == ()
    assert told(replace(dull, seam=8.0)).doubts == ()


def test_what_is_half_hidden_can_hardly_speak_for_a_bridge() -> None:
    """A black bridge behind the tower, as bright as the tile: neither its outline nor the seam is in sight."""
    behind = replace(bridge(BLACK, (8.0, 8.0), 0.6, 0.95), visible=0.6, counted=0.27, seam=-1.8)
    assert told(behind).label == "."
    assert told(behind).doubts == ("a bridge is possible",)
    assert told(replace(behind, counted=1.0)).doubts == ()


def test_shades_of_neighbours_do_not_speak_for_a_bridge_where_the_seam_is_seen() -> None:
    shaded = replace(bridge(BLACK, (33.0, 30.0), 1.2, 1.5), seam=3.0, line=4.0)
    assert "the seam of the tiles shows through" in told(shaded).doubts
    calm = replace(shaded, calm=2.0)
    assert told(calm).label == "."
    assert told(calm).doubts == ()
    assert told(replace(calm, seam=-2.0, line=0.0)).label == f"b {FIRST}"


def test_the_seen_half_of_a_bridge_tells_its_direction_where_nothing_lies_over_it() -> None:
    half = replace(bridge(BLACK, (70.0, 52.0), 1.0, 3.0), visible=0.55, counted=0.5)
    assert told(half).doubts == ()
    assert told(replace(half, visible=1.0, coloured=0.3)).doubts == ("the direction is not clear",)


def test_a_black_bridge_with_the_hue_of_a_dull_player_is_no_sure_blocker() -> None:
    """A brown player's blockers under a blue lamp; the bridge is glossy, and its patch is hardly odd for the tile."""
    dull = replace(bridge(BLACK, (83.0, 28.0), 0.9, 1.6), cube=(0.9, 0.0), seam=0.0)
    assert told(dull).label == "blocker A"
    assert told(dull).doubts == ("it may as well be a bridge",)
    assert told(replace(dull, scores=(-20.0, -24.0), calm=-20.0)).doubts == ()
    assert told(replace(dull, coloured=0.2)).doubts == ()
