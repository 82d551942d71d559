# Mogstad, Romano, Shaikh and Wilhelm (2024): the sets of places of systems, from
# random weights of the topics, a row of `draws` each. For the normal limit they are
# normal; for the bootstrap, how often a resample has each topic.

# The best place of each system, and then the worst place of each.
place_sets <- function(X, draws, level = 0.95, kind = "simultaneous", method = "bootstrap") {
  X <- check_topics_by_systems(X, topics = 2, ranking = FALSE)
  check_choice(kind, c("simultaneous", "single_step", "marginal"), "kind")
  check_choice(method, c("bootstrap", "normal"), "method")
  check_draws(draws, nrow(X))
  m <- ncol(X)
  pairs <- utils::combn(m, 2)
  D <- X[, pairs[1, ], drop = FALSE] - X[, pairs[2, ], drop = FALSE]
  varies <- apply(D, 2, function(d) !is_constant(d, X))
  difference <- colMeans(D)
  difference[abs(difference) <= rounding_of(X)] <- 0
  # For each system, the pairs that are decided: 1 if the first is better, -1 if the
  # second is. With marginal sets, a pair may be decided for one of its systems only.
  # A constant difference is decided, equal systems are not.
  better <- matrix(sign(difference), m, ncol(pairs), byrow = TRUE)
  better[, varies] <- 0
  if (any(varies)) {
    found <- studentized(D[, varies, drop = FALSE], difference[varies], draws, method)
    for (system in seq_len(m)) {
      family <- kind != "marginal" | pairs[1, varies] == system | pairs[2, varies] == system
      family <- rep_len(family, sum(varies))
      decided <- family & found$statistic > critical_value(found, family, level, kind != "single_step")
      better[system, varies] <- ifelse(decided, sign(difference[varies]), 0)
    }
  }
  ends <- vapply(seq_len(m), function(system) {
    first <- better[system, pairs[1, ] == system]
    second <- better[system, pairs[2, ] == system]
    c(1 + sum(first < 0) + sum(second > 0), m - sum(first > 0) - sum(second < 0))
  }, c(0, 0))
  c(ends[1, ], ends[2, ])
}

# The statistics of the pairs, and those of each draw: the differences of the means
# in standard errors. For the bootstrap, the variance of a pair is mixed with the
# median of all, with half of the weight, or less if there are few pairs.
studentized <- function(D, difference, draws, method) {
  n <- nrow(D)
  pairs <- ncol(D)
  d <- sweep(D, 2, colMeans(D))
  variance <- colSums(d^2) / (n * (n - 1))
  if (method == "normal") {
    drawn <- sweep(draws %*% d / sqrt(n * (n - 1)), 2, sqrt(variance), "/")
    return(list(statistic = abs(difference) / sqrt(variance), draws = abs(drawn)))
  }
  share <- 0.5 * pairs / (pairs + 1)
  common <- stats::median(variance)
  error <- function(variance) sqrt((1 - share) * variance + share * common)
  # With the divisor n - 1, as in the sample.
  d <- d * sqrt(n / (n - 1))
  means <- draws %*% d / n
  variances <- (draws %*% d^2 / n - means^2) / (n - 1)
  list(statistic = abs(difference) / error(variance), draws = abs(means) / error(variances))
}

# The quantile of the greatest statistic, of the pairs that it does not decide.
critical_value <- function(found, family, level, step_down) {
  if (!any(family)) return(Inf)
  left <- family
  repeat {
    greatest <- if (any(left)) apply(found$draws[, left, drop = FALSE], 1, max) else rep(0, nrow(found$draws))
    number <- ceiling((length(greatest) + 1) * level)
    value <- if (number > length(greatest)) Inf else sort(greatest)[number]
    still <- family & found$statistic <= value
    if (!step_down || all(still == left)) return(value)
    left <- still
  }
}
