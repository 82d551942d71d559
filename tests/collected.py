"""What the readers of scores have collected from files, before it is a table."""

import numpy as np


def collected_values(scores):
    """{(measure, system, topic): value}, with NaN where a cell is there and empty."""
    scores.settle_names()
    values = {}
    for part in scores.parts:
        present = ~np.isnan(part.scores) if part.present is None else part.present
        for measure, row in part.measures.items():
            for s, t in np.argwhere(present[row]) if row >= 0 else ():
                values[measure, part.systems[s], part.topics[t]] = float(part.scores[row, s, t])
    return values
