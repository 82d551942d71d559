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
  best_first <- order(-y, -colMeans(X))
  X_delta <- X[, best_first[-m], drop = FALSE] - X[, best_first[-1], drop = FALSE]
  mu <- colMeans(X_delta)
  Sigma <- stats::cov(X_delta)
  if (is.null(ridge)) ridge <- if (m >= n || differences_rank(X) < m - 1) 1e-5 else 0
  Sigma <- Sigma + diag(ridge, m - 1)

  # Scale to unit variances: the distance stays the same, and the problem is
  # better conditioned.
  sigma <- sqrt(diag(Sigma))
  mu <- mu / sigma
  Sigma <- Sigma / outer(sigma, sigma)

  # The distance needs the inverse of Sigma = U U'. It is not computed, because
  # solve.QP can take the inverse of its factor, which is U.
  U <- upper_factor(Sigma)
  theta <- quadprog::solve.QP(
    Dmat = U,
    dvec = backsolve(U, backsolve(U, mu), transpose = TRUE),
    Amat = diag(m - 1),
    factorized = TRUE
  )$solution

  sqrt(n * sum(backsolve(U, theta - mu)^2))
}

# The numerical rank of the matrix of differences between systems. Singular
# values of the size of rounding errors count as 0.
differences_rank <- function(X) {
  centred <- X - rowMeans(X)
  spread <- svd(sweep(centred, 2, colMeans(centred)))$d
  eps <- .Machine$double.eps
  sum(spread > max(eps * max(dim(X)) * spread[1], sqrt(nrow(X)) * 8 * eps * max(abs(X))))
}

# The upper triangular U with A = U U'. chol() returns the U with A = U' U.
upper_factor <- function(A) {
  reversed <- rev(seq_len(nrow(A)))
  t(chol(A[reversed, reversed, drop = FALSE]))[reversed, reversed, drop = FALSE]
}
