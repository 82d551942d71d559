"""How the numbers about judges were computed, and what they do not say."""

from __future__ import annotations

from ..judging import JudgesResult
from ._compare import TARGETS

TESTS = {
    "t": "paired t tests over the topics, with Holm's correction for the number of pairs",
    "randomisation": "paired randomisation tests over the topics, with Holm's correction for the number of pairs",
    "tukey": "Tukey's HSD with topics as blocks, which allows for the number of pairs",
}
"""How significant pairs are found."""


def method(found: JudgesResult, there: set[str]) -> list[str]:
    """A paragraph for each of the tables that are there; facts that the result does not have are left out."""
    return [text for key, write in PARAGRAPHS.items() if key in there and (text := write(found))]


def systems(found: JudgesResult) -> str:
    if without_topics(found):
        return (
            f"{found.truth} is taken for the truth. Systems are ranked by the scores of leaderboards. These have no "
            "topics, so nothing is known of how much the rankings depend on the choice of topics, and there are no "
            "intervals and no tests."
        )
    return (
        f"{found.truth} is taken for the truth. Systems are ranked by their mean scores over the topics, as each judge "
        "has them. Tied systems share the mean of their ranks. A positive move is a move up."
    )


def coefficients(found: JudgesResult) -> str:
    said = ""
    if not without_topics(found):
        meaning, limit = TARGETS[found.target]
        said = (
            f"The {100 * found.level:g}% intervals come from {found.resamples} samples of topics that were simulated "
            "from a model of the true means and of the noise of the topics. "
            f"They are for {meaning}. {limit} They take the topics for a random sample, and the judgments as they are: "
            "another answer of a language model to the same question is not part of them. They say nothing about other "
            "systems than these."
        )
    if found.top is not None:
        said += (
            f" The top {found.top} systems are the best by {found.truth}, with those that are tied with the last of "
            "them. A coefficient among these has fewer pairs, and varies more."
        )
    return said.strip()


def differences(found: JudgesResult) -> str:
    if without_topics(found):
        return ""
    return (
        "The two judges of a difference score the same systems on the same topics. Its interval allows for that, so it "
        "can exclude 0 although the intervals of the two coefficients overlap."
    )


def tests(found: JudgesResult) -> str:
    if without_topics(found):
        return ""
    return (
        "The p-value of a rank distance is the share of pairs of simulated samples of topics, both scored as by "
        f"{found.truth}, whose distance is at least as large. A small one says that another sample of topics would "
        "rarely change the ranking so much. A large one does not say that the judge ranks systems as the truth does: "
        "only that other topics could have made the difference. With few topics, almost any judge passes. Each p-value "
        "is that of one judge and measure by itself."
    )


def pairs(found: JudgesResult) -> str:
    chance = f"If all systems were equal, the probability to find any pair at all would be {found.alpha:g}."
    if found.test == "tukey":
        chance += " Tukey's test exceeds that where systems differ in variance: with 0.05, up to 0.09 were measured."
    return (
        f"Pairs of systems that differ significantly are found by {TESTS[found.test]}. {chance} A pair that is not "
        "found is not a tie: the topics do not decide it."
    )


def labels(found: JudgesResult) -> str:
    return (
        "Labels are compared only on the documents that both judged, which may be easier or harder to judge than "
        "others. Judges who disagree about labels can rank systems alike, and judges who agree about most labels can "
        "rank them differently."
    )


def bias(found: JudgesResult) -> str:
    return (
        f"Favour is how much higher the judge grades the first {found.depth} documents of a system than documents of "
        f"the other systems with the same grade from {found.truth}. It is relative to the other systems: a judge who "
        "is lenient to all favours none. It does not say why a system is favoured."
    )


def without_topics(found: JudgesResult) -> bool:
    """Whether these are leaderboards: one score for each system."""
    return all(count == 1 for count in found.topics.values())


PARAGRAPHS = {
    "systems": systems,
    "coefficients": coefficients,
    "differences": differences,
    "tests": tests,
    "pairs": pairs,
    "labels": labels,
    "bias": bias,
}
"""What is said, by the table that it is about."""
