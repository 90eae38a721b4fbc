"""The simulated table of Finity: what hands do shows on the board, in human time, and nothing else does."""

from __future__ import annotations

import math

import pytest

from companion.errors import InputError
from companion.games.finity.rules import Finity
from companion.games.game import Json
from hw_sim.faults import Faults
from hw_sim.finity.deeds import Deed, deed_of
from hw_sim.finity.hands import FinityPerson
from hw_sim.finity.scene import PieceKind
from hw_sim.finity.table import LAID_OFF_MM, NUDGED_OFF_MM, SimFinityTable

SETUP: dict[str, Json] = {"players": 2, "pattern": "bwbbwbww"}
START = {"N.P": "A", "S.P": "B", "C>N L": "blocker A", "C>N R": "blocker A", "C>S L": "blocker B", "C>S R": "blocker B"}


def a_table(seed: int = 1, players: int = 2, **settings: object) -> SimFinityTable:
    return SimFinityTable(seed=seed, setup={**SETUP, "players": players}, **settings)  # type: ignore[arg-type]


def showing(table: SimFinityTable) -> dict[str, str]:
    """The places that are not empty."""
    return {place: label for place, label in table.truth().sight.items() if label != "."}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_it_begins_as_the_rules_say(players: int, seed: int) -> None:
    table = a_table(seed, players)
    assert dict(table.truth().sight) == dict(table.rules.sight(table.rules.start()))
    assert table.truth().settled
    scene = table.scene()
    assert (scene.players, scene.pattern) == (players, "bwbbwbww")
    centre = [p for p in scene.pieces if p.kind is PieceKind.RING and math.hypot(p.x_mm, p.y_mm) < 10]
    assert sorted(ring.colour for ring in centre) == sorted(table.letters)
    assert len({ring.z_mm for ring in centre}) == players, "they lie on each other"


def test_two_players_begin_with_posts_and_blockers() -> None:
    assert showing(a_table()) == START


def test_blockers_in_hand_do_not_lie_there() -> None:
    table = SimFinityTable(seed=1, setup=SETUP, options={"blockers_start": "in_hand"})
    assert showing(table) == {"N.P": "A", "S.P": "B"}
    deed = deed_of(table.rules, table.rules.start(), "blocker hand to NE>SE R")
    table.perform(table.person("A").do([deed]))
    assert showing(table)["NE>SE R"] == "blocker A"


def test_a_set_up_without_pattern_is_refused() -> None:
    with pytest.raises(InputError, match="pattern"):
        SimFinityTable(seed=1, setup={"players": 2})


MOVES = {
    "add b N>NE M": {"N>NE M": "b N"},
    "add w NE>N L": {"N>NE R": "w NE"},
    "blocker N>C R to NE>SE R": {"C>N L": ".", "NE>SE R": "blocker A"},
    "ring E S": {"E.S": "A"},
    "post E": {"N.P": ".", "E.P": "A"},
    "unblock S>C L": {"C>S R": "."},
}


@pytest.mark.parametrize(("move", "changes"), MOVES.items())
@pytest.mark.parametrize("seed", range(3))
def test_a_move_changes_just_what_it_should(move: str, changes: dict[str, str], seed: int) -> None:
    table = a_table(seed)
    before = dict(table.truth().sight)
    deed = deed_of(table.rules, table.rules.start(), move)
    assert dict(deed.changes) == changes
    table.perform(table.person("A").do([deed]))
    assert dict(table.truth().sight) == before | changes
    assert table.truth().settled
    assert 0.8 < table.now_s < 8.0, "as long as a person takes"
    assert not table.hands


def bridged(table: SimFinityTable) -> None:
    table.perform(table.person("A").do([Deed("", "N>NE M", "b N")]))


def test_while_a_bridge_is_turned_it_is_gone() -> None:
    table = a_table()
    bridged(table)
    turned = table.start(table.person("B").do([Deed("N>NE M", "N>NE M", "b NE")]))
    shown: list[str] = []
    while not turned.done:
        table.advance(0.05)
        if not shown or shown[-1] != table.truth().sight["N>NE M"]:
            shown.append(table.truth().sight["N>NE M"])
    assert shown == ["b N", ".", "b NE"]


def test_a_bridge_points_from_its_tail_to_its_tip() -> None:
    table = a_table()
    bridged(table)
    bridge = table.pieces.top("N>NE M")
    assert bridge is not None
    assert bridge.lie is not None
    (x0, y0), (x1, y1) = (table.places.station(name) for name in ("N", "NE"))
    off = bridge.lie.turn_deg - math.degrees(math.atan2(y1 - y0, x1 - x0))
    assert abs((off + 180) % 360 - 180) < 6


def test_what_is_in_a_hand_is_seen_there() -> None:
    table = a_table()
    bridged(table)
    table.start(table.person("B").do([Deed("N>NE M", "")]))
    while table.truth().sight["N>NE M"] == "b N":
        table.advance(0.05)
    table.advance(0.25)
    scene = table.scene()
    assert not table.truth().settled
    assert scene.hands[0].pinching
    held = [p for p in scene.pieces if p.kind is PieceKind.BRIDGE and p.z_mm > 10]
    assert len(held) == 1
    assert math.hypot(held[0].x_mm - scene.hands[0].x_mm, held[0].y_mm - scene.hands[0].y_mm) < 1


def test_a_hand_comes_from_its_owners_side() -> None:
    table = a_table()
    table.start(table.person("A").do([Deed("", "N>NE M", "b N")]))
    table.advance(0.05)
    (hand,) = table.scene().hands
    assert hand.y_mm > 250, "A's post stands in the north"
    assert 60 < hand.arm_deg < 120


@pytest.mark.parametrize("seed", range(8))
def test_pieces_lie_a_little_off_their_places(seed: int) -> None:
    table = a_table(seed, 4)
    for piece in table.pieces.on_board():
        wanted = table.places.lie(piece.place, piece.label)
        assert piece.lie is not None
        assert math.hypot(piece.lie.x_mm - wanted.x_mm, piece.lie.y_mm - wanted.y_mm) <= LAID_OFF_MM + 1e-9
        assert piece.lie.z_mm == wanted.z_mm


def test_tables_differ_by_seed_and_repeat() -> None:
    assert a_table(1).scene() == a_table(1).scene()
    assert len({a_table(seed).scene().pieces for seed in range(8)}) == 8
    assert len({tuple(a_table(seed).scene().tiles.items()) for seed in range(8)}) == 8


def test_supplies_lie_beside_the_tiles_or_in_boxes() -> None:
    counts = {len(a_table(seed).scene().pieces) for seed in range(30)}
    assert min(counts) == 8, "posts, blockers and the rings around the tower"
    assert max(counts) > 100, "and all the rest"


@pytest.mark.parametrize("seed", range(12))
def test_nothing_beside_the_tiles_lies_on_a_tile_or_a_marker(seed: int) -> None:
    table = a_table(seed, 4)
    for piece in table.scene().pieces:
        if piece.z_mm < 8:
            assert all(math.hypot(piece.x_mm - x, piece.y_mm - y) > 60 for x, y in table.board.station_centres.values())
            half = table.board.aruco.size / 2 + 20
            assert all(max(abs(piece.x_mm - x), abs(piece.y_mm - y)) > half for x, y in table.board.aruco.centres)


def acts(person: FinityPerson) -> dict[str, object]:
    return {
        "nudge": person.nudge("N>NE M"),
        "lift": person.lift_and_put_back("N>NE M"),
        "knock": person.knock_over("N.P"),
        "point": person.point_at("C>NE M"),
        "rest": person.rest_hand(20.0, 10.0, 1.0),
        "hold": person.hold_over("SE>E M", "b E"),
    }


@pytest.mark.parametrize("act", ["nudge", "lift", "knock", "point", "rest", "hold"])
def test_what_is_no_move_leaves_the_board_as_it_was(act: str) -> None:
    table = a_table()
    bridged(table)
    before = dict(table.truth().sight)
    for _ in range(4):
        table.perform(acts(table.person("B"))[act])  # type: ignore[arg-type]
        assert dict(table.truth().sight) == before
        assert table.truth().settled


def test_nudges_move_a_piece_by_some_millimetres_and_never_out_of_its_place() -> None:
    table = a_table()
    bridged(table)
    bridge = table.pieces.top("N>NE M")
    assert bridge is not None
    moved = []
    for _ in range(30):
        before = bridge.lie
        table.perform(table.person("B").nudge("N>NE M"))
        assert before is not None
        assert bridge.lie is not None
        moved.append(math.hypot(bridge.lie.x_mm - before.x_mm, bridge.lie.y_mm - before.y_mm))
        assert math.hypot(*bridge.off_mm) <= NUDGED_OFF_MM + 1e-9
    assert max(moved) > 2


def tilted(table: SimFinityTable) -> bool:
    return any(piece.tilt_deg for piece in table.scene().pieces)


def test_a_post_knocked_over_lies_until_it_is_put_up() -> None:
    table = a_table()
    knocked = table.start(table.person("B").knock_over("S.P"))
    tilts: set[float] = set()
    while not knocked.done:
        table.advance(0.1)
        tilts.update(p.tilt_deg for p in table.scene().pieces if p.kind is PieceKind.POST and p.colour == "B")
        assert not (table.truth().settled and tilted(table))
    assert tilts == {0.0, 90.0}


def test_a_second_ring_of_a_size_lies_on_the_first() -> None:
    table = a_table()
    table.perform(table.person("A").do([Deed("", "E.S", "A")]))
    table.perform(table.person("B").do([Deed("", "E.S", "B")]))
    assert table.truth().sight["E.S"] == "B"
    rings = [p for p in table.scene().pieces if p.kind is PieceKind.RING and math.hypot(p.x_mm - 150, p.y_mm) < 8]
    assert [ring.colour for ring in sorted(rings, key=lambda r: r.z_mm)] == ["A", "B"]
    table.perform(table.person("B").arrange({**table.truth().sight, "E.S": "A"}))
    assert table.truth().sight["E.S"] == "A"
    assert len(table.pieces.stack("E.S")) == 1


@pytest.mark.parametrize("seed", range(4))
def test_any_board_can_be_put_right(seed: int) -> None:
    table = a_table(seed)
    wanted = dict(table.truth().sight)
    messy = [
        Deed("N.P", "E.P", "A"),
        Deed("C>N L", "NE>SE R", "blocker A"),
        Deed("", "N>NE M", "b N"),
        Deed("", "SE>S L", "w S"),
        Deed("", "E.L", "B"),
        Deed("C>S L", ""),
    ]
    table.perform(table.person("B").do(messy))
    table.perform(table.person("A").arrange(wanted))
    assert dict(table.truth().sight) == wanted
    table.perform(table.person("A").arrange({**wanted, "N>NE M": "b NE", "SE>S L": "w SE", "E.M": "B"}))
    assert table.truth().sight["N>NE M"] == "b NE"
    assert table.truth().sight["SE>S L"] == "w SE"
    assert table.truth().sight["E.M"] == "B"


def test_several_rings_go_with_one_grip() -> None:
    table = a_table()
    for place in ("E.S", "E.M", "NE.S"):
        table.perform(table.person("A").do([Deed("", place, "A")]))
    table.perform(table.person("A").take_off(("E.S", "E.M", "NE.S")))
    assert showing(table) == START


def test_one_hand_does_one_thing_at_a_time() -> None:
    table = a_table()
    table.start(table.person("A").do([Deed("", "N>NE M", "b N")]))
    with pytest.raises(RuntimeError, match="busy"):
        table.perform(table.person("A").point_at("E.S"))


def test_taking_what_is_not_there_is_said() -> None:
    table = a_table()
    with pytest.raises(ValueError, match="nothing lies there"):
        table.perform(table.person("A").do([Deed("E.S", "")]))


def test_a_bump_shoves_the_mat_with_all_on_it() -> None:
    table = a_table(faults=Faults())
    pieces = table.scene().pieces
    table.bump(3.0, -2.0, 1.0)
    assert table.sliding
    table.advance(0.3)
    scene = table.scene()
    assert (scene.bump_mm, scene.bump_deg) == ((3.0, -2.0), 1.0)
    assert scene.pieces == pieces


@pytest.mark.parametrize("text", ["jump N", "reverse N>NE M"])
def test_hands_cannot_do_what_is_no_move(text: str) -> None:
    game = Finity.of(SETUP)
    with pytest.raises(ValueError, match=text):
        deed_of(game, game.start(), text)
