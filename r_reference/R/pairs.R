# The sum over all pairs i < j in the equations, one pivot i at a time:
# term(i, above) returns one value for each item above the pivot. The paper's
# pairs are unordered, so the pivot can be the later item of the two.
#
# With fewer than two items there is still one comparison, with a second item
# that is missing. It makes tau_b and tauAP stop, as in the original.
sum_over_pairs <- function(n, term) {
  total <- 0
  for (i in 2:max(n, 2)) {
    total <- total + sum(term(i, above = seq_len(i - 1)))
  }
  total
}

# n(n-1)/2. For fewer than two items, tau and tau_a of the original return an
# empty vector. Division by an empty vector does that.
count_pairs <- function(n) {
  if (n < 2) numeric(0) else n * (n - 1) / 2
}

# Subtract instead of compare, as the original does: the difference of integers
# may overflow, and the difference of two equal infinities is NaN.
sign_ij <- function(x, i, j) {
  sign(x[j] - x[i])
}

# Equation (2).
c_ij <- function(x, y, i, j) {
  sign_ij(x, i, j) == sign_ij(y, i, j)
}

# The original stops if a comparison is NA, with the message of if(NA). Raised
# here, the message is in English whatever the language of R.
decided <- function(comparisons) {
  if (anyNA(comparisons)) {
    stop("missing value where TRUE/FALSE needed", call. = FALSE)
  }
  comparisons
}
