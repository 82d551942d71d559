# Equation (3), with the items i and j numbered from the top of y.
tauAP <- function(x, y, decreasing = TRUE) {
  check_rankings(x, y)
  check_untied(x, "x")
  check_untied(y, "y")

  n <- length(x)
  from_top <- order(positions(y, decreasing))
  x <- x[from_top]
  y <- y[from_top]
  total <- sum_over_pairs(n, function(i, above) {
    decided(c_ij(x, y, i, above)) / (i - 1)
  })

  2 / (n - 1) * total - 1
}

# Equation (8). The items need not be sorted, since p has their positions.
tauAP_a <- function(x, y, decreasing = TRUE) {
  check_rankings(x, y)
  check_untied(x, "x")

  n <- length(x)
  p <- positions(y, decreasing)
  t <- group_sizes(p)
  c_above <- concordants_above(positions(x, decreasing), p)
  total <- 0
  for (i in seq_len(n)) {
    # Term I, equation (6). There are no items above the top group: i > t_1 in
    # (8).
    if (p[i] > 1) {
      k <- seq_len(t[i])
      total <- total + c_above[i] * sum(1 / (t[i] * (p[i] + k - 2)))
    }
    # Term II, equation (7), divided among the t_i items of the group.
    k <- seq_len(t[i] - 1)
    c_within <- sum(k / (p[i] + k - 1)) / 2
    total <- total + c_within / t[i]
  }

  2 / (n - 1) * total - 1
}

# Equation (11).
tauAP_b <- function(x, y, decreasing = TRUE) {
  check_rankings(x, y)

  p_x <- positions(x, decreasing)
  p_y <- positions(y, decreasing)

  (tauAP_ties(p_x, p_y) + tauAP_ties(p_y, p_x)) / 2
}

# Equation (10) for the ranking with positions p. If all items are tied there
# is no pivot, and the result is 0 / 0, NaN.
tauAP_ties <- function(p_truth, p) {
  t_1 <- sum(p == 1)
  below_top <- p > 1
  c_above <- concordants_above(p_truth, p)
  total <- sum(c_above[below_top] / (p[below_top] - 1))

  2 / (length(p) - t_1) * total - 1
}

# p_i: the position of the first item in the tie group of i. rank() puts
# missing values last, each in a group of its own.
positions <- function(values, decreasing) {
  rank(if (decreasing) -values else values, ties.method = "min")
}

# t_i: the size of the tie group of i.
group_sizes <- function(p) {
  tabulate(p, nbins = length(p))[p]
}

# Equation (5) for every pivot i: the number of items above its tie group in p
# that are also above it in the true ranking.
concordants_above <- function(p_truth, p) {
  vapply(seq_along(p), function(i) sum(p_truth[p < p[i]] < p_truth[i]), 0L)
}
