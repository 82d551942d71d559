"""Work in tasks: the same numbers here, in threads, in processes and on a cluster."""

import os
import signal
import sys
import threading
import time

import joblib
import numpy as np
import pytest

from ircor._core import work as _parallel
from ircor._core.work import in_parallel, random_blocks, random_phases, slices
from ircor.rank_distance import DrankNull
from ircor.tables import _groups, bootstrap, cor, cor_by, permutation_test


def double(number):
    return 2 * number


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1, np.int64(2)])
def test_results_are_in_the_order_of_the_tasks(n_jobs):
    told = []
    found = in_parallel(double, list(range(20)), n_jobs, lambda done, total: told.append((done, total)))
    assert found == list(range(0, 40, 2))
    assert told == [(k, 20) for k in range(1, 21)]
    assert in_parallel(double, [], n_jobs, None) == []


def test_the_number_of_jobs_is_checked():
    for n_jobs, error, words in [
        (0, ValueError, "'n_jobs' must not be 0; -1 stands for all processors"),
        (1.0, TypeError, "'n_jobs' must be a whole number, not 1.0"),
        (True, TypeError, "'n_jobs' must be a whole number, not True"),
        ("2", TypeError, "'n_jobs' must be a whole number, not '2'"),
    ]:
        with pytest.raises(error, match=words):
            in_parallel(double, [1, 2], n_jobs, False)


def running(_):
    return os.getpid(), threading.get_ident()


def test_work_runs_here_unless_more_jobs_are_asked_for(monkeypatch):
    here = running(None)
    assert in_parallel(running, [1], 1, False) == [here]
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert in_parallel(running, [1], 1, False) == [here]
        assert in_parallel(running, [1], None, False) != [here]
    # The kernel releases the GIL, so threads are preferred to processes.
    ((process, thread),) = in_parallel(running, [1], 2, False)
    assert process == here[0]
    assert thread != here[1]
    monkeypatch.delitem(sys.modules, "joblib")
    assert in_parallel(running, [1], None, False) == [here]
    assert "joblib" not in sys.modules


def test_more_jobs_need_joblib(monkeypatch):
    monkeypatch.setitem(sys.modules, "joblib", None)
    with pytest.raises(ImportError, match=r"more than one job needs joblib: .* -m pip install 'ircor\[parallel\]'"):
        in_parallel(double, [1, 2], 2, False)
    assert in_parallel(double, [1, 2], 1, False) == [2, 4]


def fail(number):
    raise ValueError(f"task {number}")


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_in_a_task_is_raised_as_it_is(n_jobs):
    with pytest.raises(ValueError, match="^task 1$"):
        in_parallel(fail, [1], n_jobs, False)


def test_an_error_of_joblib_is_raised_unless_it_is_about_return_as(monkeypatch):
    asked = []

    def parallel(refusal):
        def run(n_jobs, prefer, return_as):
            asked.append(return_as)
            if return_as == "generator":
                raise ValueError(refusal)
            return lambda calls: [function(*arguments) for function, arguments, _ in calls]

        return run

    monkeypatch.setattr(joblib, "Parallel", parallel("no such backend"))
    with pytest.raises(ValueError, match="no such backend"):
        in_parallel(double, [1], 2, False)
    assert asked == ["generator"]
    monkeypatch.setattr(joblib, "Parallel", parallel("return_as is not supported"))
    assert in_parallel(double, [1, 2], 2, False) == [2, 4]
    assert asked == ["generator", "generator", "list"]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_in_the_callback_ends_the_work(n_jobs):
    """Without a warning about the tasks that still run, which would be an error here."""
    started = []

    def slow(number):
        started.append(number)
        time.sleep(0.02)

    def interrupted(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        in_parallel(slow, list(range(100)), n_jobs, interrupted)
    assert len(started) < 50


@pytest.mark.parametrize(
    ("resamples", "sizes"), [(1, [1]), (249, [249]), (250, [250]), (251, [250, 1]), (600, [250, 250, 100])]
)
def test_blocks_of_resamples(resamples, sizes):
    seed, blocks = random_blocks(7, resamples)
    assert seed == 7
    assert [size for _, size in blocks] == sizes
    expected = np.random.SeedSequence(7).spawn(len(sizes))
    for (source, _), stream in zip(blocks, expected):
        assert source.generate_state(4).tolist() == stream.generate_state(4).tolist()


def test_phases_have_random_streams_of_their_own():
    seed, phases = random_phases(7, [600, 1, 251])
    assert seed == 7
    assert [[size for _, size in blocks] for blocks in phases] == [[250, 250, 100], [1], [250, 1]]
    # The first is what it is alone, and no stream is used twice.
    states = [source.generate_state(4).tolist() for blocks in phases for source, _ in blocks]
    expected = [stream.generate_state(4).tolist() for stream in np.random.SeedSequence(7).spawn(6)]
    assert states == expected
    assert len({tuple(state) for state in states}) == 6
    alone = [source.generate_state(4).tolist() for source, _ in random_blocks(7, 600)[1]]
    assert states[:3] == alone
    drawn, _ = random_phases(None, [10, 10])
    assert drawn != random_phases(None, [10, 10])[0]


def test_seeds():
    drawn, ((source, _),) = random_blocks(None, 10)
    assert type(drawn) is int
    assert drawn != random_blocks(None, 10)[0]
    (_, ((again, _),)), (_, ((other, _),)) = random_blocks(drawn, 10), random_blocks(drawn + 1, 10)
    assert again.generate_state(2).tolist() == source.generate_state(2).tolist()
    assert other.generate_state(2).tolist() != source.generate_state(2).tolist()
    assert type(random_blocks(np.int64(3), 1)[0]) is int
    assert random_blocks(0, 1)[0] == 0
    for seed, error, words in [
        (-1, ValueError, "'seed' must be 0 or more, not -1"),
        (True, TypeError, "'seed' must be a whole number, not True"),
        (1.0, TypeError, "'seed' must be a whole number, not 1.0"),
    ]:
        with pytest.raises(error, match=words):
            random_blocks(seed, 10)


def test_slices_of_limited_length(monkeypatch):
    monkeypatch.setattr(_parallel, "ITEMS_PER_TASK", 12)
    for count, items, lengths in [
        (10, 3, [4, 4, 2]),
        (8, 3, [4, 4]),
        (3, 5, [2, 1]),
        (3, 12, [1, 1, 1]),
        (2, 13, [1, 1]),
        (5, 1, [5]),
        (12, 1, [12]),
        (13, 1, [12, 1]),
        (0, 1, []),
    ]:
        found = slices(count, items)
        assert [part.stop - part.start for part in found] == lengths
        assert [k for part in found for k in range(count)[part]] == list(range(count))


# The same numbers on every backend


def everything(seed=5):
    """One call of each, large enough for several tasks."""
    rng = np.random.default_rng(seed)
    X = rng.random((30, 1)) + rng.random((30, 9))
    Y = X + rng.normal(0, 0.2, X.shape)
    groups = np.repeat(np.arange(300), 15)
    x, y = rng.random(4500), rng.random(4500)
    return [
        cor(np.vstack([X] * 40 + [Y] * 40), method="tauAP_b"),
        cor_by(groups, x, y, "tauAP_b").to_numpy(),
        bootstrap(X, Y, "tauAP_b", resamples=2000, seed=seed).distribution,
        ends(bootstrap(X, (Y, X**2), "tauAP_b", resamples=2000, seed=seed, target="population")),
        permutation_test(x[:40], y[:40], "tauAP_b", resamples=2000, seed=seed).distribution,
        DrankNull(X, null="resample", resamples=1000, seed=seed, progress=False).distances,
        DrankNull(X, null="two-sample", resamples=600, seed=seed, progress=False).distances,
    ]


def ends(result):
    return [(one.low, one.high) for one in (*result.parts, result)]


@pytest.mark.filterwarnings("ignore::ircor.CoverageWarning")
@pytest.mark.parametrize("backend", ["threading", "loky", pytest.param("multiprocessing", marks=pytest.mark.slow)])
def test_the_same_on_every_backend(backend, monkeypatch):
    expected = everything()
    # Long simulations are drawn in parts of this length, so it is left long enough for a block of these.
    monkeypatch.setattr(_parallel, "ITEMS_PER_TASK", 30_000)
    monkeypatch.setattr(_groups, "ITEMS_PER_TASK", 1000)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        found = everything()
    for one, other in zip(expected, found):
        np.testing.assert_array_equal(one, other)


@pytest.fixture(scope="module")
def cluster():
    from dask import distributed

    with pytest.MonkeyPatch.context() as patch:
        # Where R runs, it has put its own libraries before those that a new Python needs.
        patch.delenv("LD_LIBRARY_PATH", raising=False)
        yield from dask_cluster(distributed)


def dask_cluster(distributed):
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        joblib.parallel_config(backend="dask", wait_for_workers_timeout=60),
    ):
        yield client


def work_of(cluster):
    """Grows with every task that the cluster takes on."""
    return cluster.run_on_scheduler(lambda dask_scheduler: dask_scheduler.transition_counter)


@pytest.mark.filterwarnings("ignore")
def test_the_same_on_a_dask_cluster(cluster, monkeypatch):
    # Long simulations are drawn in parts of this length, so it is left long enough for a block of these.
    monkeypatch.setattr(_parallel, "ITEMS_PER_TASK", 30_000)
    monkeypatch.setattr(_groups, "ITEMS_PER_TASK", 1000)
    before = work_of(cluster)
    on_the_cluster = everything()
    assert work_of(cluster) > before + 20
    with joblib.parallel_config(backend="sequential"):
        here = everything()
    for one, other in zip(here, on_the_cluster):
        np.testing.assert_array_equal(one, other)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_same_with_ray(monkeypatch):
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    from ray.util.joblib import register_ray

    here = everything()
    monkeypatch.setattr(_parallel, "ITEMS_PER_TASK", 30_000)
    monkeypatch.setattr(_groups, "ITEMS_PER_TASK", 1000)
    # Where R runs, it has put its own libraries before those that a new Python needs.
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        register_ray()
        with joblib.parallel_config(backend="ray", n_jobs=2):
            found = everything()
    finally:
        ray.shutdown()
    for one, other in zip(here, found):
        np.testing.assert_array_equal(one, other)


@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_is_killed_in_the_middle(cluster, rng):
    X = rng.random((50, 1)) + rng.random((50, 60))
    Y = X + rng.normal(0, 0.2, X.shape)
    victims = list(cluster.run(os.getpid).values())[:1]
    done_at_the_kill = []

    def kill(done, total):
        if victims:
            os.kill(victims.pop(), signal.SIGKILL)
            done_at_the_kill.append((done, total))

    before = work_of(cluster)
    found = bootstrap(X, Y, "tauAP_b", resamples=50_000, seed=1, progress=kill)
    ((done, total),) = done_at_the_kill
    assert done < total
    assert work_of(cluster) > before + 20
    expected = bootstrap(X, Y, "tauAP_b", resamples=50_000, seed=1, n_jobs=1)
    np.testing.assert_array_equal(found.distribution, expected.distribution)
