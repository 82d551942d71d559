# Rankings and figures of Urbano and Marrero (2017). The values are ranks, so
# the top item has the lowest value.

test_that("rankings without ties score as in section 2", {
  x <- 1:6
  y <- c(2, 3, 1, 4, 6, 5)
  expect_equal(tau(x, y), 0.6)
  expect_equal(tauAP(x, y, decreasing = FALSE), 0.32)
})

test_that("an observer with ties scores as in section 3.1", {
  x <- 1:6
  y <- c(2, 4, 1, 4, 6, 4)
  expect_equal(tau_a(x, y), 0.4)
  expect_equal(round(tauAP_a(x, y, decreasing = FALSE), 3), 0.209)
})

test_that("each order of the tied items scores as in section 3.1", {
  orders <- list(
    c(2, 3, 1, 4, 6, 5), c(2, 3, 1, 5, 6, 4), c(2, 4, 1, 3, 6, 5),
    c(2, 4, 1, 5, 6, 3), c(2, 5, 1, 3, 6, 4), c(2, 5, 1, 4, 6, 3)
  )
  scores <- function(coefficient, ...) {
    vapply(orders, function(y) round(coefficient(1:6, y, ...), 3), 0)
  }
  expect_equal(scores(tau), c(0.6, 0.467, 0.467, 0.333, 0.333, 0.2))
  expect_equal(scores(tauAP, decreasing = FALSE),
               c(0.32, 0.22, 0.253, 0.153, 0.22, 0.087))
})

test_that("two observers with ties score as in section 3.2", {
  x <- c(1, 2, 3.5, 3.5, 5, 6)
  y <- c(2, 4, 1, 4, 6, 4)
  expect_equal(round(tau_b(x, y), 3), 0.386)
  expect_equal(tauAP_b(x, y, decreasing = FALSE), 0.14)
})

test_that("an observer who ties all items is no better than chance", {
  expect_equal(tau_a(1:5, rep(7, 5)), 0)
  expect_equal(tauAP_a(1:5, rep(7, 5)), 0)
  expect_identical(tau_b(1:5, rep(7, 5)), NaN)
  expect_identical(tauAP_b(1:5, rep(7, 5)), NaN)
})
