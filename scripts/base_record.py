"""Write tests/data/base.jsonl: what base R answers to some calls of the functions of ircor.rbase.

.venv-test/bin/python scripts/base_record.py
"""

from pathlib import Path

from ircor.crosscheck import probe
from ircor.crosscheck._base import RECORD, as_line, calls_to_record

if __name__ == "__main__":
    print(probe())
    lines = [as_line(call, call.in_r("base")) for call in calls_to_record()]
    (Path(__file__).parents[1] / "tests" / "data" / RECORD).write_text("\n".join(lines) + "\n", encoding="utf-8")
