tied <- list(
  top = c(5, 5, 5, 2, 1, 4),
  middle = c(2, 4, 1, 4, 6, 4),
  bottom = c(3, 1, 1, 2, 1, 5),
  two_groups = c(2, 1, 2, 1, 3, 1),
  all = rep(3, 6),
  none = c(2, 6, 1, 3, 5, 4)
)
truth <- c(3, 1, 6, 2, 4, 5)

test_that("tau_a is the mean of tau over all orders of the ties", {
  for (where in names(tied)) {
    orders <- break_ties(tied[[where]])
    expected <- mean(vapply(orders, function(y) tau(truth, y), 0))
    expect_equal(tau_a(truth, tied[[where]]), expected,
                 tolerance = 1e-12, info = where)
  }
})

test_that("tauAP_a is the mean of tauAP over all orders of the ties", {
  for (where in names(tied)) for (decreasing in c(TRUE, FALSE)) {
    orders <- break_ties(tied[[where]])
    expected <- mean(vapply(orders, function(y) tauAP(truth, y, decreasing), 0))
    expect_equal(tauAP_a(truth, tied[[where]], decreasing), expected,
                 tolerance = 1e-12, info = paste(where, decreasing))
  }
})

test_that("without ties the coefficients of a family coincide", {
  for (y in permutations(5)) {
    expect_equal(tau_a(1:5, y), tau(1:5, y))
    expect_equal(tau_b(1:5, y), tau(1:5, y))
    expect_equal(tauAP_a(1:5, y), tauAP(1:5, y))
    expect_equal(tauAP_b(1:5, y), (tauAP(1:5, y) + tauAP(y, 1:5)) / 2)
  }
})

test_that("decreasing reverses both rankings, and its default is TRUE", {
  y <- tied$none
  for (name in c("tauAP", "tauAP_a", "tauAP_b")) {
    expect_equal(call_coefficient(name, truth, y),
                 call_coefficient(name, truth, y, decreasing = TRUE), info = name)
    expect_equal(call_coefficient(name, truth, y, decreasing = TRUE),
                 call_coefficient(name, -truth, -y, decreasing = FALSE), info = name)
  }
})

test_that("tau_b is the Kendall correlation of cor()", {
  for (x in tied[-5]) for (y in tied[-5]) {
    expect_equal(tau_b(x, y), cor(x, y, method = "kendall"), tolerance = 1e-12)
  }
})
