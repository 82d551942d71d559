# Urbano and Marrero (SIGIR 2016): how well the observed ranking of systems
# correlates with the true one, that of the means over all topics there could be.
# D are the differences between two systems, topic by topic, the one with the
# better mean minus the other.

# The expected coefficient between the observed ranking and the true one.
expected <- function(X, method = "tau", estimator = "ML", draws = NULL) {
  X <- check_topics_by_systems(X)
  check_choice(method, c("tau", "tauAP"), "method")
  expected_coefficient(wrong_order(X, estimator, draws), observed_order(X), method)
}

# The probability that two systems are in the wrong order, P(mu <= 0) for the
# true difference mu. It is 0 for a difference that is the same on every topic.
wrong_order <- function(X, estimator = "ML", draws = NULL) {
  X <- check_topics_by_systems(X)
  check_choice(estimator, c("ML", "MSQD", "RES"), "estimator")
  n <- nrow(X)
  if (estimator == "RES") {
    check_draws(draws, n)
    return(for_each_pair(X, function(D) {
      mean(apply(draws, 1, function(times) sum(times * D)) < -n * rounding_of(X))
    }))
  }
  s <- switch(estimator, ML = s_ml, MSQD = s_msqd)
  for_each_pair(X, function(D) {
    if (is_constant(D, X)) 0 else stats::pt(-sqrt(n) * mean(D) / s(D), n - 1)
  })
}

# Without this, rounding would be the spread of a constant difference.
is_constant <- function(D, X) max(D) - min(D) <= rounding_of(X)

# The standard deviation of D, corrected for its bias if D is normal. For many
# topics the correction is negligible.
s_ml <- function(D) {
  n <- length(D)
  correction <- if (n > 250) 1 else sqrt((n - 1) / 2) * exp(lgamma((n - 1) / 2) - lgamma(n / 2))
  stats::sd(D) * correction
}

# The standard deviation for which normal quantiles have the least squared
# differences from the sorted D. It can be negative if many D are tied.
s_msqd <- function(D) {
  n <- length(D)
  e <- erf_inverse(2 * rank(D) / (n + 1) - 1)
  sqrt(2) * sum(D * e) / (2 * sum(e^2))
}

erf_inverse <- function(p) stats::qnorm((p + 1) / 2) / sqrt(2)

# The expected tau between the true ranking and one by k other topics, for each k.
# From what was observed, the true standardized difference u of a pair is normal:
# its mean is b z, z moved towards 0, and its variance is b / n.
expected_curve <- function(X, topics) {
  X <- check_topics_by_systems(X)
  check_topics(topics)
  n <- nrow(X)
  b <- share_kept(X)
  vapply(topics, function(k) {
    P <- for_each_pair(X, function(D) {
      if (is_constant(D, X)) 0 else if (b == 0) 1 / 2 else p_other_order(k, b * mean(D) / s_ml(D), sqrt(b / n))
    })
    expected_coefficient(P, observed_order(X), "tau")
  }, 0)
}

# How much of the differences between the observed means is kept when all means
# are moved towards their mean (James and Stein, 1961).
share_kept <- function(X) {
  m <- ncol(X)
  MS <- mean_squares(X)
  max(0, 1 - max(m - 3, 1) / (m - 1) * MS[["interaction"]] / MS[["systems"]])
}

# E[pnorm(-sqrt(k) |u|)] for u with this mean and standard deviation.
p_other_order <- function(k, mean, sd) {
  integrand <- function(u) stats::pnorm(-sqrt(k) * abs(u)) * stats::dnorm(u, mean, sd)
  # Beyond 9 standard deviations a normal distribution has less than 1e-18. In
  # the range that is left, both factors are smooth enough for integrate().
  from <- max(mean - 9 * sd, -9 / sqrt(k))
  to <- min(mean + 9 * sd, 9 / sqrt(k))
  integral <- function(from, to) {
    if (from >= to) return(0)
    stats::integrate(integrand, from, to, rel.tol = 0, abs.tol = 1e-12, subdivisions = 1000)$value
  }
  integral(from, min(to, 0)) + integral(max(from, 0), to)
}

# The expected coefficient from the probabilities of the wrong order. Pairs that
# are equal on every topic add nothing, as if they were in the right order.
expected_coefficient <- function(P, best_first, method) {
  m <- nrow(P)
  P <- P[best_first, best_first]
  P[is.na(P)] <- 0
  if (method == "tau") {
    1 - 2 * sum_over_pairs(m, function(j, above) P[above, j]) / count_pairs(m)
  } else {
    1 - 2 / (m - 1) * sum_over_pairs(m, function(j, above) P[above, j] / (j - 1))
  }
}

# Generalizability theory (Bodoff and Li, SIGIR 2007): the variance of a score
# that is due to the system, to the topic, and to the two together.
variance_components <- function(X) {
  X <- check_topics_by_systems(X)
  MS <- mean_squares(X)
  MSe <- MS[["interaction"]]
  c(
    systems = max(0, (MS[["systems"]] - MSe) / nrow(X)),
    topics = max(0, (MS[["topics"]] - MSe) / ncol(X)),
    interaction = MSe
  )
}

# The mean squares of the analysis of variance with one score for each system and
# topic.
mean_squares <- function(X) {
  n <- nrow(X)
  m <- ncol(X)
  grand <- mean(X)
  residual <- X - outer(rowMeans(X), colMeans(X), "+") + grand
  c(
    systems = n * sum((colMeans(X) - grand)^2) / (m - 1),
    topics = m * sum((rowMeans(X) - grand)^2) / (n - 1),
    interaction = sum(residual^2) / ((m - 1) * (n - 1))
  )
}

# The share of the variance of the means over so many topics that is due to the
# systems: E rho^2 if only the ranking matters, phi if the means themselves do.
generalizability <- function(X, topics = nrow(X)) {
  components <- variance_components(X)
  check_topics(topics)
  if (length(topics) != 1) stop("'topics' must be one number", call. = FALSE)
  s <- components[["systems"]]
  t <- components[["topics"]]
  e <- components[["interaction"]]
  if (s == 0) return(c(e_rho2 = 0, phi = 0))
  c(e_rho2 = s / (s + e / topics), phi = s / (s + (t + e) / topics))
}

# chance(D) of all pairs of systems. It is missing for systems that are equal on
# every topic.
for_each_pair <- function(X, chance) {
  m <- ncol(X)
  best_first <- observed_order(X)
  P <- matrix(NA_real_, m, m, dimnames = list(colnames(X), colnames(X)))
  for (b in 2:m) {
    for (a in seq_len(b - 1)) {
      i <- best_first[a]
      j <- best_first[b]
      D <- X[, i] - X[, j]
      if (max(abs(D)) > rounding_of(X)) P[i, j] <- P[j, i] <- chance(D)
    }
  }
  P
}

# The systems by their means, best first. Those with equal means stay in the
# order of the columns.
observed_order <- function(X) order(-ranks_with_ties(colMeans(X), max(abs(X))))

# Scores that differ by no more than this are equal.
rounding_of <- function(X) 2^-40 * max(abs(X))

check_topics_by_systems <- function(X, topics = 3, ranking = TRUE) {
  X <- as.matrix(X)
  # Differences between integers may overflow.
  storage.mode(X) <- "double"
  if (nrow(X) < topics) stop("'X' must have ", topics, " topics or more, not ", nrow(X), call. = FALSE)
  if (ncol(X) < 2) stop("'X' must have two systems or more, not ", ncol(X), call. = FALSE)
  if (!all(is.finite(X))) stop("'X' must not have missing or infinite scores", call. = FALSE)
  spread <- apply(X, 1, max) - apply(X, 1, min)
  if (ranking && all(spread <= rounding_of(X))) {
    stop("all systems of 'X' have the same scores, so there is no ranking", call. = FALSE)
  }
  X
}

check_choice <- function(value, choices, name) {
  if (!(is.character(value) && length(value) == 1 && value %in% choices)) {
    stop("'", name, "' must be one of ", toString(choices), ", not '", toString(value), "'", call. = FALSE)
  }
}

check_topics <- function(topics) {
  for (k in topics) {
    if (!(is.numeric(k) && is.finite(k) && k == round(k))) {
      stop("'topics' must be a whole number, not ", k, call. = FALSE)
    }
    if (k < 1) stop("'topics' must be 1 or more, not ", k, call. = FALSE)
  }
}

check_draws <- function(draws, n) {
  if (!is.matrix(draws) || ncol(draws) != n) {
    stop("'draws' must be a matrix with one column for each of the ", n, " topics", call. = FALSE)
  }
}
