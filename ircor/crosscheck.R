# The R side of ircor.crosscheck. Everything that comes from Python comes as vectors, many cases in one call.

# Every coefficient of a package on every case. The cases stand one after the other in x and in y, `lengths` items each.
# Answers a list with one element a function, of `value` (NA where there is none) and `error` (what R said, else "").
answer_cases <- function(package, functions, x, y, lengths, decreasing) {
  first <- cumsum(as.double(lengths)) - lengths
  items <- lapply(seq_along(lengths), function(case) first[case] + seq_len(lengths[case]))
  lapply(functions, function(name) {
    coefficient <- getExportedValue(package, name)
    takes_decreasing <- "decreasing" %in% names(formals(coefficient))
    answers <- lapply(seq_along(lengths), function(case) {
      arguments <- list(x[items[[case]]], y[items[[case]]])
      if (takes_decreasing) arguments$decreasing <- decreasing[case]
      answer(coefficient, arguments)
    })
    list(
      value = vapply(answers, function(a) a$value, 0),
      error = vapply(answers, function(a) a$error, "")
    )
  })
}

answer <- function(coefficient, arguments) {
  tryCatch(
    {
      value <- suppressWarnings(do.call(coefficient, arguments))
      list(value = if (length(value) == 0) NA_real_ else as.double(value), error = "")
    },
    error = function(e) list(value = NA_real_, error = conditionMessage(e))
  )
}

# The arguments of a function, each with its default as R writes it, "" where there is none.
arguments_of <- function(package, name) {
  vapply(formals(getExportedValue(package, name)), function(default) paste(deparse(default), collapse = ""), "")
}

# The version of a package, or "" if R does not have it.
version_of <- function(package) {
  if (requireNamespace(package, quietly = TRUE)) as.character(utils::packageVersion(package)) else ""
}

rank_with <- function(x, ties_method, na_last) as.double(rank(x, na.last = na_last, ties.method = ties_method))
