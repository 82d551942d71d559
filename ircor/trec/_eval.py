"""The output of `trec_eval -q`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING

from ._collector import Missing, ScoreCollector
from ._lines import FormatError, parse_real, records
from ._paths import FilePath, expand_paths, stem

if TYPE_CHECKING:
    import pandas


def read_eval(
    paths: FilePath | Iterable[FilePath], measure: str | None = None, *, missing: Missing = "error"
) -> pandas.DataFrame:
    """Read the output of `trec_eval -q`: lines of measure, topic and value.

    Parameters
    ----------
    paths : path or list of paths
        Files, plain or gzipped.  A folder stands for all files in it, and a pattern such as ``"runs/*.eval"`` for all
        files that match.  A file has the output for one system, or for several systems one after the other.  The name
        of a system is its runid, or the name of the file without its extension if the output has no runid.
    measure : str, optional
        The measure to read, as trec_eval writes it: "map", "P_10".  By default all measures are read.
    missing : {"error", "zero", "drop"}
        How to handle topics for which some systems have a value and others do not: raise an error, count the missing
        values as 0, or drop these topics.  What was done is in ``attrs["missing"]`` of the result.

    Returns
    -------
    pandas.DataFrame
        Topics by systems.  With several measures, the columns have two levels, measure and system.  The averages over
        all topics, which trec_eval adds, are left out.  Topics are strings, in numeric order if all are whole numbers,
        otherwise in the order of the files.

    Raises
    ------
    FormatError
        If a line is malformed, or if a value or a system is repeated.
    ValueError
        If there are no files, no values by topic or no values of `measure`, or if values are missing.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, values in {"one": (0.25, 0.5), "two": (0.75, 0.125)}.items():
    ...         with open(os.path.join(folder, name + ".eval"), "w") as file:
    ...             _ = file.write("".join(f"map\\t{401 + k}\\t{value}\\n" for k, value in enumerate(values)))
    ...     read_eval(folder).to_dict("list")
    {'one': [0.25, 0.5], 'two': [0.75, 0.125]}
    """
    scores = ScoreCollector(measure, missing)
    for path in expand_paths(paths):
        for section in sections(path, measure):
            if not section.values:
                raise FormatError(path, section.line, "there are no values by topic: run trec_eval with -q")
            scores.add_system(path, section.line, section.runid or stem(path), section.values, section.topics)
    return scores.table()


@dataclass
class Section:
    """The output for one system: its first line, its runid, its values by measure and topic, and its topics in order.

    The values of measures that are not read are NaN, and their topics do not count.
    """

    line: int
    runid: str = ""
    values: dict[str, dict[str, float]] = field(default_factory=dict)
    topics: dict[str, None] = field(default_factory=dict)
    at_averages: bool = False


def sections(path: FilePath, measure: str | None) -> Iterator[Section]:
    """Split a file into the output for each system.

    trec_eval writes the averages after the topics, under the topic "all", with the runid among them.  Some versions and
    tools write the runid first.  So a section ends where topics follow averages, or at a second runid.
    """
    section: Section | None = None
    for line, (name, topic, value) in records(path, "measure topic value", newline_at_end=True):
        is_average = topic == "all"
        if section is None:
            section = Section(line)
        elif (section.at_averages and not is_average) or (name == "runid" and section.runid):
            yield section
            section = Section(line)
        if name == "runid":
            section.runid = value
        elif not is_average:
            by_topic = section.values.setdefault(name, {})
            if topic in by_topic:
                raise FormatError(path, line, f"{name} for topic {topic!r} is repeated for the same system")
            by_topic[topic] = nan
            # The values of some measures are words, which only matter if that measure is read.
            if measure in (None, name):
                by_topic[topic] = parse_real(path, line, f"value of {name}", value)
                section.topics[topic] = None
        section.at_averages = is_average and bool(section.values)
    if section is None:
        raise FormatError(path, 1, "the file is empty")
    yield section
