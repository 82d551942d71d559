test_that("without zeros the rules agree", {
  values <- c(0.1, 0.4, 0.25)
  expected <- prod(values)^(1 / 3)
  for (zeros in c("floor", "trec_eval", "strict")) {
    expect_equal(gmean_ap(values, zeros = zeros), expected)
  }
  expect_equal(gmean_ap(values, eps = 1e-12), expected)
})

test_that("zeros are treated as the option says", {
  values <- c(0, 1e-6, 0.5)
  expect_equal(gmean_ap(values, zeros = "floor"), (1e-5 * 1e-6 * 0.5)^(1 / 3))
  expect_equal(gmean_ap(values, zeros = "trec_eval"), (1e-5 * 1e-5 * 0.5)^(1 / 3))
  expect_equal(gmean_ap(values), (1e-5 * 1.1e-5 * 0.50001)^(1 / 3) - 1e-5)
  expect_error(gmean_ap(values, zeros = "strict"), "positive")
})

test_that("the inverse of the mean log-odds of equal values is the value", {
  expect_equal(mean_logit(c(0.1, 0.9)), 0)
  for (p in c(0, 0.2, 1)) expect_equal(mean_logit(c(p, p), inverse = TRUE), p)
})

test_that("the rest of the collection is ranked last or at random", {
  # One relevant document among two that were not retrieved: rank 2 or 3.
  expect_equal(ap_floor(1, 2, 3, 1, "last"), (1 + 2 / 3) / 2)
  expect_equal(ap_floor(1, 2, 3, 1, "random"), (1 + (2 / 2 + 2 / 3) / 2) / 2)
  expect_equal(ap_floor(c(1, 3), 2, 10, 5, "random"), (1 + 2 / 3) / 2)
})

test_that("means of transformed values, and their inverses", {
  values <- c(0.1, 0.4, 0.25)
  expect_equal(transformed_mean(values, "identity"), 0.25)
  expect_equal(transformed_mean(values, "log"), prod(values)^(1 / 3))
  expect_equal(transformed_mean(values, "logit", inverse = FALSE), mean(qlogis(values)))
  expect_equal(transformed_mean(values, "probit", inverse = FALSE), mean(qnorm(values)))
  expect_equal(transformed_mean(values, "rank"), 0.25)
  for (transform in c("identity", "log", "logit", "probit", "rank")) {
    expect_equal(transformed_mean(c(0.3, 0.3), transform, eps = 1e-5), 0.3)
  }
})
