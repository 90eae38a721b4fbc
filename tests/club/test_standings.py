"""Standings, and how they leave the program."""

from __future__ import annotations

import csv
import io
import json
from datetime import date, timedelta, timezone

import pytest

from companion.club.games import Game, Place, Side
from companion.club.standings import Line, as_csv, as_json, days, lead, standings


def game(winner: str | None, *sides: Side) -> Game:
    return Game("key", Place("node", "table"), sides=sides, winner=winner, over=True)


def test_lines_are_counted_per_name_over_all_tables() -> None:
    results = [
        game("blue", Side("blue", "Ada", 5), Side("yellow", "Ben", -5)),
        game("yellow", Side("blue", "ben ", 4), Side("yellow", "ADA", -4)),
        game(None, Side("blue", "Ada", 0), Side("yellow", "Cid", 0)),
        game("A", Side("A", "Cid", 8), Side("B", "Ada", 3), Side("C", "", 6)),
    ]
    assert standings(results) == [
        Line("Ada", 4, 2, 1, 1, 5 - 4 + 0 + (3 - 8)),
        Line("Cid", 2, 1, 1, 0, 8 - 6),
        Line("Ben", 2, 0, 0, 2, -5 + 4),
    ]


def test_points_that_nobody_told_do_not_count() -> None:
    sides = (Side("A", "Ada"), Side("B", "Ben", 4))
    assert lead(sides, sides[0]) == lead(sides, sides[1]) == 0


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1"])
def test_no_name_is_a_formula_in_a_spreadsheet(name: str) -> None:
    rows = list(csv.reader(io.StringIO(as_csv([Line(name, 1, 0, 0, 1, -3)]))))
    assert rows[1] == [f"'{name}", "1", "0", "0", "1", "-3"]


def test_names_with_commas_and_quotes_come_back_as_they_are() -> None:
    rows = list(csv.reader(io.StringIO(as_csv([Line('Ada "the Queen", Żaneta')]))))
    assert rows[1][0] == 'Ada "the Queen", Żaneta'


def test_json_has_standings_and_results() -> None:
    results = [game("blue", Side("blue", "Ada", 5), Side("yellow", "Ben", -5))]
    told = json.loads(as_json(standings(results), results))
    assert told["standings"][0] == {"player": "Ada", "played": 1, "won": 1, "drawn": 0, "lost": 0, "difference": 5}
    assert told["results"][0]["players"][1] == {"player": "yellow", "name": "Ben", "points": -5}


def test_days_begin_and_end_at_midnight_of_their_zone() -> None:
    zone = timezone(timedelta(hours=2))
    since, until = days(date(2030, 1, 2), date(2030, 1, 2), zone)
    assert since == "2030-01-01T22:00:00.000+00:00"
    assert until == "2030-01-02T22:00:00.000+00:00"
    assert days(None, None) == ("", "")
    assert days(date.min, date.max, zone)[1] == ""
