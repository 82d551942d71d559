"""The figures of Corsi and Urbano."""

from ircor.published._papers import corsi_2024


def test_all_printed_scores_agree():
    figures = list(corsi_2024())
    assert [figure.verdict for figure in figures] == ["agrees"] * 10
    assert {len(figure.printed) for figure in figures} == {len("0.1234567")}
    assert [figure.what for figure in figures[3:5]] == ["RBO res, ties a", "RBO ext, ties w"]
