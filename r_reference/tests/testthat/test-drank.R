# Section 3.1 of the paper.
AP <- rbind(
  c(0.283, 0.481, 0.516),
  c(0.017, 0.399, 0.544),
  c(0.075, 0.300, 0.277),
  c(0.183, 0.662, 0.616)
)

test_that("the example of the paper is reproduced", {
  skip_if_not_installed("quadprog")
  best_first <- list(ABC = 1:3, ACB = c(1, 3, 2), BAC = c(2, 1, 3), CAB = c(3, 1, 2), BCA = c(2, 3, 1), CBA = 3:1)
  distances <- vapply(best_first, function(order) drank(-match(1:3, order), AP), 0)
  # The paper prints 4.88 for BAC and CAB, which is not the minimum: if one
  # constraint is active, the distance is a paired t statistic.
  t_of <- function(i, j) abs(unname(t.test(AP[, i], AP[, j], paired = TRUE)$statistic))
  expect_equal(distances[["BAC"]], t_of(1, 3), tolerance = 1e-8)
  expect_equal(distances[["CAB"]], t_of(1, 2), tolerance = 1e-8)
  expect_equal(round(unname(distances[c("ABC", "ACB", "BCA", "CBA")]), 2), c(4.88, 4.88, 0.65, 0))
})

test_that("the distance of two systems is their paired t statistic", {
  skip_if_not_installed("quadprog")
  t <- unname(t.test(AP[, 2], AP[, 1], paired = TRUE)$statistic)
  expect_equal(drank(c(2, 1), AP[, 1:2]), t, tolerance = 1e-8)
  expect_equal(drank(c(1, 2), AP[, 1:2]), 0)
})

test_that("a tie is not a swap", {
  skip_if_not_installed("quadprog")
  expect_equal(drank(c(1, 1, 1), AP), 0)
  expect_equal(drank(c(0.5, 0.7, 0.7), AP), 0)
})

test_that("numbers that differ by rounding alone are tied", {
  skip_if_not_installed("quadprog")
  expect_equal(drank(c(0, 0.1 + 0.2, 0.3), AP), 0)
  expect_gt(drank(c(0, 0.3 + 1e-11, 0.3), AP), 0.6)
  expect_gt(drank(c(0L, 2L, 1L), AP), 0.6)
  expect_equal(drank(c(-Inf, Inf, Inf), AP), 0)
})

test_that("the ridge is added if there are at least as many systems as topics", {
  skip_if_not_installed("quadprog")
  expect_equal(drank(3:1, AP[1:3, ]), drank(3:1, AP[1:3, ], ridge = 1e-5))
  expect_equal(drank(3:1, AP), drank(3:1, AP, ridge = 0))
})

test_that("the covariance matrix may be singular", {
  skip_if_not_installed("quadprog")
  twice <- cbind(AP[, 1], AP[, 1], AP[, 2])
  expect_equal(drank(c(1, 1, 2), twice), 0, tolerance = 1e-8)
  expect_equal(drank(c(2, 2, 1), twice), drank(c(2, 1), AP[, 1:2]), tolerance = 1e-8)
  # All three have to be equal.
  expect_equal(drank(c(3, 1, 2), twice), drank(c(2, 1), AP[, 1:2]), tolerance = 1e-8)
  apart <- cbind(AP[, 1], AP[, 1] + 0.25, AP[, 2])
  expect_equal(drank(c(1, 2, 3), apart), 0)
  expect_identical(drank(c(2, 1, 3), apart), Inf)
  constant <- AP[, c(1, 1)] + rep(c(0, 0.25), each = 4)
  expect_identical(c(drank(1:2, constant), drank(2:1, constant)), c(0, Inf))
})
