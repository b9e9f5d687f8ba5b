"""Compares the patterns of schemas with those of JavaScript, which the API and the TypeScript SDK use."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

import drawbridge
from drawbridge._pattern import to_pattern

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")
PROGRAM = """
const { patterns, texts } = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const results = patterns.map((source) => {
  let pattern;
  try { pattern = new RegExp(source, 'u'); } catch { return null; }
  return texts.map((text) => pattern.test(text));
});
console.log(JSON.stringify(results));"""

PATTERNS = [
    *("^a$", r"^\d\w\s$", r"^\D\W\S$", r"^[\d\s-]+$", r"^[^\W_]+$", r"^[\w.+-]+$", "^.$", r"^[\s\S]$", r"^[^\D\S]$"),
    *("^[^]$", "[]", "^(?:[]|a)$", "^[^][]?$", r"[^\n]", r"^[\]]$", r"^[]]?$", r"^[^\]]$", "^[]$|^[^]b$"),
    *(r"^[^[]$", r"^[\[]x", r"[a[^]", r"[\[][)]", r"^[[]$", r"^[a[]$", r"^[[\]]$", r"^[\[\]]$", r"[[^]+$", "^[(?<a>)]+$"),
    *(r"^[[&&~|]+$", r"^[a||b]$", r"^[a--]$", r"^[--a]$", r"^[+--]$", r"^[a-c-e]$", r"^[-a]$", r"^[a-]$", r"^[\w-]$", r"^[\-a]$", "^[^-a]$"),
    *(r"^a\b", r"^a\B", r"\B", r"^\B$", r"^\b$", r"\bé", r"^[\b]$", r"^\w+\b.$", r"(?:^|\b)a(?:\b|$)"),
    *(r"\ud83d\ude00", r"^[\ud83d\ude00]$", r"^\ud83d", r"\ude00", r"^\uD83D\uDE00?$", r"^\u{1f600}$", r"^[\u{1f600}-\u{1f602}]$", r"^[😀-😂]$"),
    *(r"^\u00e4\x41\/\-$", r"^\u00e4\x41\/$", r"^\cA$", r"^[\cz]$", r"^\0$", r"^[\0-\x1f]$", r"^\t\n\v\f\r$", r"^\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/$"),
    *(r"^(a)\1$", r"^(?:(a)|b)\1$", r"^(a)?\1b$", r"(a)x|ab\1", r"^(a)|b\1$", r"^(['\"]).*\1$", r"^(a)\10$", r"^(a)\1{2}$", r"^(a*)*\1$"),
    *(r"^(?<year>\d{2})-\k<year>$", r"^(?<$ä>a)b$", r"^\k<a>(?<a>a)$", r"^(?:(a)|b)*\1$", r"^\1(a)$", r"^(?<a>a)(?<b>b)\k<b>\k<a>\2$"),
    *("^(?=a)(?!ab)(?<!x).+(?<=c)$", "^(?:a|)+$", "^a{2}$", "^a{1,}?b$", "^a{0,2}$", "^(a|ab)(c|bcd)(d*)$", "^(?=(a))b|a", "^#a b$", "x{0}^y?"),
    *(r"^\p{L}+$", r"^[\p{Lu}]$", "^(?<=a+)b", "^a{4294967296}$", r"^\S+ \S+$", "^(?:)$", r"^[^\s@]+@[^\s@]+$", "^[!-~]*$", "^[\u00e4-ü]$"),
]
TEXTS = [
    *(
        "",
        "a",
        "b",
        "c",
        "d",
        "e",
        "x",
        "ab",
        "aa",
        "ba",
        "aab",
        "aaa",
        "abc",
        "ac",
        "bc",
        "abcd",
        "a\n",
        "\na",
        "aé",
        "éa",
        "é",
        "ä",
        "ü",
        "a ",
        " a",
    ),
    *(
        "1",
        "12",
        "1a ",
        "1_\ufeff",
        "\u0663a ",
        "1ä ",
        "1a\x1c",
        "\u0663ä\x1c",
        "\u0663ä\u00a0",
        "1 -\u2003",
        "\u0663",
        "aZ9",
        "_",
        "-",
        ",",
        "+",
        "--",
    ),
    *("[", "]", "^", "[x", "(", ")", "()", "[)", "[]", "&", "|", "~", "[&~|", "a[", "\\", "/", "(?<a>)", "^$\\.*+?()[]{}|/", "#a b", "a b", "x y"),
    *("\n", "\r", "\u2028", "\u2029", "\x08", "\0", "\x01", "\x1a", "\t\n\v\f\r", "\x85", "\u180e", "\u200b", "\u3000", "\x1f", "\x7f"),
    *("😀", "😁", "😃", "\ud83d", "\ude00", "\ud83dx", "😀😀", "äA/-", "äA/", "'a'", "'a\"", '""', "12-12", "12-13", "abba", "abbab", "aa0", "a\x08"),
    *(
        "b@c.de",
        "@",
        "a@b@c",
        "https://a.example/b?c#d",
        "rec123",
        "2026-02-28T10:00:00Z",
        "acme/app",
        "../a",
        "a/.b",
        "~",
        "!",
        "gid://shopify/Customer/1",
    ),
]
REFUSED = {
    *(r"^\p{L}+$", r"^[\p{Lu}]$", "^(?<=a+)b", "^a{4294967296}$"),
    *(r"^\k<a>(?<a>a)$", r"^\1(a)$", r"^(?:(a)|b)*\1$", r"^(?:(a)|b)\1$", r"^(a)?\1b$", r"^(a*)*\1$"),
}


def in_node(patterns: list[str], texts: list[str]) -> list[list[bool] | None]:
    """Returns whether each pattern accepts each text; None for a pattern that JavaScript does not accept."""
    assert NODE
    ended = subprocess.run(
        [NODE, "-e", PROGRAM], input=json.dumps({"patterns": patterns, "texts": texts}), capture_output=True, text=True, check=True
    )
    results: list[list[bool] | None] = json.loads(ended.stdout)
    return results


def differences(patterns: list[str], texts: list[str]) -> tuple[list[Any], set[str]]:
    """Returns the texts for which Python and JavaScript differ, and the patterns that Python refuses."""
    wrong: list[Any] = []
    refused: set[str] = set()
    for source, expected in zip(patterns, in_node(patterns, texts), strict=True):
        if expected is None:
            continue
        try:
            pattern = to_pattern(source)
        except ValueError as error:
            assert "cannot be checked in Python" in str(error)
            refused.add(source)
            continue
        wrong += [(source, text, its) for text, its in zip(texts, expected, strict=True) if bool(pattern.search(text)) != its]
    return wrong, refused


def of_catalog() -> list[str]:
    """Returns each pattern of the built-in integrations."""
    text = (Path(drawbridge.__file__).parent / "built_in_schemas.json").read_text("utf-8")
    found: dict[str, None] = {}

    def keep(value: dict[str, Any]) -> dict[str, Any]:
        if isinstance(value.get("pattern"), str):
            found[value["pattern"]] = None
        return value

    json.loads(text, object_hook=keep)
    return [*found]


@needs_node
def test_reads_each_pattern_as_javascript_does() -> None:
    wrong, refused = differences(PATTERNS, TEXTS)
    assert wrong == []
    assert refused == REFUSED


@needs_node
def test_reads_each_pattern_of_the_built_in_integrations() -> None:
    patterns = of_catalog()
    assert len(patterns) > 50
    assert differences(patterns, TEXTS) == ([], set())


ATOMS = [
    *("a", "b", "é", "😀", ".", "^", "$", "(", ")", "(?:", "(?=", "(?!", "(?<n>", "(?<!", "|", "*", "+", "?", "{1,2}", "-", "\\1", "\\k<n>"),
    *(
        "[",
        "[^",
        "[]",
        "[^]",
        "]",
        "\\]",
        "\\[",
        "\\-",
        "&&",
        "~",
        "\\d",
        "\\W",
        "\\s",
        "\\S",
        "\\b",
        "\\B",
        "\\n",
        "\\x61",
        "\\u00e9",
        "\\ud83d\\ude00",
    ),
]


@needs_node
def test_reads_patterns_of_chance_as_javascript_does() -> None:
    chance = random.Random(1)
    patterns = ["".join(chance.choices(ATOMS, k=chance.randint(1, 7))) for _ in range(8_000)]
    wrong, refused = differences(patterns, TEXTS)
    assert wrong == []
    assert [one for one in refused if "\\1" not in one and "\\k" not in one and "(?<!" not in one] == []


@pytest.mark.parametrize("pattern", ["^[+--&&||~~[]$", "[[a]"])
def test_compiles_without_a_warning(pattern: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        to_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"^\p{L}+$", r"The escape \p of a pattern cannot be checked in Python"),
        (r"(?:(a)|b)*\1", r"The backreference \1 of a pattern cannot be checked in Python"),
        (r"\k<a>", r"The backreference \k<a> of a pattern cannot be checked in Python"),
        ("(?<=a+)b", "The pattern (?<=a+)b cannot be checked in Python: look-behind"),
        ("(?i:a)", "The group (?i: of a pattern"),
        ("[a", "a set has no end"),
        ("(" * 5_000 + ")" * 5_000, "cannot be checked in Python"),
        (r"\u{110000}", r"The escape \u{110000} of a pattern cannot be checked in Python"),
    ],
    ids=lambda one: one[:30],
)
def test_refuses_a_pattern_that_python_does_not_have(pattern: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        to_pattern(pattern)


@pytest.mark.parametrize("part", ["a", "[]", r"\u00e9", "(?<a", r"\k<a", r"\u{1", "[a-", "[^", "(?:", r"(a)\1", r"\1"])
def test_reads_a_pattern_in_linear_time(part: str) -> None:
    def cost(size: int) -> float:
        took: list[float] = []
        for _ in range(3):
            began = time.process_time()
            try:
                to_pattern.__wrapped__(part * size)
            except ValueError:
                pass
            took.append(time.process_time() - began)
        return min(took)

    assert cost(16_000) < 32 * max(cost(2_000), 0.001)
