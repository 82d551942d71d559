# x is checked before y, and the types before the lengths, so that a call with
# several faults is refused for the same one everywhere.
check_rankings <- function(x, y) {
  check_numeric_vector(x, "x")
  check_numeric_vector(y, "y")
  if (length(x) != length(y)) {
    stop("'x' and 'y' must be of the same length", call. = FALSE)
  }
}

# is.vector() is FALSE for whatever carries attributes other than names:
# factors, dates, matrices, data frames.
check_numeric_vector <- function(values, name) {
  if (!is.vector(values, mode = "numeric")) {
    stop("'", name, "' must be a numeric vector", call. = FALSE)
  }
}

# The original compares values as they print, to 15 significant digits, so 0.3
# and 0.1 + 0.2 are a tie here and nowhere else; a missing value is one too.
check_untied <- function(values, name) {
  if (anyNA(values) || anyDuplicated(as.character(values)) > 0) {
    stop("'", name, "' contains ties.", call. = FALSE)
  }
}
