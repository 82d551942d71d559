# The answers of the original package: each line has one call, or one pair of
# rankings.

no_answer <- list(value = NULL, error = "", empty = FALSE, warning = "")

# The outcome of a call, with the fields of the record.
observe <- function(call) {
  seen <- no_answer
  value <- tryCatch(
    withCallingHandlers(call, warning = function(w) {
      seen$warning <<- conditionMessage(w)
      invokeRestart("muffleWarning")
    }),
    error = function(e) {
      seen$error <<- conditionMessage(e)
      NULL
    }
  )
  seen$empty <- seen$error == "" && length(value) == 0
  seen$value <- if (length(value) > 0) value
  seen
}

agree <- function(observed, recorded) {
  recorded <- utils::modifyList(no_answer, recorded)
  others <- c("error", "empty", "warning")
  identical(observed[others], recorded[others]) &&
    same_number(observed$value, recorded$value)
}

# The record has NA and NaN as strings. They are not equal.
same_number <- function(observed, recorded) {
  if (is.numeric(observed) && is.numeric(recorded)) {
    isTRUE(abs(observed - recorded) <= 1e-12)
  } else {
    identical(paste(observed), paste(recorded))
  }
}

test_that("unusual calls return the recorded answers", {
  record <- read_record("edges.jsonl")
  expect_gt(length(record), 0)
  agreed <- vapply(record, function(line) {
    agree(observe(eval(str2lang(line$call))), line)
  }, NA)
  expect_identical(vapply(record[!agreed], `[[`, "", "call"), character(0))
})

test_that("random rankings return the recorded answers", {
  record <- read_record("random.jsonl")
  expect_gt(length(record), 0)
  for (name in coefficients) {
    agreed <- vapply(record, function(line) {
      arguments <- line[c("x", "y", if (startsWith(name, "tauAP")) "decreasing")]
      agree(observe(do.call(call_coefficient, c(name, arguments))),
            line$answers[[name]])
    }, NA)
    expect_identical(vapply(record[!agreed], `[[`, "", "id"), character(0), info = name)
  }
})
