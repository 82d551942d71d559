# Carterette (SIGIR 2009), section 3.1.
AP <- cbind(
  A = c(0.283, 0.017, 0.075, 0.183),
  B = c(0.481, 0.399, 0.300, 0.662),
  C = c(0.516, 0.544, 0.277, 0.616)
)

# The means are 2 and 4, the mean squares 6, 14 and 2.
two_systems <- cbind(c(3, 5, -2), c(5, 5, 2))

# What the model of variance_components() says, with all components positive.
simulated <- function(n, m, seed) {
  set.seed(seed)
  outer(rnorm(n), rnorm(m), "+") + rnorm(n * m)
}

long_table <- function(X) {
  data.frame(score = c(X), topic = factor(row(X)), system = factor(col(X)))
}

anova_mean_squares <- function(X) {
  table <- anova(lm(score ~ system + topic, long_table(X)))
  setNames(table[c("system", "topic", "Residuals"), "Mean Sq"], c("systems", "topics", "interaction"))
}

# The correction for the bias of the standard deviation, of n normal values, as
# tables of control charts have it: c4.
c4 <- c("3" = sqrt(pi) / 2, "4" = 2 * sqrt(2 / (3 * pi)), "5" = 3 / 4 * sqrt(pi / 2))

# The error function at these is 0.2, 0.25, 0.5 and 0.6 (math.erf of Python).
erf_inverse_at <- c("0.2" = 0.17914345462129172, "0.25" = 0.2253120550121781,
                    "0.5" = 0.4769362762044699, "0.6" = 0.5951160814499948)

# Student's distribution function with 2 degrees of freedom.
t_2 <- function(t) 1 / 2 + t / (2 * sqrt(2 + t^2))

# The mean of pnorm(-sqrt(k) |u|) over equally likely values of u.
mean_over_quantiles <- function(k, mean, sd, count = 2e6) {
  u <- qnorm((seq_len(count) - 0.5) / count, mean, sd)
  mean(pnorm(-sqrt(k) * abs(u)))
}

# A table whose systems differ by chance alone, with F = MSs / MSe set to this.
with_f <- function(X, f) {
  chance <- X - outer(rowMeans(X), colMeans(X), "+") + mean(X)
  apart <- seq_len(ncol(X)) - (ncol(X) + 1) / 2
  MSe <- sum(chance^2) / ((ncol(X) - 1) * (nrow(X) - 1))
  MSs <- nrow(X) * sum(apart^2) / (ncol(X) - 1)
  chance + rep(apart * sqrt(f * MSe / MSs), each = nrow(X))
}

test_that("with many topics ML is a one-sided paired t test", {
  X <- simulated(300, 3, 1) / 3
  P <- wrong_order(X)
  best_first <- order(-colMeans(X))
  for (pair in list(1:2, 2:3, c(1, 3))) {
    i <- best_first[pair[1]]
    j <- best_first[pair[2]]
    p <- t.test(X[, i], X[, j], paired = TRUE, alternative = "greater")$p.value
    expect_equal(P[i, j], p, tolerance = 1e-12)
    expect_identical(P[j, i], P[i, j])
  }
})

test_that("ML corrects the standard deviation for its bias", {
  for (n in 3:5) {
    X <- simulated(n, 2, n)
    t <- abs(unname(t.test(X[, 1], X[, 2], paired = TRUE)$statistic))
    expect_equal(wrong_order(X)[1, 2], pt(-t * c4[[as.character(n)]], n - 1), tolerance = 1e-12)
  }
  # For many topics c4 is nearly 4 (n - 1) / (4 n - 3), and above 250 it is 1.
  for (n in 250:251) {
    X <- simulated(n, 2, 1) / 10
    t <- abs(unname(t.test(X[, 1], X[, 2], paired = TRUE)$statistic))
    correction <- if (n == 250) 4 * (n - 1) / (4 * n - 3) else 1
    tolerance <- if (n == 250) 1e-5 else 1e-12
    expect_equal(wrong_order(X)[1, 2], pt(-t * correction, n - 1), tolerance = tolerance)
  }
})

test_that("MSQD of three differences by hand", {
  q <- erf_inverse_at[["0.5"]]
  # The differences are 5, -1 and 2.
  X <- cbind(c(5, 0, 3), c(0, 1, 1))
  s <- sqrt(2) * (5 + 1) * q / (2 * 2 * q^2)
  expect_equal(wrong_order(X, "MSQD")[1, 2], t_2(-sqrt(3) * 2 / s), tolerance = 1e-12)
  # 0, 0 and 3: the mean rank of the two zeros is 1.5.
  X <- cbind(c(1, 1, 3), c(1, 1, 0))
  tied <- erf_inverse_at[["0.25"]]
  s <- sqrt(2) * 3 * q / (2 * (2 * tied^2 + q^2))
  expect_equal(wrong_order(X, "MSQD")[1, 2], t_2(-sqrt(3) * 1 / s), tolerance = 1e-12)
})

test_that("the standard deviation of MSQD can be negative if differences are tied", {
  X <- cbind(c(100, 100, 100, 99), 0)
  tied <- erf_inverse_at[["0.2"]]
  least <- erf_inverse_at[["0.6"]]
  s <- sqrt(2) * (300 * tied - 99 * least) / (2 * (3 * tied^2 + least^2))
  expect_lt(s, 0)
  expect_equal(wrong_order(X, "MSQD")[1, 2], pt(-2 * 99.75 / s, 3), tolerance = 1e-12)
  expect_gt(wrong_order(X, "MSQD")[1, 2], 0.5)
})

test_that("RES is the share of resamples with the other order", {
  # The differences are 2, -1 and -1 + 1/4 in favour of the first system.
  X <- cbind(c(2, 0, 0.25), c(0, 1, 1))
  draws <- rbind(c(1, 1, 1), c(0, 2, 1), c(0, 0, 3), c(3, 0, 0))
  expect_identical(wrong_order(X, "RES", draws)[1, 2], 0.5)
})

test_that("a resample in which two systems are equal but for rounding is not a wrong order", {
  X <- cbind(c(0, 0, 0.3), c(0.1, 0.2, 0))
  expect_lt(sum(X[, 1] - X[, 2]), 0)
  expect_identical(wrong_order(X, "RES", rbind(c(1, 1, 1)))[1, 2], 0)
  expect_identical(wrong_order(X, "RES", rbind(c(1, 2, 0)))[1, 2], 1)
})

test_that("with RES the expected coefficient is the mean over the resamples", {
  X <- simulated(12, 6, 5)
  set.seed(6)
  draws <- t(rmultinom(40, 12, rep(1, 12)))
  means <- draws %*% X / 12
  for (method in c("tau", "tauAP")) {
    coefficient <- getExportedValue("ircorref", method)
    coefficients <- apply(means, 1, function(mean) coefficient(mean, colMeans(X)))
    expect_equal(expected(X, method, "RES", draws), mean(coefficients), tolerance = 1e-12)
  }
})

test_that("the expected coefficients are sums over the pairs in the observed order", {
  # From the best, the systems are C, B, A.
  for (estimator in c("ML", "MSQD")) {
    P <- wrong_order(AP, estimator)
    tau <- 1 - 2 * (P["C", "B"] + P["C", "A"] + P["B", "A"]) / 3
    tau_ap <- 1 - (P["C", "B"] + (P["C", "A"] + P["B", "A"]) / 2)
    expect_equal(expected(AP, "tau", estimator), tau)
    expect_equal(expected(AP, "tauAP", estimator), tau_ap)
    for (method in c("tau", "tauAP")) {
      expect_equal(expected(AP[, c(2, 3, 1)], method, estimator), expected(AP, method, estimator))
    }
  }
})

test_that("chances are symmetric, missing on the diagonal and in the order of the columns", {
  P <- wrong_order(AP)
  expect_identical(P, t(P))
  expect_identical(diag(P), c(A = NA_real_, B = NA, C = NA))
  expect_identical(wrong_order(AP[, 3:1]), P[3:1, 3:1])
  expect_identical(wrong_order(as.data.frame(AP)), P)
})

test_that("systems with equal means stay in the order of the columns", {
  # The means of B and C are equal but for rounding, and C has the greater one.
  X <- cbind(A = c(0.1, 0.4, 0.2), B = c(0, 0, 0.3), C = c(0.1, 0.2, 0))
  expect_gt(mean(X[, "C"]), mean(X[, "B"]))
  P <- wrong_order(X)
  expect_equal(P[["B", "C"]], 0.5)
  B_first <- 1 - (P["A", "B"] + (P["A", "C"] + P["B", "C"]) / 2)
  C_first <- 1 - (P["A", "C"] + (P["A", "B"] + P["B", "C"]) / 2)
  expect_gt(abs(B_first - C_first), 0.01)
  expect_equal(expected(X, "tauAP"), B_first)
  expect_equal(expected(X[, c("C", "A", "B")], "tauAP"), C_first)
})

test_that("systems that are equal on every topic add nothing, but stay in the number of pairs", {
  # Equal but for rounding.
  X <- cbind(AP[, c("A", "B")], same = AP[, "B"] + 1e-14)
  for (estimator in c("ML", "MSQD", "RES")) {
    P <- wrong_order(X, estimator, draws = rbind(c(4, 0, 0, 0), c(1, 1, 1, 1)))
    expect_identical(P["B", "same"], NA_real_)
    expect_false(anyNA(P["A", c("B", "same")]))
  }
  P <- wrong_order(X)["A", "B"]
  expect_equal(expected(X), 1 - 2 * 2 * P / 3)
  expect_equal(expected(X, "tauAP"), 1 - 2 * P / 2)
  far <- cbind(0, c(8, 8, 9), c(8, 8, 9))
  expect_equal(expected_curve(cbind(far[, 2:3], far[, 2] + 100), c(1, 5)), c(1, 1))
})

test_that("a constant difference is never in the wrong order", {
  X <- cbind(c(0.25, 0.5, 1), c(0.75, 1, 1.5))
  draws <- rbind(c(3, 0, 0), c(1, 1, 1))
  for (estimator in c("ML", "MSQD", "RES")) {
    expect_identical(wrong_order(X, estimator, draws)[1, 2], 0)
  }
  expect_identical(expected_curve(X, c(1, 100)), c(1, 1))
})

test_that("a difference that is constant but for rounding is never in the wrong order", {
  X <- cbind(AP[, "A"], AP[, "A"] + 0.1)
  expect_gt(diff(range(X[, 2] - X[, 1])), 0)
  # By rounding alone, the standard deviation would be negative.
  expect_lt(ircorref:::s_msqd(X[, 2] - X[, 1]), 0)
  for (estimator in c("ML", "MSQD")) expect_identical(wrong_order(X, estimator)[1, 2], 0)
  expect_identical(wrong_order(X, "RES", rbind(c(4, 0, 0, 0), c(1, 1, 1, 1)))[1, 2], 0)
  # Also if all other differences are by chance.
  X <- cbind(c(0.1, 0.2, 0.3), c(0.2, 0.1, 0.4))
  X <- cbind(X, X[, 1] + 0.05)
  expect_gt(diff(range(X[, 3] - X[, 1])), 0)
  expect_identical(expected_curve(X, 10), 1 - 2 * (1 / 2 + 1 / 2) / 3)
})

test_that("a difference that is constant but for more than rounding has a chance", {
  # 2^-40 is 9.1e-13.
  for (size in c(1, 1e6)) {
    expect_gt(wrong_order(cbind(0, c(1, 1, 1 - 1e-12)) * size)[1, 2], 0)
    expect_identical(wrong_order(cbind(0, c(1, 1, 1 - 0.9e-12)) * size)[1, 2], 0)
  }
})

test_that("scale and location of the scores do not matter", {
  for (estimator in c("ML", "MSQD")) {
    P <- wrong_order(AP, estimator)
    for (factor in c(1e-100, 1e100)) expect_equal(wrong_order(AP * factor, estimator), P)
    expect_equal(wrong_order(AP - 1, estimator), P)
  }
  whole <- cbind(c(2147483647L, 0L, 5L), c(-2147483647L, 1L, 2L))
  expect_equal(wrong_order(whole), wrong_order(whole + 0))
})

test_that("the variance components are those of the analysis of variance", {
  for (X in list(AP, simulated(20, 8, 2), two_systems)) {
    MS <- anova_mean_squares(X)
    found <- c(
      systems = (MS[["systems"]] - MS[["interaction"]]) / nrow(X),
      topics = (MS[["topics"]] - MS[["interaction"]]) / ncol(X),
      interaction = MS[["interaction"]]
    )
    expect_true(all(found > 0))
    expect_equal(variance_components(X), found)
  }
})

test_that("the variance components are those of a mixed model", {
  skip_if_not_installed("lme4")
  X <- simulated(20, 8, 2)
  model <- lme4::lmer(score ~ (1 | system) + (1 | topic), long_table(X), REML = TRUE)
  variances <- as.data.frame(lme4::VarCorr(model))
  found <- setNames(variances$vcov, variances$grp)[c("system", "topic", "Residual")]
  expect_equal(unname(variance_components(X)), unname(found), tolerance = 1e-4)
})

test_that("negative variance components count as 0", {
  # The means are equal: MS of the interaction is 2 * 4 / 2.
  X <- cbind(c(1, -1, 0), c(-1, 1, 0)) * sqrt(2)
  expect_equal(variance_components(X), c(systems = 0, topics = 0, interaction = 4))
  expect_identical(generalizability(X), c(e_rho2 = 0, phi = 0))
})

test_that("generalizability by hand", {
  expect_equal(variance_components(two_systems), c(systems = 4 / 3, topics = 6, interaction = 2))
  expect_equal(generalizability(two_systems), c(e_rho2 = 2 / 3, phi = 1 / 3))
  expect_equal(generalizability(two_systems, 12), c(e_rho2 = 8 / 9, phi = 2 / 3))
})

test_that("the expected curve is the mean over the true differences", {
  # b = 1 - 2 / 6. The differences are 2, 0 and 4, with the mean and the standard
  # deviation 2, so z is c4.
  b <- 2 / 3
  topics <- c(1, 3, 50, 2000)
  P <- vapply(topics, mean_over_quantiles, 0, mean = b * c4[["3"]], sd = sqrt(b / 3))
  expect_lt(max(abs(expected_curve(two_systems, topics) - (1 - 2 * P))), 1e-8)
})

test_that("the expected curve is the share of samples of topics in the right order", {
  set.seed(3)
  b <- 2 / 3
  u <- rnorm(1e6, b * c4[["3"]], sqrt(b / 3))
  by_7_topics <- u + rnorm(1e6) / sqrt(7)
  expect_equal(expected_curve(two_systems, 7), mean(sign(u) * sign(by_7_topics)), tolerance = 0.005)
})

test_that("the expected curve of systems with equal means is an arc tangent", {
  # The third system is so far above that it is never in the wrong order.
  X <- cbind(c(0, 1, 2, 1), c(2, 1, 1, 0), c(900, 901, 902, 904))
  MS <- anova_mean_squares(X)
  b <- 1 - MS[["interaction"]] / MS[["systems"]] / 2
  topics <- c(1, 10, 1e4, 1e8)
  # Two normal variables have opposite signs with a chance that depends only on
  # their correlation (Sheppard, 1899).
  P <- atan(1 / sqrt(topics * b / 4)) / pi
  expect_lt(max(abs(expected_curve(X, topics) - (1 - 2 * P / 3))), 1e-10)
})

test_that("the expected curve is the mean over all pairs", {
  # max(m - 3, 1) / (m - 1) for m systems.
  factors <- c("3" = 1 / 2, "4" = 1 / 3, "5" = 2 / 4, "6" = 3 / 5)
  for (m in 3:6) {
    X <- with_f(simulated(4, m, m), 2)
    MS <- anova_mean_squares(X)
    b <- 1 - factors[[as.character(m)]] * MS[["interaction"]] / MS[["systems"]]
    expect_equal(b, 1 - factors[[as.character(m)]] / 2)
    P <- combn(m, 2, function(pair) {
      z <- unname(t.test(X[, pair[1]], X[, pair[2]], paired = TRUE)$statistic) / 2 * c4[["4"]]
      mean_over_quantiles(10, b * z, sqrt(b / 4), 2e5)
    })
    expect_equal(expected_curve(X, 10), 1 - 2 * mean(P), tolerance = 1e-7)
    expect_equal(expected_curve(X[, m:1], 10), expected_curve(X, 10))
  }
})

test_that("the expected curve goes to 1", {
  X <- simulated(20, 8, 2)
  curve <- expected_curve(X, c(1, 10, 100, 1e8))
  expect_true(all(diff(curve) > 0))
  expect_gt(curve[4], 0.999)
  expect_lt(curve[4], 1)
  expect_identical(expected_curve(X, integer(0)), numeric(0))
})

test_that("means that differ by no more than chance say nothing about other topics", {
  # The least F with b > 0 is max(m - 3, 1) / (m - 1).
  for (case in list(c(2, 1), c(3, 1 / 2), c(4, 1 / 3), c(5, 1 / 2), c(8, 5 / 7))) {
    X <- simulated(6, case[1], 4)
    expect_identical(expected_curve(with_f(X, case[2] * 0.999), c(1, 1e8)), c(0, 0))
    expect_gt(expected_curve(with_f(X, case[2] * 1.001), 1e8), 0)
  }
  # But a constant difference is no chance.
  X <- cbind(c(1, 2, 3), c(2, 1, 4))
  X <- cbind(X, X[, 1] + 0.5)
  expect_lt(anova_mean_squares(X)[["systems"]], anova_mean_squares(X)[["interaction"]] / 2)
  expect_identical(expected_curve(X, 10), 1 - 2 * (1 / 2 + 1 / 2) / 3)
})

test_that("tables that cannot be ranked are refused", {
  functions <- list(
    wrong_order, expected, function(X) expected_curve(X, 10), variance_components,
    function(X) generalizability(X, 10)
  )
  for (f in functions) {
    expect_error(f(AP[1:2, ]), "^'X' must have 3 topics or more, not 2$")
    expect_error(f(AP[, 1, drop = FALSE]), "^'X' must have two systems or more, not 1$")
    for (bad in c(NA, NaN, Inf, -Inf)) {
      expect_error(f(rbind(AP, bad)), "^'X' must not have missing or infinite scores$")
    }
    for (same in list(matrix(0, 3, 2), AP[, c(1, 1, 1)], cbind(AP[, 1], AP[, 1] + 1e-14))) {
      expect_error(f(same), "^all systems of 'X' have the same scores, so there is no ranking$")
    }
  }
  expect_error(wrong_order(cbind(AP[, 1], AP[, 1] + 1e-11)), NA)
})

test_that("unknown options are refused", {
  no_method <- "^'method' must be one of tau, tauAP, not 'spearman'$"
  expect_error(expected(AP, "spearman"), no_method)
  expect_error(expected(AP, c("tau", "tauAP")), "^'method' must be one of tau, tauAP, not 'tau, tauAP'$")
  no_estimator <- "^'estimator' must be one of ML, MSQD, RES, not 'ml'$"
  expect_error(wrong_order(AP, "ml"), no_estimator)
  expect_error(expected(AP, estimator = "ml"), no_estimator)
  for (draws in list(NULL, rep(1, 4), diag(3))) {
    expect_error(wrong_order(AP, "RES", draws), "^'draws' must be a matrix with one column for each of the 4 topics$")
  }
})

test_that("numbers of topics must be whole", {
  for (f in list(expected_curve, generalizability)) {
    for (topics in list(1.5, NA, NaN, Inf, -Inf, "10", TRUE, c(10, 1.5))) {
      said <- paste0("^'topics' must be a whole number, not ", topics[length(topics)], "$")
      expect_error(f(AP, topics), said)
    }
    for (topics in list(0, -1, c(10, 0))) {
      expect_error(f(AP, topics), paste0("^'topics' must be 1 or more, not ", topics[length(topics)], "$"))
    }
  }
  expect_error(generalizability(AP, 1:2), "^'topics' must be one number$")
})
