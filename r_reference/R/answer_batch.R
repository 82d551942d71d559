# One call for many cases, since a call from another language costs more than
# the coefficient it asks for.
answer_batch <- function(functions, x, y, lengths, decreasing,
                         package = "ircorref") {
  stopifnot(
    "'x' must hold sum(lengths) values" = length(x) == sum(lengths),
    "'y' must hold sum(lengths) values" = length(y) == sum(lengths),
    "'decreasing' must hold one value for each case" =
      length(decreasing) == length(lengths)
  )
  # As doubles, lest the last case start above the largest integer.
  starts <- cumsum(as.double(lengths)) - lengths

  answer_all <- function(name) {
    coefficient <- getExportedValue(package, name)
    takes_decreasing <- "decreasing" %in% names(formals(coefficient))
    answers <- lapply(seq_along(lengths), function(case) {
      items <- starts[case] + seq_len(lengths[case])
      arguments <- list(x[items], y[items])
      if (takes_decreasing) arguments$decreasing <- decreasing[case]
      answer(coefficient, arguments)
    })
    list(
      value = vapply(answers, function(a) a$value, 0),
      error = vapply(answers, function(a) a$error, ""),
      empty = vapply(answers, function(a) a$empty, NA)
    )
  }
  sapply(functions, answer_all, simplify = FALSE)
}

answer <- function(coefficient, arguments) {
  tryCatch(
    {
      value <- suppressWarnings(do.call(coefficient, arguments))
      empty <- length(value) == 0
      list(value = if (empty) NA_real_ else value, error = "", empty = empty)
    },
    error = function(e) {
      list(value = NA_real_, error = conditionMessage(e), empty = FALSE)
    }
  )
}
