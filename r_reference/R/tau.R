# Equation (1).
tau <- function(x, y) {
  check_rankings(x, y)
  check_untied(x, "x")
  check_untied(y, "y")

  n <- length(x)
  concordants <- sum_over_pairs(n, function(i, above) c_ij(x, y, i, above))

  2 * concordants / count_pairs(n) - 1
}

# Equation (4).
tau_a <- function(x, y) {
  check_rankings(x, y)
  check_untied(x, "x")

  concordants_minus_discordants(x, y) / count_pairs(length(x))
}

# Equation (9).
tau_b <- function(x, y) {
  check_rankings(x, y)

  t_X <- count_tied_pairs(x)
  t_Y <- count_tied_pairs(y)
  pairs <- count_pairs(length(x))

  concordants_minus_discordants(x, y) / (sqrt(pairs - t_X) * sqrt(pairs - t_Y))
}

# The numerator of equations (4) and (9). A pair tied in either ranking adds 0.
concordants_minus_discordants <- function(x, y) {
  sum_over_pairs(length(x), function(i, above) {
    sign_ij(x, i, above) * sign_ij(y, i, above)
  })
}

# t_X and t_Y of equation (9).
count_tied_pairs <- function(x) {
  sum_over_pairs(length(x), function(i, above) decided(sign_ij(x, i, above) == 0))
}
