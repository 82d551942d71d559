"""How the numbers about judges were computed, and what they do not say."""

from __future__ import annotations

from ..judging import JudgesResult
from ..judging._verdict import TESTS
from ._compare import TARGETS


def method(found: JudgesResult, there: set[str]) -> list[str]:
    """A paragraph for each of the tables that are there; facts that the result does not have are left out."""
    return [text for key, write in PARAGRAPHS.items() if key in there and (text := write(found))]


def systems(found: JudgesResult) -> str:
    if without_topics(found):
        return (
            f"{found.truth} is taken for the truth. Systems are ranked by the scores of leaderboards. These have no "
            "topics, so nothing is known of how much the rankings depend on the choice of topics, and there are no "
            "intervals and no tests. Tied systems share the mean of their ranks. A positive move is a move up."
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
        f"The p-value of a rank distance is the share of {found.test_resamples} pairs of simulated samples of topics, "
        f"both scored as by {found.truth}, whose distance is at least as large. A small one says that another sample "
        "of topics would rarely change the ranking so much. A large one does not say that the judge ranks systems as "
        "the truth does: only that other topics could have made the difference. With few topics, or systems that are "
        "close to each other, even a reversed ranking can pass. It is no test of equal true rankings either: the judge "
        "and the truth share their topics, and the simulated pairs are two separate samples. Noise in the labels alone "
        "can make the p-value small. Each p-value is that of one judge and measure by itself."
    )


def pairs(found: JudgesResult) -> str:
    chance = (
        f"can be well above {found.alpha:g}: in simulated collections it was 5.5 to 9 % where 5 % were asked for, and "
        "it is more where the variances of the systems differ strongly"
        if found.test == "tukey"
        else f"is at most {found.alpha:g}"
    )
    return (
        f"Pairs of systems are tested over the topics: {TESTS[found.test]}. If all systems were equal, the probability "
        f"to find any pair at all {chance}. A pair that is not found is not a tie: the topics do not decide it."
    )


def labels(found: JudgesResult) -> str:
    return (
        "Labels are compared only on the documents that both judged, which may be easier or harder to judge than "
        "others. The intervals of kappa are by the jackknife over topics, since the documents of a topic are not "
        "independent. Judges who disagree about labels can rank systems alike, and judges who agree about most labels "
        "can rank them differently."
    )


def bias(found: JudgesResult) -> str:
    return (
        f"Favour is how much higher the judge grades the first {found.depth} documents of a system than documents with "
        f"the same grade from {found.truth}, among the first documents of all systems. The system's own documents are "
        "among those it is compared with. It is relative to the mean of all systems: a judge who is lenient to all "
        "favours none, and where some systems are favoured, others seem disfavoured by a little. "
        f"The {100 * found.level:g}% intervals of favours are simultaneous: all of them together hold with this "
        "probability, by Bonferroni's correction for the number of systems. The p-values are adjusted by Holm's "
        "method, which finds somewhat more than the intervals. Favour does not say why a system is favoured."
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
