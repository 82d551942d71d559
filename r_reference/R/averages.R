# Robertson (CIKM 2006), equations (2) and (3), and the other rules for zeros.
gmean_ap <- function(values, eps = 1e-5, zeros = c("add", "floor", "trec_eval", "strict")) {
  zeros <- match.arg(zeros)
  exp(mean_log(values, eps, zeros)) - if (zeros == "add") eps else 0
}

# The mean of the logarithms, AL in equations (2) and (3).
mean_log <- function(values, eps = 1e-5, zeros = c("add", "floor", "trec_eval", "strict")) {
  zeros <- match.arg(zeros)
  if (zeros == "add") values <- values + eps
  if (zeros == "floor") values[values == 0] <- eps
  if (zeros == "trec_eval") values[values < eps] <- eps
  if (any(values <= 0)) stop("'values' must be positive", call. = FALSE)
  mean(log(values))
}

# Section 4.2, with eps added to both p and 1 - p.
mean_logit <- function(values, eps = 1e-5, inverse = FALSE) {
  odds <- exp(mean(log((values + eps) / (1 - values + eps))))
  if (inverse) (odds * (1 + eps) - eps) / (1 + odds) else log(odds)
}

# The mean of the transformed values, transformed back if `inverse`.
transformed_mean <- function(values, transform = c("identity", "log", "logit", "probit", "rank"),
                             inverse = TRUE, eps = 0) {
  switch(match.arg(transform),
    identity = mean(values),
    log = if (inverse) gmean_ap(values, eps) else mean_log(values, eps),
    logit = mean_logit(values, eps, inverse),
    probit = {
      z <- mean(stats::qnorm((values + eps) / (1 + 2 * eps)))
      if (inverse) stats::pnorm(z) * (1 + 2 * eps) - eps else z
    },
    rank = {
      ranks <- rank(values)
      # Interpolate between the values whose ranks are next to the mean rank.
      if (!inverse) mean(ranks)
      else if (length(unique(values)) == 1) values[1]
      else stats::approx(ranks, values, mean(ranks), ties = mean)$y
    }
  )
}

# Section 4.1. The relevant documents that were not retrieved are ranked last
# ("last"), or in random order with all others below the retrieved ones
# ("random", the expected value).
ap_floor <- function(relevant_ranks, n_relevant, collection_size, retrieved, rest = c("last", "random")) {
  rest <- match.arg(rest)
  found <- length(relevant_ranks)
  missing <- n_relevant - found
  precision <- seq_len(found) / sort(relevant_ranks)
  if (rest == "last") {
    below <- found + seq_len(missing)
    return((sum(precision) + sum(below / (collection_size - n_relevant + below))) / n_relevant)
  }
  left <- collection_size - retrieved
  t <- seq_len(left)
  others <- if (left > 1) (t - 1) * (missing - 1) / (left - 1) else 0
  expected <- missing / left * (found + 1 + others) / (retrieved + t)
  (sum(precision) + if (missing > 0) sum(expected) else 0) / n_relevant
}
