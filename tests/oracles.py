"""Oracles that are made up, for tests of the cross-check without R."""

from ircor.crosscheck._comparison import difference_of
from ircor.crosscheck._oracles import base, to_r


def r_as_character(values):
    """R's as.character(values)."""
    return list(base("as.character")(to_r(values)))


class Constant:
    """An oracle that gives one answer to everything."""

    kind, package, version, r_version, rpy2_version, note = "reference", "constant", "1", "R", "3", ""

    def __init__(self, answer):
        self.answer = answer
        self.asked = []

    def answers(self, function, cases):
        self.asked.append(len(cases))
        return [self.answer] * len(cases)

    def arguments(self, function):
        return None


class Accidents(Constant):
    """An oracle that gives one answer to what Python answers on purpose in another way, and another to the rest."""

    def __init__(self, accident, other):
        super().__init__(other)
        self.accident = accident

    def answers(self, function, cases):
        return [self.accident if difference_of(case) else self.answer for case in cases]
