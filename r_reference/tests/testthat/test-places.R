draws_of <- function(n, count, seed = 1) {
  set.seed(seed)
  t(stats::rmultinom(count, n, rep(1 / n, n)))
}

test_that("systems that are far apart have one place each", {
  set.seed(2)
  X <- outer(rnorm(20), c(3, 1, 2), "+") + matrix(rnorm(60, sd = 0.01), 20)
  for (kind in c("simultaneous", "single_step", "marginal")) {
    expect_equal(place_sets(X, draws_of(20, 199), kind = kind), c(1, 3, 2, 1, 3, 2))
  }
})

test_that("equal systems share their places, and constant differences are decided", {
  x <- c(0.1, 0.5, 0.2, 0.9)
  same <- cbind(x, x, x)
  expect_equal(place_sets(same, draws_of(4, 99)), c(1, 1, 1, 3, 3, 3))
  expect_equal(place_sets(cbind(x, x + 0.1), draws_of(4, 99)), c(2, 1, 2, 1))
})

test_that("two systems are told apart as by the statistic of one pair", {
  set.seed(3)
  X <- cbind(rnorm(30), rnorm(30, 0.4))
  D <- X[, 1] - X[, 2]
  draws <- matrix(rnorm(30 * 199), 199)
  drawn <- abs(draws %*% (D - mean(D))) / sqrt(sum((D - mean(D))^2))
  critical <- sort(drawn)[ceiling(200 * 0.9)]
  told_apart <- abs(mean(D)) / (sd(D) / sqrt(30)) > critical
  found <- place_sets(X, draws, level = 0.9, method = "normal")
  expect_equal(found[1] == found[3], told_apart)
})

test_that("what cannot be read is refused", {
  X <- matrix(c(1, 2, 3, 4), 2)
  expect_error(place_sets(X, draws_of(3, 9)), "one column for each of the 2 topics")
  expect_error(place_sets(X, draws_of(2, 9), kind = "both"), "must be one of")
  expect_error(place_sets(X[1, , drop = FALSE], draws_of(1, 9)), "2 topics or more")
})
