# Carterette (SIGIR 2009), equation (2) and algorithm 1: the distance from the
# means of X to the nearest point that ranks the systems in the order of y.
drank <- function(y, X, ridge = NULL) {
  if (!requireNamespace("quadprog", quietly = TRUE)) {
    stop("drank() needs the package quadprog", call. = FALSE)
  }
  X <- as.matrix(X)
  n <- nrow(X)
  m <- ncol(X)
  # Ties in y are broken by the means.
  if (is.double(y)) y <- ranks_with_ties(y)
  best_first <- order(-y, -ranks_with_ties(colMeans(X), max(abs(X))))
  X_delta <- X[, best_first[-m], drop = FALSE] - X[, best_first[-1], drop = FALSE]
  mu <- colMeans(X_delta)
  if (is.null(ridge)) ridge <- if (m >= n) 1e-5 else 0

  # With Sigma = L L', the points at a finite distance are theta = mu + L a, at
  # the distance |a|. This needs no inverse, so Sigma may be singular.
  rounding <- 8 * .Machine$double.eps * max(abs(X))
  L <- covariance_factor(X_delta, ridge, rounding)
  if (ncol(L) == 0) {
    return(if (all(mu >= -rounding)) 0 else Inf)
  }

  # Scale theta to unit variances: the constraints stay the same, and the
  # problem is better conditioned.
  sigma <- sqrt(rowSums(L^2))
  sigma[sigma <= rounding] <- 1
  a <- tryCatch(
    quadprog::solve.QP(
      Dmat = diag(ncol(L)),
      dvec = numeric(ncol(L)),
      Amat = t(L / sigma),
      # Systems that depend on others have constraints that follow from others.
      # They must not contradict each other because of rounding errors.
      bvec = -mu / sigma - 1e-12
    )$solution,
    error = function(e) {
      if (grepl("inconsistent", conditionMessage(e))) NULL else stop(e)
    }
  )
  if (is.null(a)) Inf else sqrt(n * sum(a^2))
}

# A matrix L with Cov(X) + ridge I = L L', from the singular values of the
# deviations. Those of the size of rounding errors count as 0.
covariance_factor <- function(X, ridge, rounding) {
  n <- nrow(X)
  parts <- svd(sweep(X, 2, colMeans(X)), nu = 0, nv = ncol(X))
  spread <- c(parts$d, numeric(ncol(X) - length(parts$d)))
  spread[spread <= max(.Machine$double.eps * max(dim(X)) * spread[1], sqrt(n) * rounding)] <- 0
  scale <- sqrt(spread^2 / (n - 1) + ridge)
  sweep(parts$v, 2, scale, "*")[, scale > 0, drop = FALSE]
}

# The ranks of numbers of this size. Numbers that differ by no more than
# rounding, 2^-40 of their size, have the same rank.
ranks_with_ties <- function(x, size = max(0, abs(x[is.finite(x)]))) {
  increasing <- order(x)
  # The difference of two infinities is not a number, and not a step.
  steps <- (diff(x[increasing]) > size * 2^-40) %in% TRUE
  ranks <- integer(length(x))
  ranks[increasing] <- cumsum(c(TRUE, steps))
  ranks
}
