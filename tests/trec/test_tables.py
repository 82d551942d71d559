"""Tables of scores, wide and long."""

import pandas as pd
import pytest

from ircor.trec import read_table

SEVERAL = "system,topic,measure,value\n" + "".join(
    f"{s},{t},{m},0.5\n" for s in "ab" for t in (1, 2) for m in ("map", "ndcg")
)


def test_wide_and_long_tables(write):
    expected = pd.DataFrame({"one": [0.25, 0.5], "two": [0.75, 0.125]}, index=["401", "402"])
    for text in (
        "topic,one,two\n401,0.25,0.75\n402,0.5,0.125\n",
        "\ttwo\tone\r\n402\t0.125\t0.5\r\n401\t0.75\t0.25\r\n",
        '"topic","one","two"\n"401","0.25","0.75"\n"402", 0.5 ,"0.125"\n',
        "system,topic,value\none,401,0.25\none,402,0.5\ntwo,401,0.75\ntwo,402,0.125\n",
        "value\tmeasure\ttopic\tsystem\n0.25\tmap\t401\tone\n0.5\tmap\t402\tone\n0.75\tmap\t401\ttwo\n0.125\tmap\t402\ttwo\n",
    ):
        pd.testing.assert_frame_equal(read_table(write(text))[["one", "two"]], expected, check_names=False)
    capital = read_table(write("System,Topic,Value\none,401,0.5\none,all,0.5\ntwo,401,1\n"))
    assert capital.to_dict("list") == {"one": [0.5], "two": [1.0]}
    assert read_table(write(SEVERAL)).shape == (2, 4)
    assert read_table(write(SEVERAL), "ndcg").shape == (2, 2)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("", 1, "the file is empty"),
        ("topic\n401\n", 1, "this is none of the formats that can be read: "),
        ('{"topic": 401}\n', 1, "there is only one column: expected topics and systems, separated by commas or tabs"),
        ("topic,a,a\n401,1,2\n", 1, "two columns have the name 'a'"),
        ("topic,a,b\n401,1\n", 2, "expected 3 fields, as in the first line, found 2"),
        ("topic,a,b\n401,1,2\n\n402,1,x\n", 4, "the value must be a finite number, not 'x'"),
        ("topic,a,b\nmean,1,2\n", 2, "the row 'mean' has averages: leave it out"),
        ("topic,a,b\n1,1,2\nAll,1,2\n", 3, "the row 'All' has averages: leave it out"),
        ("topic,a,b\nall,1,2\n", 2, "the row 'all' has averages: leave it out"),
        ("system,topic,value\na,Average,2\n", 2, "'Average' is not a topic: leave out averages"),
        *[
            (
                f"{name},map\nA,1\n",
                1,
                "the table has systems by measures (map), without topics: expected topics by systems",
            )
            for name in ("item", "Name", "run", "runid", "Run_ID", "SYSTEM")
        ],
        ("topic,measure,a\n1,map,3\n", 1, "there is no column of the name value beside that of the measures, but a"),
        ("topic;A,B\n301;0,5\n", 1, "the fields are separated by semicolons: use commas or tabs"),
        ("topic,a,b\n401,1,2\n401,1,2\n", 3, "system 'a' for topic '401' is repeated"),
        ("topic,a,b\n,1,2\n", 2, "the topic is missing"),
        ("topic,a,,b\n1,1,2,3\n", 1, "column 3 has no name: expected the name of a system"),
        ("system,topic,value\n,401,1\n", 2, "the system is missing"),
        ("system,topic,value\na,,1\n", 2, "the topic is missing"),
        ("system,topic,measure,value\na,1,map,1\na,1,map,1\n", 3, "map of system 'a' for topic '1' is repeated"),
        ("system,topic,value,Topic\na,1,1,2\n", 1, "both 'topic' and 'Topic' can be the column of topics"),
        ('topic,a,b\n401,"1,2\n', 2, "the row cannot be split into fields: unexpected end of data"),
        ("topic,a,b\n", 1, "the table has no scores"),
        ("system,topic,value\na,all,1\n", 1, "there are only averages over topics: read_leaderboard reads them"),
    ],
)
def test_malformed_tables_are_refused_with_file_and_line(refused, content, line, words):
    refused(read_table, content, line, words)


def test_missing_cells(write):
    path = write("topic,a,b\n401,1,\n402,1,2\n")
    with pytest.raises(ValueError, match="system 'b' has no value for topic 401"):
        read_table(path)
    assert read_table(path, missing="zero").loc["401", "b"] == 0
    for cell in ("NA", "nan", "null", "N/A"):
        assert read_table(write(f"topic,a,b\n401,1,{cell}\n402,1,2\n"), missing="drop").to_numpy().tolist() == [[1, 2]]
    with pytest.raises(ValueError, match="'missing' must be one of error, zero, drop, not 'skip'"):
        read_table(path, missing="skip")


def test_a_measure_can_be_chosen_only_where_there_are_names_of_measures(write):
    for text in ("topic,a,b\n401,1,2\n402,1,2\n", "system,topic,value\na,1,0.5\n"):
        with pytest.raises(ValueError, match='file does not name its measure, so measure="map" cannot be chosen'):
            read_table(write(text), "map")
    with pytest.raises(
        ValueError, match=r"there are no values of the measure 'P_10' in .*file\. The measures are map, ndcg"
    ):
        read_table(write(SEVERAL), "P_10")
