# The R side of ircor.crosscheck. Everything that comes from Python comes as vectors, many cases in one call.

# A coefficient of a package on every case. The cases stand one after the other in x and in y, with so many items each.
# Answers a list of `value` (NA where there is none) and `error` (what R said, else ""), one element a case.
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
    value = vapply(answers, function(a) a$value, 0),
    error = vapply(answers, function(a) a$error, "")
  )
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

# Messages are compared word for word, so R must not translate its own.
in_english <- function() {
  if (exists("Sys.setLanguage", baseenv())) Sys.setLanguage("en") else Sys.setenv(LANGUAGE = "en")
}

# The arguments of a function, each with its default as R writes it, "" where there is none.
arguments_of <- function(package, name) {
  vapply(formals(getExportedValue(package, name)), function(default) paste(deparse(default), collapse = ""), "")
}

# The version of a package, or "" if R does not have it. Does not load it.
version_of <- function(package) {
  if (nzchar(system.file(package = package))) as.character(utils::packageVersion(package)) else ""
}

rank_with <- function(x, ties_method, na_last) as.double(rank(x, na.last = na_last, ties.method = ties_method))

# The scores come column by column.
drank_of <- function(package, y, scores, shape, ridge) {
  answer(getExportedValue(package, "drank"), list(y, matrix(scores, shape[1], shape[2]), if (length(ridge)) ridge))$value
}

# Reliability and Sensitivity, of priority and of clustering, then BCubed. The documents, levels and clusters of all
# occurrences come as vectors; without top and weight the collection is closed.
organization_of <- function(package, doc, level, cluster, gold_doc, gold_level, gold_cluster, top, weight) {
  system <- data.frame(doc = doc, level = level, cluster = cluster)
  gold <- data.frame(doc = gold_doc, level = gold_level, cluster = gold_cluster)
  rs <- getExportedValue(package, "rs")
  scores <- if (length(top)) rs(system, gold, top, weight) else rs(system, gold, collection = "closed")
  as.double(c(scores$priority, scores$clustering, getExportedValue(package, "bcubed")(system, gold)))
}

# Strictness and robustness of every measure. The scores come with the systems changing first.
measures_of <- function(package, scores, shape) {
  scores <- array(scores, shape)
  as.double(c(getExportedValue(package, "strictness")(scores), getExportedValue(package, "robustness")(scores)))
}

function_of <- function(package, name) getExportedValue(package, name)
