"""Reads a printed tree back by its grammar alone and sends rows down it.

Knows nothing of clearwood: what it needs stands in the text.
"""

import json
import re
from dataclasses import dataclass, field

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|=>|<=|>=|[<>{}(),:;]|[^\s"(){},:;<>]+')
INDENT = "|   "
COMPARE = {
    "<=": lambda value, t: value <= t,
    "<": lambda value, t: value < t,
    ">": lambda value, t: value > t,
    ">=": lambda value, t: value >= t,
}


@dataclass
class Line:
    """A printed node: the branch that leads to it, and its own branches."""

    column: str = ""
    holds: object = None
    missing: float = 0.0
    label: str | None = None
    section: str | None = None
    branches: list = field(default_factory=list)


class Tokens:
    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self, wanted=None):
        token = self.peek()
        assert wanted is None or token == wanted, (self.tokens, self.at, wanted)
        self.at += 1
        return token

    def skips(self, wanted):
        if self.peek() != wanted:
            return False
        self.at += 1
        return True


def parse_text(text):
    """The root `Line` of a whole printed tree."""
    sections = {}
    _, *lines = text.split("\n")
    while not lines[0].startswith("all rows"):
        del lines[0]  # how values are read
    root = None
    for text_line in lines:
        if text_line.startswith("["):
            above = [sections[text_line]]
            continue
        indent = 0
        while text_line.startswith(INDENT, indent * len(INDENT)):
            indent += 1
        line = parse_line(text_line[indent * len(INDENT) :], is_root=root is None)
        if root is None:
            root, above = line, [line]
        else:
            del above[indent:]
            above[-1].branches.append(line)
            above.append(line)
        if line.section:
            sections[line.section] = line
    return root


def parse_line(text, is_root):
    tokens = Tokens(text)
    line = Line()
    if is_root:
        tokens.next("all")
        tokens.next("rows")
    else:
        parse_condition(line, tokens)
    if tokens.skips("=>"):
        line.label = name(tokens.next())
    tokens.next(":")
    if re.fullmatch(r"\[S\d+\]", tokens.tokens[-1]):
        line.section = tokens.tokens[-1]
    return line


def parse_condition(line, tokens):
    line.column = name(tokens.next())
    sign = tokens.next()
    if sign == "in":
        labels = parse_labels(tokens)
        line.holds = lambda value: value in labels
    else:
        threshold, compare = float(tokens.next()), COMPARE[sign]
        line.holds = lambda value: compare(value, threshold)
    while tokens.peek() not in ("or", "=>", ":"):
        tokens.next()  # the unit and the band
    if tokens.skips("or"):
        tokens.next("missing")
        line.missing = 1.0
        if tokens.skips("("):
            line.missing = float(tokens.next())
            tokens.next(")")


def parse_labels(tokens):
    labels = []
    tokens.next("{")
    while not tokens.skips("}"):
        labels.append(label(tokens.next()))
        tokens.skips(",")
    return labels


def name(token):
    return json.loads(token) if token.startswith('"') else token


def label(token):
    if token.startswith('"'):
        return json.loads(token)
    if token in ("True", "False"):
        return token == "True"
    return float(token)


def leaves_of(root):
    """All leaves, in the order of a walk that takes first branches first."""
    found, todo = [], [root]
    while todo:
        line = todo.pop()
        todo.extend(reversed(line.branches))
        if not line.branches:
            found.append(line)
    return found


def leaf_shares(root, row):
    """Number of each leaf that a row (mapping) reaches, with its share; None is missing."""
    number = {id(leaf): at for at, leaf in enumerate(leaves_of(root))}
    found, todo = {}, [(root, 1.0)]
    while todo:
        line, share = todo.pop()
        if not line.branches:
            found[number[id(line)]] = share
            continue
        value = row[line.branches[0].column]
        taken = [b for b in line.branches if value is not None and b.holds(value)]
        assert len(taken) <= 1
        if taken:
            todo.append((taken[0], share))
        else:
            todo.extend((b, share * b.missing) for b in line.branches if b.missing > 0)
    return found
