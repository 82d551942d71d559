# The sum over i < j of the equations, one pivot i at a time: term(i, above)
# gives one value for each of the items above the pivot. The paper's pairs are
# unordered, so the pivot may as well be the later item of the two.
#
# Fewer than two items are still compared once, with a second item that is
# missing: tau_b and tauAP then stop at it, as the original does.
sum_over_pairs <- function(n, term) {
  total <- 0
  for (i in 2:max(n, 2)) {
    total <- total + sum(term(i, above = seq_len(i - 1)))
  }
  total
}

# n(n-1)/2. For fewer than two items the original's tau and tau_a answer with
# an empty vector, which is what dividing by an empty vector gives.
count_pairs <- function(n) {
  if (n < 2) numeric(0) else n * (n - 1) / 2
}

# Subtracting, rather than comparing, keeps what subtraction does to integers
# that overflow and to two equal infinities.
sign_ij <- function(x, i, j) {
  sign(x[j] - x[i])
}

# Equation (2).
c_ij <- function(x, y, i, j) {
  sign_ij(x, i, j) == sign_ij(y, i, j)
}

# The original stops when a comparison is missing, with R's words for an if()
# on a missing value. Said here, they are the same in every language.
decided <- function(comparisons) {
  if (anyNA(comparisons)) {
    stop("missing value where TRUE/FALSE needed", call. = FALSE)
  }
  comparisons
}
