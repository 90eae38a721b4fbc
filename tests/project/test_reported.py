"""Every symptom that was reported has tests that are there, and every number that a test names has its symptom."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.project.reported import CASES

TESTS = Path(__file__).parents[1]
NUMBER = re.compile(r"\b([VCKGSMHWRDX]\d\d)\b|^test_([vckgsmhwrdx]\d\d)_")


def functions(file: Path) -> list[ast.FunctionDef]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]


@pytest.mark.parametrize("number", CASES)
def test_a_case_has_its_tests(number: str) -> None:
    assert CASES[number].symptom
    assert CASES[number].tests
    for where in CASES[number].tests:
        file, _, name = where.partition("::")
        assert name in [test.name for test in functions(TESTS / file)], where


def test_every_number_in_a_tests_name_or_words_is_a_case() -> None:
    named = set()
    for file in TESTS.glob("*/test_*.py"):
        for test in functions(file):
            found = NUMBER.findall(f"{test.name}\n{ast.get_docstring(test) or ''}")
            named |= {(word or name.upper(), file.name) for word, name in found}
    assert {number for number, _ in named} - CASES.keys() == set(), named
