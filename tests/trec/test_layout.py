"""How a table is read: topics, systems and measures by their names, and a refusal where two readings are plausible."""

import pytest

from ircor.trec import FormatError, read_scores, read_table

TRUTH = {"401": {"one": 0.25, "two": 0.75}, "402": {"one": 0.5, "two": 0.125}}


def numbered(table):
    """The truth with other names of topics."""
    return dict(zip(table, TRUTH.values()))


@pytest.mark.parametrize(
    "text",
    [
        # Topics by systems.
        "topic,one,two\n401,0.25,0.75\n402,0.5,0.125\n",
        "one,two,query_id\n0.25,0.75,401\n0.5,0.125,402\n",
        ",qid,one,two\n0,401,0.25,0.75\n1,402,0.5,0.125\n",
        "Unnamed: 0,Query ID,one,two\n7,401,0.25,0.75\n9,402,0.5,0.125\n",
        ",one,two\n401,0.25,0.75\n402,0.5,0.125\n",
        "thema,one,two\n401,0.25,0.75\n402,0.5,0.125\n",
        # Systems by topics.
        "system,401,402\none,0.25,0.5\ntwo,0.75,0.125\n",
        "run\t401\t402\none\t0.25\t0.5\ntwo\t0.75\t0.125\n",
        ",401,402\none,0.25,0.5\ntwo,0.75,0.125\n",
        "Unnamed: 0,topic,Unnamed: 0.1,one,two\n0,401,0,0.25,0.75\n1,402,1,0.5,0.125\n",
        "X,topic,one,two\n1,401,0.25,0.75\n2,402,0.5,0.125\n",
        ",index,topic,one,two\n0,0,401,0.25,0.75\n1,1,402,0.5,0.125\n",
        "qid,query,one,two\n401,foreign minorities,0.25,0.75\n402,behavioral genetics,0.5,0.125\n",
        ",Unnamed: 0,one,two\n0,401,0.25,0.75\n1,402,0.5,0.125\n",
        '"topic" "one" "two"\n401 0.25 0.75\n402 0.5 0.125\n',
        '"topic" "system" "value"\n"1" 401 "one" 0.25\n"2" 401 "two" 0.75\n"3" 402 "one" 0.5\n"4" 402 "two" 0.125\n',
        "model,401,402\none,0.25,0.5\ntwo,0.75,0.125\n",
        "model\t401\t402\none\t0.25\t0.5\ntwo\t0.75\t0.125\n",
        ",AP,AP\nsystem,one,two\ntopic,,\n401,0.25,0.75\n402,0.5,0.125\n",
        # One score in each row.
        "name,qid,value\none,401,0.25\none,402,0.5\ntwo,401,0.75\ntwo,402,0.125\n",
        "run,query_id,score\none,401,0.25\none,402,0.5\ntwo,401,0.75\ntwo,402,0.125\n",
        "run,query,metric,result\none,401,AP,0.25\none,402,AP,0.5\ntwo,401,AP,0.75\ntwo,402,AP,0.125\n",
        '"","topic","runid","AP"\n"1",401,one,0.25\n"2",402,one,0.5\n"3",401,two,0.75\n"4",402,two,0.125\n',
        "system,topic,AP,group\none,401,0.25,a\none,402,0.5,a\ntwo,401,0.75,b\ntwo,402,0.125,b\n",
    ],
)
def test_a_table_that_can_be_read_in_one_way(write, text):
    assert read_table(write(text)).to_dict("index") == TRUTH
    assert read_scores(write(text)).to_dict("index") == TRUTH


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("one,two\n0.25,0.75\n0.5,0.125\n", "no column has the topics, so they are numbered from 1"),
        (
            "system,topic,AP,group\none,1,0.25,a\none,2,0.5,a\ntwo,1,0.75,b\ntwo,2,0.125,b\n",
            "columns of text were left out: group",
        ),
    ],
)
def test_what_a_reader_should_know_is_in_the_notes(write, text, note):
    table = read_table(write(text))
    assert table.to_dict("index") == numbered(["1", "2"])
    assert table.attrs["notes"] == [f"{write(text)}: {note}"]


def test_topics_may_be_like_decimals(write):
    assert read_table(write("topic,a\n31.1,0.25\n31.2,0.75\n")).index.tolist() == ["31.1", "31.2"]


def test_a_column_for_each_measure(write):
    text = "system,topic,AP,P@10\none,401,0.25,1\none,402,0.5,0\ntwo,401,0.75,0\ntwo,402,0.125,1\n"
    table = read_table(write(text))
    assert table["AP"].to_dict("index") == TRUTH
    assert table["P@10"].to_numpy().tolist() == [[1, 0], [0, 1]]
    assert read_table(write(text), "AP").to_dict("index") == TRUTH
    with pytest.raises(ValueError, match="there are no values of the measure 'map' in .*file; did you mean 'AP'"):
        read_table(write(text), "map")


def test_the_topics_of_one_system_by_measures(write):
    table = read_table(write(",map,P_10\n401,0.25,1\n402,0.5,0\n"))
    assert table.columns.tolist() == [("map", "file"), ("P_10", "file")]
    assert "the columns are read as measures of one system, 'file'" in table.attrs["notes"][0]
    table = read_table(write(",map,P_10\n401,0.25,1\n402,0.5,0\n"), systems="columns")
    assert table.columns.tolist() == ["map", "P_10"]
    table = read_table(write("query_id,measure,value\n401,AP,0.25\n402,AP,0.5\nall,AP,0.375\n"))
    assert table.to_dict("list") == {"file": [0.25, 0.5]}


BOTH = "can be topics and .* in the columns systems, or the other way round: say which with systems="


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (",1,2\n401,0.25,0.75\n402,0.5,0.125\n", f"401, 402 in the rows {BOTH}"),
        (",x,y\na,0.25,0.75\nb,0.5,0.125\n", f"a, b in the rows {BOTH}"),
        ("label,x,q2\n1,0.25,0.75\n2,0.5,0.125\n", f"1, 2 in the rows {BOTH}"),
        ("1,2\n0.25,0.75\n0.5,0.125\n", f"the rows {BOTH}"),
        ("map,P_10\n0.25,0.75\n0.5,0.125\n", r"the columns are measures \(map, P_10\), and no column has the topics"),
        ("topic,map,bm25\n1,0.25,0.75\n", "the column 'map' can be a measure of one system, or a system like 'bm25'"),
        ("x,y\n1,2\n3,1\n", "the column 'x' can have the names of topics or the scores of a system"),
        ("system,x,y\na,0.25,0.75\n", "the column 'x' can be a topic, or a measure of all systems without topics"),
        ("system,map,P_10\na,0.25,0.75\n", r"the table has systems by measures \(map, P_10\), without topics"),
        ("qid,topic,a\n1,x,0.5\n", "both 'qid' and 'topic' can be the column of topics"),
        (",0,1\nq-abc,0.25,0.75\nq-def,0.5,0.125\n", f"q-abc, q-def in the rows {BOTH}"),
        ("methode,401,402\na,0.5,1\n", "methode, 401, 402 can be the names of columns, or the first row of a table"),
        ("foo\t401\t402\na\t0.5\t0.25\n", "foo, 401, 402 can be the names of columns, or the first row of a table"),
        ("q-a,1,0\nq-b,0.5,1\n", "q-a, 1, 0 can be the names of columns, or the first row of a table without names"),
        ("401,1,0\n402,0.5,1\n", "401, 1, 0 can be the names of columns, or the first row of a table without names"),
        (
            "topic,a,id\n1,0.5,7\n2,0.25,8\n3,0.5,9\n",
            "the column 'id' has different whole numbers, which can be the topics or",
        ),
        ("topic,a,mean\n1,0.5,0.5\n", "the column 'mean' has averages, and is not a system: leave it out"),
        (",a,b\n401,0.5,0.5\n402,0.5,1\nmean,0.5,0.75\n", "the row 'mean' has averages: leave it out"),
        (",a,b\ncats,0.5,0.5\ndogs,0.5,1\nAverage,0.5,0.75\n", "the row 'Average' has averages: leave it out"),
        (",a,b\n1,0.5,0.5\n2,0.5,1\n3,1,1\nMAP,0.6,0.8\n", "'MAP' is not like the other topics: leave out averages"),
        (",401,402\na,0.5,0.5\nb,0.5,1\nall,0.5,0.75\n", "the row 'all' has averages: leave it out"),
        ("system,topic,AP\na,1,0.5\nAverage,1,0.5\n", "'Average' is not a system: leave out averages"),
        ("system,topic,AP\na,1,0.5\na,MAP,0.5\n", "'MAP' is not a topic: leave out averages"),
        ("topic,a\n1,0.5\n2,0.5\n3,0.5\nMittelwert,0.5\n", "'Mittelwert' is not like the other topics"),
        ("topic,run,baseline\n1,0.25,0.5\n2,0.5,0.5\n", "the number 0.25 is in the place of a system"),
        ("name,run,topic,AP\na,b,1,0.5\n", "both 'name' and 'run' can be the column of systems"),
        (
            "system,topic,value,AP\na,1,0.5,0.5\n",
            "the column 'value' can be the scores of one measure, or one of several",
        ),
        ("system,topic,measure\na,1,map\n", "there is no column of the name value"),
        ("system,measure,value\na,map,0.5\n", "there is a column of measures, but none of topics"),
        ("measure,a\nmap,0.5\n", "there is a column of measures, but none of topics"),
        ("qid,docno,score\n1,d1,0.5\n", "the column 'docno' has documents: this is a run"),
        ("system,topic,name of it\na,1,x\n", "there is no column of scores"),
        ("system,topic,AP\na,1,0.5\nb,1,O.5\n", "'O.5' in column 'AP' is not a number, but other cells"),
        ("system,401,all\na,0.5,0.5\n", "the column 'all' has averages, and is not a topic: leave it out"),
        ("system,topic,measure,value\na,1,,0.5\n", "the measure is missing"),
        ("map,401,0.25\nmap,402,0.5\n", "the first line must have the names of the columns, not the number 0.25"),
        ("topic,a,Unnamed: 2\n1,0.5,0.25\n", "column 3 has no name: expected the name of a system"),
        (",topic,a\nx,1,0.5\n", "column 1 has no name: expected the name of a system"),
    ],
)
def test_a_table_with_two_readings_is_refused_and_both_are_named(write, text, words):
    with pytest.raises(FormatError, match=f"file:[12345]: {words}"):
        read_table(write(text))


def test_where_the_systems_are_can_be_said(write):
    text = ",q1,q2\nx,0.25,0.75\ny,0.5,0.125\n"
    assert read_table(write(text)).to_dict("index") == {"q1": {"x": 0.25, "y": 0.5}, "q2": {"x": 0.75, "y": 0.125}}
    assert read_table(write(text), systems="columns").to_dict("index") == {
        "x": {"q1": 0.25, "q2": 0.75},
        "y": {"q1": 0.5, "q2": 0.125},
    }
    ambiguous = write(",one,two\na,0.25,0.75\nb,0.5,0.125\n")
    assert read_table(ambiguous, systems="columns").to_dict("index") == numbered(["a", "b"])
    assert read_table(ambiguous, systems="rows").T.to_dict("index") == numbered(["a", "b"])
    no_names = write("1,2\n0.25,0.75\n0.5,0.125\n")
    assert read_table(no_names, systems="rows").to_dict("list") == {"1": [0.25, 0.75], "2": [0.5, 0.125]}
    assert read_table(no_names, systems="columns").to_dict("list") == {"1": [0.25, 0.5], "2": [0.75, 0.125]}
    assert read_table(write("system,x,y\na,0.25,0.75\n"), systems="rows").to_dict("list") == {"a": [0.25, 0.75]}


@pytest.mark.parametrize(
    ("text", "systems", "words"),
    [
        (
            "topic,a,b\n1,0.5,0.5\n",
            "rows",
            "the column 'topic' has topics in the rows, which contradicts systems=\"rows\"",
        ),
        ("run,1,2\na,0.5,0.5\n", "columns", "the column 'run' has systems in the rows, which contradicts"),
        ("run,topic,AP\na,1,0.5\n", "rows", "the table has a score of one system and topic in each row, so systems="),
        ("topic,measure,value\n1,AP,0.5\n", "rows", "the table has a score of one topic in each row, so systems="),
        ("map 401 0.5\n", "rows", 'has one value in each place, so systems="rows" does not apply to it'),
        ("system,401,all\na,0.5,0.5\n", "rows", "the column 'all' has averages, and is not a topic: leave it out"),
    ],
)
def test_what_was_said_must_agree_with_the_table(write, text, systems, words):
    with pytest.raises(ValueError, match=words):
        read_scores(write(text), systems=systems)


def test_options_are_checked(write):
    with pytest.raises(ValueError, match="'systems' must be one of rows, columns, not 'topics'"):
        read_table(write("topic,a\n1,1\n"), systems="topics")
