"""Scores by topic, from a source of any format."""

from __future__ import annotations

import numpy as np

from .._core.content import NUMBER, WHOLE_NUMBER, Content, not_a_number
from .._core.errors import InvalidValueError, Setting
from .._core.names import ALL, is_average, odd_one_out
from .._core.options import Systems
from ..scoring import Cells, Problem, ScoreCollector, is_measure
from ._eval_output import Output
from ._formats import known_format
from ._grid import Grid
from ._layout import layout_of, unequal_averages, unlike_others


def add_scores(content: Content, scores: ScoreCollector, systems: Systems | None = None) -> None:
    """Add the scores by topic in a file of any format that has them, or in memory."""
    form = known_format(content)
    if systems is not None and (form.output or form.long is not None):
        side = Setting("systems", systems)
        what = (f"{content.name} has one value in each place, so ", side, " does not apply to it")
        raise InvalidValueError(None, what)
    if form.output:
        output = Output.of(content, scores)
        for section in output.sections:
            scores.add_system(output.system(section))
    elif form.grid is not None:
        add_table(content, form.grid(content), scores, systems)
    elif form.long is not None:
        add_table(content, form.long(content, scores.wanted), scores, systems)
    else:
        how = "evaluate the topics one by one, with trec_eval -q or ir_measures -q"
        if form.name == "averages":
            how += ", or read averages by read_leaderboard"
        elif form.name == "ranking":
            how = "write system, topic, measure and value in each line instead"
        elif form.name == "qrels":
            how += "; if these are systems, topics, measures and values, write a table with the names of columns"
        raise content.error(f"expected scores of systems by topic, found {form.about}", how, has=form.name)


def add_table(content: Content, grid: Grid, scores: ScoreCollector, systems: Systems | None) -> None:
    """Add the scores in a table."""
    cells = layout_of(grid, systems)
    if scores.wanted is not None and cells.measures.names == [""]:
        setting = Setting("measure", scores.wanted[0])
        raise InvalidValueError(None, (f"{content.name} does not name its measure, so ", setting, " cannot be chosen"))
    if not len(cells):
        raise grid.error("the table has no scores", line=content.top)
    scores.name_unnamed(content, cells.systems.at(0))
    refuse_numbers(cells)
    by_topic = ~cells.topics.are({ALL})
    own = "system" if cells.measures.names == [""] else "{measure} of system"
    no_topics = {name for name in cells.topics.names if is_average(name) or is_measure(name)}
    no_systems = set(filter(is_average, cells.systems.names))
    scores.add(
        cells,
        by_topic,
        Problem(cells.topics.are(no_topics), "{topic!r} is not a topic", "leave out averages"),
        Problem(cells.systems.are(no_systems), "{system!r} is not a system", "leave out averages"),
        Problem(cells.topics.are({""}), "the topic is missing"),
        Problem(cells.systems.are({""}), "the system is missing"),
        Problem(np.isinf(cells.values), not_a_number("value", "{text!r}")),
        repeated=own + " {system!r} for topic {topic!r} is repeated",
    )
    if not by_topic.any():
        raise grid.error("there are only averages over topics: read_leaderboard reads them", line=content.top)
    notes = [*cells.notes, *unequal_averages(cells, scores.wants)]
    scores.notes += [f"{content.name}: {note}" for note in notes]


def refuse_numbers(cells: Cells) -> None:
    """Refuse the first row that has a score in the place of a name, or a topic unlike all others."""
    problems: list[Problem] = []
    for role, names in (("measure", cells.measures), ("topic", cells.topics), ("system", cells.systems)):
        wrong = set(filter(NUMBER.fullmatch, names.names))
        if role != "measure":
            wrong = {name for name in wrong if not WHOLE_NUMBER.fullmatch(name)}
        # Topics such as 31.2 exist.
        if role != "topic" or len(wrong) < len(names.names):
            problems.append(Problem(names.are(wrong), f"the number {{{role}}} is in the place of a {role}"))
    odd = odd_one_out(name for name in cells.topics.names if name != ALL)
    if odd:
        problems.append(Problem(cells.topics.are({odd}), *unlike_others("{topic!r}")))
    cells.refuse(*problems)
