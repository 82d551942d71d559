cases <- list(
  list(x = c(3, 1, 2), y = c(1, 3, 2), decreasing = TRUE),
  list(x = c(4, 2, 3, 1), y = c(1, 1, 2, 5), decreasing = FALSE),
  list(x = numeric(0), y = numeric(0), decreasing = TRUE),
  list(x = c(1, 1, 2, 3), y = c(4, 2, 2, 1), decreasing = TRUE),
  list(x = 1, y = 2, decreasing = FALSE),
  list(x = c(1, 2, 3), y = c(1, NA, 3), decreasing = FALSE),
  list(x = c(1, 2, 3), y = c(5, 5, 5), decreasing = FALSE)
)
pooled <- function(field) unlist(lapply(cases, `[[`, field))
batch <- answer_batch(coefficients, pooled("x"), pooled("y"),
                      lengths(lapply(cases, `[[`, "x")), pooled("decreasing"))

test_that("a batch answers like single calls", {
  expect_named(batch, coefficients)
  for (name in coefficients) for (k in seq_along(cases)) {
    case <- cases[[k]]
    if (!startsWith(name, "tauAP")) case$decreasing <- NULL
    single <- tryCatch(do.call(call_coefficient, c(name, case)), error = identity)
    stopped <- inherits(single, "error")
    empty <- length(single) == 0
    label <- paste(name, "on case", k)
    expect_identical(batch[[name]]$value[k],
                     if (stopped || empty) NA_real_ else single, info = label)
    expect_identical(batch[[name]]$error[k],
                     if (stopped) conditionMessage(single) else "", info = label)
    expect_identical(batch[[name]]$empty[k], empty, info = label)
  }
})

test_that("a batch silences warnings and keeps integers", {
  x <- c(2147483647L, -2147483647L, 0L)
  expect_silent(answers <- answer_batch("tau", x, 1:3, 3L, TRUE))
  expect_identical(answers$tau, list(value = NA_real_, error = "", empty = FALSE))
})

test_that("a batch may have no cases", {
  expect_identical(
    answer_batch("tau", numeric(0), numeric(0), integer(0), logical(0)),
    list(tau = list(value = numeric(0), error = character(0), empty = logical(0)))
  )
})

test_that("the functions may come from another package", {
  answers <- answer_batch("cor", c(1, 2, 4), c(1, 3, 2), 3L, TRUE, package = "stats")
  expect_equal(answers$cor$value, cor(c(1, 2, 4), c(1, 3, 2)))
})

test_that("a batch whose arguments do not fit together is refused", {
  expect_error(answer_batch("tau", 1:3, 1:4, 4L, TRUE), "'x' must hold")
  expect_error(answer_batch("tau", 1:4, 1:3, 4L, TRUE), "'y' must hold")
  expect_error(answer_batch("tau", 1:4, 1:4, 4L, NA[0]), "'decreasing' must hold")
})
