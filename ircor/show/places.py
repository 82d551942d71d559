"""How the places of systems are shown, and which of them surely change."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from .._core.text import counted, in_thousands, listed, percent
from ..reliability import PlaceChange, PlaceChanges, Places
from .tables import Column, Table, View, attributes, yes_or_no

KINDS = {
    "simultaneous": "hold for all systems at once",
    "single_step": "hold for all systems at once (single step)",
    "marginal": "hold for each system by itself",
}


def places_from(low: int, high: int) -> str:
    """A set of places: "3-8", or "3" if there is only one."""
    return f"{low}" if low == high else f"{low}-{high}"


def compact(letters: str) -> str:
    """Letters with runs of four or more as their first and last: "a-d"."""
    parts = letters.split(",") if "," in letters else list(letters)
    runs: list[list[str]] = []
    for part in parts:
        follows = runs and len(part) == len(runs[-1][-1]) == 1 and ord(part) == ord(runs[-1][-1]) + 1
        if follows:
            runs[-1].append(part)
        else:
            runs.append([part])
    joint = "," if "," in letters else ""
    return joint.join(f"{run[0]}-{run[-1]}" if len(run) > 3 else joint.join(run) for run in runs)


class PlacesView(View[Places]):
    """The view of the sets of places."""

    def tables(self) -> list[Table]:
        """A row for each system, from the best mean down."""
        columns = [
            Column("place"),
            Column("system", text=str),
            Column("mean"),
            Column("low", "places\nfrom"),
            Column("high", "places\nto"),
            Column("tier"),
            Column("letters", text=compact),
            Column("sure", only="data"),
        ]
        return [Table("places", columns, self.result.rows, names=2)]

    def sentences(self) -> list[str]:
        return [" ".join(filter(None, [self.first(), self.top(), self.apart()]))]

    def first(self) -> str:
        """Who could be first."""
        result, first = self.result, self.result.could_be_first
        by = f" by {result.name}" if result.name else ""
        if len(first) == 1:
            return f"{first[0]} is surely the first of {len(result.systems)} systems{by}."
        return f"{len(first)} of {len(result.systems)} systems could be the first{by}: {listed(first)}."

    def top(self) -> str:
        """Who is surely among the best that were asked for."""
        result = self.result
        if result.top is None:
            return ""
        sure, possible = result.surely_top(result.top), len(result.possibly_top(result.top))
        among = f"among the first {result.top}"
        if not sure:
            return f"No system is surely {among}; {possible} could be."
        more = f"; {possible - len(sure)} more could be" if possible > len(sure) else ""
        return f"Surely {among}: {listed(sure)}{more}."

    def apart(self) -> str:
        """The share of decided pairs, and what the sets are."""
        result = self.result
        pairs = counted(len(result.systems) * (len(result.systems) - 1) // 2, "pair")
        topics = f" of {counted(result.topics, 'topic')}" if result.topics else ""
        by = "normal limit" if result.method == "normal" else "bootstrap"
        return (
            f"{percent(result.decided)} of the {pairs} of systems are told apart. With {100 * result.level:g}% "
            f"confidence, the sets of places {KINDS[result.kind]} ({by}{topics})."
        )

    @property
    def notes(self) -> Sequence[str]:
        result = self.result
        notes = [result.source_note] if result.source_note else []
        if result.topics and result.topics < result.least_topics:
            notes.append(f"with fewer than {result.least_topics} topics, nobody has measured how often the sets hold")
        if not result.sure.all():
            unsure = result.where(~result.sure)
            notes.append(
                f"the ends of the sets of {counted(len(unsure), 'system')} are within the error of "
                f"{in_thousands(result.resamples, 'draw')}, and other draws may move them: {listed(unsure)}"
            )
        return tuple(notes)

    def record(self) -> dict[str, Any]:
        result = self.result
        top: dict[str, Any] = {"top": result.top}
        if result.top is not None:
            top |= {"surely_top": result.surely_top(result.top), "possibly_top": result.possibly_top(result.top)}
        return {
            "name": result.name,
            **super().record(),
            **attributes(result, "could_be_first tiers decided level kind method topics resamples seed"),
            **top,
            "sentences": self.sentences(),
            "notes": self.notes,
        }

    def plot(self, ax: Any = None, **options: Any) -> Any:
        from ..plots import places

        rows = self.result.rows
        tiers = [row.tier for row in rows]
        place, low, high = ([getattr(row, key) for row in rows] for key in ("place", "low", "high"))
        return places(
            [row.system for row in rows], place, low, high, tiers=tiers, level=self.result.level, ax=ax, **options
        )


class PlaceChangesView(View[PlaceChanges]):
    """The view of the places that change."""

    def tables(self) -> list[Table]:
        """A row for each system, from the best in A down."""
        return [Table("places", change_columns(*self.result.names), self.result.rows)]

    def sentences(self) -> list[str]:
        return [self.moves()]

    def moves(self, most: int = 3) -> str:
        """The sure moves, the farthest first, and how many others there are."""
        a, b = self.result.names
        sure, others = self.result.sure, self.result.unsure
        if not others and not sure:
            return f"No system changes its place from {a} to {b}."
        if not sure:
            return f"From {a} to {b}, no system surely changes its place: {counted(others, 'move')} may be noise."
        named = "; ".join([*map(move, sure[:most]), *([f"and {len(sure) - most} more"] if len(sure) > most else [])])
        noise = f"; the other {counted(others, 'move')} may be noise" if others else ""
        return f"From {a} to {b}: {named}: surely{noise}."

    @property
    def notes(self) -> Sequence[str]:
        return tuple(dict.fromkeys([*self.result.a.notes, *self.result.b.notes]))

    def record(self) -> dict[str, Any]:
        result = self.result
        return {
            "a": result.names[0],
            "b": result.names[1],
            **super().record(),
            "sentence": self.moves(),
            **attributes(result.a, "level resamples seed"),
            "notes": self.notes,
        }


def change_columns(a: str, b: str, of: str = "") -> list[Column]:
    """The columns of a table of changes of place; `of` is the attribute of a row that has the change, with a dot."""
    columns = [Column("system", text=str, of=f"{of}system")]
    for side, name in (("a", a), ("b", b)):
        ends = attrgetter(f"{of}low_{side}", f"{of}high_{side}")
        columns.append(Column(f"place_{side}", f"place\n{name}", of=f"{of}place_{side}"))
        columns.append(Column(f"set_{side}", f"places\n{name}", str, "screen", of=partial(set_text, ends)))
        columns += [Column(f"{end}_{side}", only="data", of=f"{of}{end}_{side}") for end in ("low", "high")]
    columns += [Column(end, f"gains\n{word}", of=of + end) for end, word in (("low", "from"), ("high", "to"))]
    return [*columns, Column("surely", "surely\nmoves", yes_or_no, of=f"{of}surely")]


@dataclass(frozen=True)
class ChangeRow:
    """The sets of places of a system by the truth and by a judge."""

    measure: str
    judge: str
    change: PlaceChange


def change_rows(changes: Iterable[tuple[str, str, PlaceChanges | None]]) -> list[ChangeRow]:
    """The rows for each measure and judge."""
    return [ChangeRow(measure, judge, row) for measure, judge, one in changes if one for row in one.rows]


def set_text(ends: Callable[[Any], tuple[int, int]], row: Any) -> str:
    return places_from(*ends(row))


def move(change: PlaceChange) -> str:
    """A sure move: "sys07 falls from 3-8 to 15-21"."""
    system: Hashable = change.system
    verb = "rises" if change.low > 0 else "falls"
    a, b = places_from(change.low_a, change.high_a), places_from(change.low_b, change.high_b)
    return f"{system} {verb} from {a} to {b}"
