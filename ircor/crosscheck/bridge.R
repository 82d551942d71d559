# The R functions that ircor.crosscheck._bridge calls. All arguments are vectors.

# Call a coefficient of a package on many cases. The vectors of all cases are
# concatenated in x and in y; x_lengths and y_lengths have their lengths.
# Returns a list of `value` (NA if there is none) and `error` (the message of an
# error, or ""), each with one element per case.
answer_cases <- function(package, name, x, y, x_lengths, y_lengths, decreasing) {
  in_english()
  coefficient <- getExportedValue(package, name)
  takes_decreasing <- "decreasing" %in% names(formals(coefficient))
  x_before <- cumsum(as.double(x_lengths)) - x_lengths
  y_before <- cumsum(as.double(y_lengths)) - y_lengths
  answers <- lapply(seq_along(decreasing), function(case) {
    arguments <- list(
      x[x_before[case] + seq_len(x_lengths[case])],
      y[y_before[case] + seq_len(y_lengths[case])]
    )
    if (takes_decreasing) arguments$decreasing <- decreasing[case]
    answer(coefficient, arguments)
  })
  list(
    value = vapply(answers, function(a) if (length(a$value) == 0) NA_real_ else a$value, 0),
    error = vapply(answers, function(a) a$error, "")
  )
}

# Call a function of a package; without a package, `name` is the text of the
# function. Returns a list of `value`, all numbers of the result in one vector,
# and `error`, as above.
call_function <- function(package, name, arguments) {
  called <- if (nzchar(package)) getExportedValue(package, name) else eval(parse(text = name), globalenv())
  answer(called, arguments)
}

answer <- function(f, arguments) {
  tryCatch(
    list(value = as.double(unlist(suppressWarnings(do.call(f, arguments)))), error = ""),
    error = function(e) {
      # An error without words must not look like no error.
      list(value = NA_real_, error = if (nzchar(conditionMessage(e))) conditionMessage(e) else "an error without words")
    }
  )
}

# Messages are compared word for word, so R must not translate them.
in_english <- function() {
  if (exists("Sys.setLanguage", baseenv())) Sys.setLanguage("en") else Sys.setenv(LANGUAGE = "en")
}

# The arguments of a function, each with its default as R writes it, "" if there is none.
arguments_of <- function(package, name) {
  vapply(formals(getExportedValue(package, name)), function(default) paste(deparse(default), collapse = ""), "")
}

# The version of a package, or "" if R does not have it. Does not load the package.
version_of <- function(package) {
  if (nzchar(system.file(package = package))) as.character(utils::packageVersion(package)) else ""
}
