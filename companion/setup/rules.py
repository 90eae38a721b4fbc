"""The house rules in words: a sentence for each option and each of its choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final

from companion.games.finity.options import Options as FinityOptions
from companion.games.game import Json
from companion.games.infinity.options import Options as InfinityOptions
from companion.games.registry import default_options
from companion.texts import Text, text

KNOB: Final = "blue_knob"
ELSEWHERE: Final = frozenset({KNOB, "pattern_length", "turn_order", "knob_overshoot"})
"""Options that are no question here: the knob and the tower are set up on their own, seats by name, and what the knob
does at its stop has one answer only."""


@dataclass(frozen=True, slots=True)
class Words:
    """What an option asks, and what its choices mean where the question does not say it."""

    asks: Text
    choices: Mapping[Json, Text] = field(default_factory=dict)


INFINITY: Final[Mapping[str, Words]] = {
    "joker_override": Words(
        text("A row with the Joker cancels the other player's rows. What does it count itself?"),
        {
            "points": text("its points, two for a row"),
            "rows": text("one for each row"),
            "off": text("as any row, and it cancels nothing"),
        },
    ),
    "joker_override_new_rows_only": Words(
        text("Only a Joker row that is new cancels the other's rows; one that merely still stands does not.")
    ),
    "both_jokers": Words(
        text("Both players have a Joker row. Who scores?"),
        {
            "difference": text("whoever has more, by the difference"),
            "mover": text("the player who moved"),
            "none": text("nobody"),
        },
    ),
    "joker_cancels_two_rows": Words(text("A Joker row cancels even two plain rows of the other player.")),
    "two_rows_net": Words(text("Two rows win only if the other player has none: rows are set against each other.")),
    "both_two_rows": Words(
        text("Both players have two rows at once. What then?"),
        {
            "continue": text("the game goes on"),
            "mover": text("the player who moved wins"),
            "draw": text("the game is a draw"),
        },
    ),
    "score_on_forfeit": Words(text("Rows score also in a turn that is forfeited for want of a marble.")),
    "allow_pass": Words(text("A player may pass.")),
    "joker_may_be_withheld": Words(text("A player whose last marble is the Joker may keep it back.")),
    "two_rows_disjoint": Words(text("Two rows that share a slot do not count as two.")),
    "max_turns": Words(text("After so many turns the referee says that the game is long; empty for never.")),
    "first": Words(
        text("Who begins?"), {None: text("whoever plays first"), "blue": text("Blue"), "yellow": text("Yellow")}
    ),
    "knob_grace_s": Words(text("Seconds that the knob may lag behind the score before the referee speaks up.")),
}

FINITY: Final[Mapping[str, Words]] = {
    "ring_size_choice": Words(
        text("Which size may a new ring have?"),
        {
            "any_free": text("any that is free on its station"),
            "smallest_free": text("only the smallest that is free there"),
        },
    ),
    "undo_exception": Words(
        text("May a move be undone at once?"),
        {"board_changed": text("only if it cut rings off"), "none": text("never")},
    ),
    "blocker_remove_min_bridges": Words(
        text("So many bridges must lie on the board before an opponent's blocker may be removed.")
    ),
    "blockers_start": Words(
        text("Where are the blockers at the start?"),
        {
            "flank_base_to_center": text("beside the way from each base station to the centre"),
            "in_hand": text("in the players' hands"),
        },
    ),
    "blocker_blocks_corner": Words(
        text("A blocker closes its corner to bridges, and a bridge its corner to blockers.")
    ),
    "teleport_trap": Words(
        text("When is a post trapped, so that it may teleport?"),
        {
            "all_neighbours_full_of_opponents": text("when all neighbours are full of opponents' rings"),
            "all_neighbours_full": text("when all neighbours are full"),
            "off": text("never"),
        },
    ),
    "draw_rounds": Words(text("So many rounds without a ring added or removed make a draw; 0 for never.")),
    "repetition_limit": Words(text("A position that comes so many times is a draw; 0 for never.")),
    "anti_kingmaker": Words(
        text("With three or four players, one who is far behind may build only beside own rings and the own post.")
    ),
    "multi_completion": Words(
        text("One move completes the paths of several players. Who wins?"),
        {
            "tie_break": text("whoever has rings on more stations, then more rings"),
            "mover_first": text("the player who moved"),
        },
    ),
    "continue_after_win": Words(text("After a win the others play on for places.")),
    "enforce_supply": Words(text("Bridges and rings can run out.")),
}

WORDS: Final[Mapping[str, tuple[type, Mapping[str, Words]]]] = {
    "infinity": (InfinityOptions, INFINITY),
    "finity": (FinityOptions, FINITY),
}


def rules_json(game: str, options: Mapping[str, Json]) -> list[Json]:
    """The `rules` of the set-up's state.

    Args:
        options: those that differ from the defaults.
    """
    cls, words = WORDS[game]
    usual = default_options(game)
    return [
        _rule(item, words[item.name], options.get(item.name, usual[item.name]))
        for item in fields(cls)
        if item.name not in ELSEWHERE
    ]


def knob_turn(game: str | None, options: Mapping[str, Json]) -> Json:
    """Which way the knob turns for Blue; None in a game without one."""
    usual = {} if game is None else default_options(game)
    return options.get(KNOB, usual.get(KNOB))


def _rule(item: Field[Any], words: Words, value: Json) -> Json:
    usual: Any = item.default
    choices = tuple(item.metadata["choices"])
    is_switch = set(choices) == {True, False}
    return {
        "option": item.name,
        "words": words.asks,
        "kind": "bool" if is_switch else "choice" if choices else "number" if item.name.endswith("_s") else "int",
        "choices": [] if is_switch else list(choices),
        "choice_words": [] if is_switch else [words.choices[choice] for choice in choices],
        "value": value,
        "default": usual,
        "may_be_null": not item.metadata["fault"](None),
    }
