# Check x before y and the types before the lengths, as the original does, so
# that a call with several faults gives the same message.
check_rankings <- function(x, y) {
  check_numeric_vector(x, "x")
  check_numeric_vector(y, "y")
  if (length(x) != length(y)) {
    stop("'x' and 'y' must be of the same length", call. = FALSE)
  }
}

# is.vector() is FALSE for anything that has attributes other than names:
# factors, dates, matrices, data frames.
check_numeric_vector <- function(values, name) {
  if (!is.vector(values, mode = "numeric")) {
    stop("'", name, "' must be a numeric vector", call. = FALSE)
  }
}

# The original compares the values as text with 15 significant digits. So 0.3
# and 0.1 + 0.2 are a tie here, but nowhere else. A missing value counts as a
# tie too.
check_untied <- function(values, name) {
  if (anyNA(values) || anyDuplicated(as.character(values)) > 0) {
    stop("'", name, "' contains ties.", call. = FALSE)
  }
}
