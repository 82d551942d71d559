# Equation (3): i and j count the items from the top of y.
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

# Equation (8). Items keep the order they came in, since p says where each is.
tauAP_a <- function(x, y, decreasing = TRUE) {
  check_rankings(x, y)
  check_untied(x, "x")

  n <- length(x)
  p <- positions(y, decreasing)
  t <- group_sizes(p)
  c_above <- concordants_above(positions(x, decreasing), p)
  total <- 0
  for (i in seq_len(n)) {
    # Term I, equation (6). The top group has nothing above it: i > t_1 in (8).
    if (p[i] > 1) {
      k <- seq_len(t[i])
      total <- total + c_above[i] * sum(1 / (t[i] * (p[i] + k - 2)))
    }
    # Term II, equation (7), shared out among the t_i items of the group.
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

# Equation (10), traversing the ranking with positions p. With all items tied
# there is no pivot, and 0 / 0 says that the coefficient is undefined.
tauAP_ties <- function(p_truth, p) {
  t_1 <- sum(p == 1)
  below_top <- p > 1
  c_above <- concordants_above(p_truth, p)
  total <- sum(c_above[below_top] / (p[below_top] - 1))

  2 / (length(p) - t_1) * total - 1
}

# p_i: the position of the first item in the tied group of i, the rank used in
# sports. rank() puts missing values last, each in a group of its own.
positions <- function(values, decreasing) {
  rank(if (decreasing) -values else values, ties.method = "min")
}

# t_i: how many items are tied with i, itself included.
group_sizes <- function(p) {
  tabulate(p, nbins = length(p))[p]
}

# Equation (5) for every pivot i: among the items above its group in p, those
# that are above it in the true ranking as well.
concordants_above <- function(p_truth, p) {
  vapply(seq_along(p), function(i) sum(p_truth[p < p[i]] < p_truth[i]), 0L)
}
