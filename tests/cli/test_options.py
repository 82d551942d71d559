"""Commands have the options of the functions that they call, as these declare them."""

import inspect
import re

import pytest

from ircor import cli
from ircor.cli import COMMANDS, command_of

# What Python has and a command has in another way: what is read, the words of a picture, and the bar of progress.
NOT_OPTIONS = {
    "compare": {"A", "B", "measures", "progress"},
    "judges": {"runs", "truth", "judges", "progress"},
    "table": {"scores", "progress"},
    "cor": {"x", "y", "names", "labels", "progress"},
    "drank": {"X", "y", "progress"},
    "reliability": {"X", "progress"},
    "rbo": {"run_a", "run_b"},
    "rs": {"run", "qrels", "progress"},
    "gmap": {"scores"},
    "places": {"scores", "progress", "covariance", "se", "name"},
    "sample": {"folder", "force"},
    "reproduce": {"data", "progress"},
    "crosscheck": {"functions", "data", "progress"},
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_the_options_of_its_function_in_their_order(name):
    command = command_of(name)
    parameters = [one for one in inspect.signature(command.function).parameters if one not in NOT_OPTIONS[name]]
    declared = [option.name for option in command.options if option not in command.more]
    assert declared == parameters
    shown = [action.dest for action in parser_of(name)._actions]
    places = [shown.index(option) for option in declared]
    assert places == sorted(places)


@pytest.mark.parametrize("name", COMMANDS)
def test_defaults_are_those_of_the_function(name):
    command = command_of(name)
    parameters = inspect.signature(command.function).parameters
    for option in command.options:
        if option.name in parameters:
            default = parameters[option.name].default
            assert (... if default is inspect.Parameter.empty else default) == option.default, option.name


@pytest.mark.parametrize("name", COMMANDS)
def test_options_are_called_as_in_python(name):
    actions = {action.dest: action for action in parser_of(name)._actions}
    for option in command_of(name).options:
        assert option.long in actions[option.name].option_strings
        assert option.long == f"--{(option.alias or option.name).replace('_', '-')}"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_docstring_says_what_the_help_says(name):
    command = command_of(name)
    words = {one: plain(text) for one, text in descriptions(command.function).items()}
    for option in command.options:
        if option in command.more or "as for" in words[option.name]:
            continue
        assert plain(option.help) in words[option.name], (option.name, words[option.name])


def parser_of(name):
    return cli.parser("ircor", name)._subparsers._group_actions[0].choices[name]


def descriptions(function):
    """What the docstring says of each parameter."""
    text = inspect.getdoc(function)
    section = re.search(r"\nParameters\n-+\n(.*?)\n\n(?=[A-Z]\w+\n-+\n)", text, re.DOTALL)[1]
    described = {}
    for names, about in re.findall(
        r"^([a-zA-Z_, ]+?)(?: :[^\n]*)?\n((?:(?:    [^\n]*)?\n)+)", section + "\n", re.MULTILINE
    ):
        for name in names.split(","):
            described[name.strip()] = about
    return described


def plain(text):
    return " ".join(re.sub(r"[`.]", "", text).lower().split())
