# Rank-biased overlap (Webber, Moffat and Zobel, TOIS 2010) of rankings with ties
# (Corsi and Urbano, SIGIR 2024), summed over all items and depths. A ranking is
# a list; an element is an item, or a vector of items that are tied.
rbo <- function(x, y, p, ties = c("a", "w", "b"), score = c("ext", "min", "max", "res")) {
  x <- check_ranking(x, "x")
  y <- check_ranking(y, "y")
  if (!is_number(p) || p <= 0 || p >= 1) {
    stop("'p' must be a number greater than 0 and less than 1", call. = FALSE)
  }
  ties <- match.arg(ties)
  scores <- c("ext", "min", "max", "res")
  if (length(score) == 0 || !all(score %in% scores)) {
    stop("'score' must be some of ", toString(dQuote(scores, FALSE)), call. = FALSE)
  }

  # S is the shorter ranking and L the longer.
  x_is_shorter <- length(unlist(x)) < length(unlist(y))
  S <- if (x_is_shorter) x else y
  L <- if (x_is_shorter) y else x
  in_S <- unlist(S)
  in_L <- unlist(L)
  s <- length(in_S)
  l <- length(in_L)
  items <- union(in_L, in_S)
  c_S <- contributions(S, items, l, ties)
  c_L <- contributions(L, items, l, ties)
  # The items of L that S does not have, in the order of L.
  u <- which(!items %in% in_S)

  A <- matrix(0, 3, l, dimnames = list(c("ext", "min", "max"), NULL))
  for (d in seq_len(l)) {
    X_d <- sum(c_S[, d] * c_L[, d])
    if (d <= s) {
      A[, d] <- X_d / full_overlap(c_S[, d], c_L[, d], d, ties)
      A_s <- A[["ext", d]]
    } else {
      k <- d - s
      c_u <- c_L[u, d]
      # S has ended. It counts as a ranking of d items without ties.
      full <- full_overlap(rep(1, d), c_L[, d], d, ties)
      A["ext", d] <- (X_d + k * A_s * mean(c_u[c_u > 0])) / full
      A["min", d] <- X_d / full
      A["max", d] <- (X_d + sum(c_u[seq_len(k)])) / full
    }
  }

  # Beyond l, from the items in common. All sums are over A_d p^(d - 1), and have
  # the factor 1 - p; where the definition divides by 1 - p, the two cancel.
  X_l <- length(intersect(in_S, in_L))
  f <- l + s - X_l
  d <- l + seq_len(f - l)
  beyond <- c(
    ext = (X_l + (l - s) * A_s) / l * p^l,
    min = (1 - p) * X_l * log_tail(p, l),
    max = (1 - p) * sum((2 * d - l - s + X_l) / d * p^(d - 1)) + p^f
  )
  found <- (1 - p) * drop(A %*% p^(seq_len(l) - 1)) + beyond
  c(found, res = found[["max"]] - found[["min"]])[score]
}

# What each item contributes to the first d ranks, for d from 1 to `depths`: one
# row for each item, and one column for each d. An item that the ranking does
# not have contributes 0.
contributions <- function(ranking, items, depths, ties) {
  result <- matrix(0, length(items), depths)
  t <- 1
  for (group in ranking) {
    # The group has the ranks from t to b.
    b <- t + length(group) - 1
    for (d in seq_len(depths)) {
      if (d >= t) {
        result[match(group, items), d] <- if (ties == "w" || d >= b) 1 else (d - t + 1) / (b - t + 1)
      }
    }
    t <- b + 1
  }
  result
}

# What X_d is divided by, from the contributions of the items of both rankings to
# the first d ranks.
full_overlap <- function(c_S, c_L, d, ties) {
  switch(ties,
    w = (sum(c_S) + sum(c_L)) / 2,
    a = d,
    b = sqrt(sum(c_S^2)) * sqrt(sum(c_L^2))
  )
}

# The sum over d > l of p^(d - 1) / d. For p near 1 it is the logarithm without
# its first l terms. Otherwise that difference would lose its digits, and few
# terms are needed: what is left out is less than exp(-40) of the sum.
log_tail <- function(p, l) {
  first <- seq_len(l)
  if (p > l / (l + 1)) return((-log1p(-p) - sum(p^first / first)) / p)
  d <- l + seq_len(ceiling(40 / (1 - p)))
  sum(p^(d - 1) / d)
}

# The items are converted to text, as the documents of an organization are.
check_ranking <- function(ranking, name) {
  if (!is.list(ranking) || length(ranking) == 0 || any(lengths(ranking) == 0)) {
    stop("'", name, "' must be a list of items, or of vectors of tied items, and not be empty", call. = FALSE)
  }
  ranking <- lapply(ranking, as.character)
  items <- unlist(ranking)
  if (anyNA(items)) stop("'", name, "' has missing values", call. = FALSE)
  if (anyDuplicated(items) > 0) {
    stop("'", name, "' has the item ", items[duplicated(items)][1], " twice", call. = FALSE)
  }
  ranking
}
