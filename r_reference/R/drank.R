# Carterette (SIGIR 2009), equation (2) and algorithm 1: the distance from the
# means of X to the nearest point that puts the systems in the order of y.
drank <- function(y, X, ridge = NULL) {
  if (!requireNamespace("quadprog", quietly = TRUE)) {
    stop("drank() needs the package quadprog", call. = FALSE)
  }
  X <- as.matrix(X)
  n <- nrow(X)
  m <- ncol(X)
  # A tie in y is broken in favour of the order of the means.
  best_first <- order(-y, -colMeans(X))
  X_delta <- X[, best_first[-m], drop = FALSE] - X[, best_first[-1], drop = FALSE]
  mu <- colMeans(X_delta)
  Sigma <- stats::cov(X_delta)
  if (is.null(ridge)) ridge <- if (m >= n || differences_rank(X) < m - 1) 1e-5 else 0
  Sigma <- Sigma + diag(ridge, m - 1)

  # In units of the standard deviations, which makes no difference to the
  # distance and much to the solver.
  sigma <- sqrt(diag(Sigma))
  mu <- mu / sigma
  Sigma <- Sigma / outer(sigma, sigma)

  # Sigma = U U', so that the inverse of Sigma, which the distance is measured
  # by, need not be computed: solve.QP takes the inverse of its factor, U.
  U <- upper_factor(Sigma)
  theta <- quadprog::solve.QP(
    Dmat = U,
    dvec = backsolve(U, backsolve(U, mu), transpose = TRUE),
    Amat = diag(m - 1),
    factorized = TRUE
  )$solution

  sqrt(n * sum(backsolve(U, theta - mu)^2))
}

# How many differences between systems vary over topics independently of each
# other, and by more than rounding.
differences_rank <- function(X) {
  centred <- X - rowMeans(X)
  spread <- svd(sweep(centred, 2, colMeans(centred)))$d
  eps <- .Machine$double.eps
  sum(spread > max(eps * max(dim(X)) * spread[1], sqrt(nrow(X)) * 8 * eps * max(abs(X))))
}

# The upper triangular U with A = U U'; chol() gives U' U.
upper_factor <- function(A) {
  reversed <- rev(seq_len(nrow(A)))
  t(chol(A[reversed, reversed, drop = FALSE]))[reversed, reversed, drop = FALSE]
}
