# Ties as an answer (Deutsch, Foster and Freitag, EMNLP 2023): a pair is right if
# both order it alike, or if both tie it. The estimate ties values that differ by
# at most epsilon.
acc_eq <- function(truth, estimate, epsilon = 0) {
  check_pairs(truth, estimate)
  if (!is_number(epsilon) || epsilon < 0) {
    stop("'epsilon' must be a number from 0 up", call. = FALSE)
  }
  # The difference of two integers may overflow.
  estimate <- as.numeric(estimate)
  n <- length(truth)
  right <- 0
  for (i in 2:n) {
    for (j in seq_len(i - 1)) {
      tied <- truth[i] == truth[j]
      close <- estimate[i] == estimate[j] || abs(estimate[i] - estimate[j]) <= epsilon
      alike <- (truth[i] < truth[j]) == (estimate[i] < estimate[j])
      right <- right + if (tied || close) tied && close else alike
    }
  }
  right / (n * (n - 1) / 2)
}

tau_eq <- function(truth, estimate, epsilon = 0) {
  2 * acc_eq(truth, estimate, epsilon) - 1
}

check_pairs <- function(truth, estimate) {
  check_numeric_vector(truth, "truth")
  check_numeric_vector(estimate, "estimate")
  if (length(truth) != length(estimate)) {
    stop("'truth' and 'estimate' must be of the same length", call. = FALSE)
  }
  if (length(truth) < 2 || anyNA(truth) || anyNA(estimate)) {
    stop("two items or more are needed, and no missing values", call. = FALSE)
  }
}

# The greatest mean of acc_eq over the rows of two matrices, of all thresholds that
# are a distance of two estimates in a row, and the mean at a threshold of 0.
calibrate <- function(truth, estimate, cross_fit = FALSE) {
  stopifnot(identical(cross_fit, FALSE))
  distances <- unlist(lapply(seq_len(nrow(estimate)), function(k) stats::dist(estimate[k, ])))
  mean_at <- function(epsilon) {
    mean(sapply(seq_len(nrow(truth)), function(k) acc_eq(truth[k, ], estimate[k, ], epsilon)))
  }
  c(max(sapply(unique(c(0, distances)), mean_at)), mean_at(0))
}

# Soft pairwise accuracy (Thompson et al., WMT 2024) with the p-values of one-sided
# paired t tests: items by systems.
soft_pairwise_accuracy <- function(truth, estimate, test = "t") {
  stopifnot(identical(test, "t"))
  m <- ncol(truth)
  p_value <- function(X, i, j) {
    if (all(X[, i] == X[, j])) {
      return(0.5)
    }
    stats::t.test(X[, i], X[, j], alternative = "greater", paired = TRUE)$p.value
  }
  apart <- NULL
  for (i in seq_len(m - 1)) {
    for (j in (i + 1):m) {
      apart <- c(apart, abs(p_value(truth, i, j) - p_value(estimate, i, j)))
    }
  }
  1 - mean(apart)
}
