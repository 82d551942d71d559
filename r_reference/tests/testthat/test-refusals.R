test_that("anything but a numeric vector is refused, x before y", {
  not_numeric_vectors <- list(
    logical = c(TRUE, FALSE, TRUE), character = c("1", "2", "3"),
    complex = c(1+0i, 2, 3), factor = factor(1:3),
    date = as.Date("2020-01-01") + 0:2, matrix = matrix(1:3, ncol = 1),
    data_frame = data.frame(a = 1:3), list = list(1, 2, 3), null = NULL,
    attributes = structure(1:3, unit = "points")
  )
  for (bad in not_numeric_vectors) {
    expect_refusal(coefficients, bad, 1:3, "'x' must be a numeric vector")
    expect_refusal(coefficients, 1:3, bad, "'y' must be a numeric vector")
    expect_refusal(coefficients, bad, bad, "'x' must be a numeric vector")
  }
})

test_that("different lengths are refused, and checked before ties", {
  expect_refusal(coefficients, c(1, 1, 2), 1:4,
                 "'x' and 'y' must be of the same length")
  expect_refusal(coefficients, 1:3, NULL, "'y' must be a numeric vector")
})

test_that("ties are refused if they are not allowed, x before y", {
  expect_refusal(refuse_ties_in_x, c(1, 2, 2), 1:3, "'x' contains ties.")
  expect_refusal(refuse_ties_in_y, 1:3, c(1, 2, 2), "'y' contains ties.")
  expect_refusal(refuse_ties_in_x, c(1, 2, 2), c(1, 2, 2), "'x' contains ties.")
})

test_that("values that print alike are ties for the functions that refuse ties only", {
  alike <- c(0.3, 0.1 + 0.2, 1)
  expect_refusal(refuse_ties_in_x, alike, 1:3, "'x' contains ties.")
  expect_refusal(refuse_ties_in_y, 1:3, alike, "'y' contains ties.")
  for (name in setdiff(coefficients, refuse_ties_in_x)) {
    expect_equal(call_coefficient(name, alike, 1:3), 1, info = name)
  }
})

test_that("missing values are refused as ties", {
  for (missing in c(NA, NaN)) {
    expect_refusal(refuse_ties_in_x, c(1, missing, 3), 1:3, "'x' contains ties.")
    expect_refusal(refuse_ties_in_y, 1:3, c(1, missing, 3), "'y' contains ties.")
  }
})

test_that("tau_b stops at a missing value with the message of if(NA)", {
  words <- "missing value where TRUE/FALSE needed"
  expect_refusal("tau_b", c(1, NA, 3), 1:3, words)
  expect_refusal("tau_b", 1:3, c(1, NA, 3), words)
  expect_refusal("tau_b", 1:3, c(Inf, Inf, 3), words)
})

test_that("fewer than two items give the accidental answers of the original", {
  words <- "missing value where TRUE/FALSE needed"
  for (items in list(numeric(0), 1)) {
    expect_identical(tau(items, items), numeric(0))
    expect_identical(tau_a(items, items), numeric(0))
    expect_refusal(c("tau_b", "tauAP"), items, items, words)
    expect_identical(tauAP_b(items, items), NaN)
  }
  expect_identical(tauAP_a(numeric(0), numeric(0)), -1)
  expect_identical(tauAP_a(1, 1), NaN)
})

test_that("differences of integers overflow, except in functions that take none", {
  far_apart <- c(2147483647L, -2147483647L, 0L)
  expect_warning(expect_identical(tau(far_apart, 1:3), NA_real_), "overflow")
  expect_warning(expect_identical(tau_a(1:3, far_apart), NA_real_), "overflow")
  expect_identical(tauAP_a(far_apart, 1:3), 0)
})

test_that("missing values are ranked last in both directions", {
  y <- c(1, NA, 3, 4)
  expect_equal(tauAP_a(1:4, y), tauAP_a(1:4, c(1, 0, 3, 4)))
  expect_equal(tauAP_a(1:4, y, FALSE), tauAP_a(1:4, c(1, 9, 3, 4), FALSE))
  expect_equal(tauAP_b(y, 1:4), tauAP_b(c(1, 0, 3, 4), 1:4))
})
