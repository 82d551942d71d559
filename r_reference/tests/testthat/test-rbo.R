x <- list("red", c("blue", "green"), "yellow", "pink")
y <- list(c("blue", "red"), "white", c("yellow", "black", "purple"), "green")
treatments <- c("w", "a", "b")
scores <- c("ext", "min", "max", "res")

# "red (blue green)" is list("red", c("blue", "green")).
parse_ranking <- function(text) {
  groups <- regmatches(text, gregexpr("\\([^)]*\\)|[^ ()]+", text))[[1]]
  strsplit(gsub("[()]", "", groups), " ")
}

# The first n items of a ranking without ties.
numbered <- function(n) as.list(paste0("i", seq_len(n)))

# All rankings without ties that agree with this one.
orders_of <- function(ranking) {
  orders <- list(character(0))
  for (group in ranking) {
    orders <- unlist(lapply(orders, function(before) {
      lapply(permutations(length(group)), function(order) c(before, group[order]))
    }), recursive = FALSE)
  }
  lapply(orders, as.list)
}

mean_over_orders <- function(x, y, p) {
  pairs <- expand.grid(x = orders_of(x), y = orders_of(y))
  rowMeans(mapply(rbo, pairs$x, pairs$y, MoreArgs = list(p = p)))
}

test_that("the example of the authors is reproduced", {
  printed <- list(
    a = c(ext = 0.6922853, min = 0.3310519, max = 0.8930692, res = 0.5620173),
    w = c(ext = 0.7068257, min = 0.3429684, max = 0.9049857, res = 0.5620173),
    b = c(ext = 0.7207131, min = 0.3509163, max = 0.9129336, res = 0.5620173)
  )
  for (ties in treatments) expect_equal(round(rbo(x, y, 0.95, ties), 7), printed[[ties]], info = ties)
})

test_that("random pairs return the recorded answers", {
  record <- read_record("rbo.jsonl")
  expect_gt(length(record), 0)
  for (ties in treatments) {
    difference <- vapply(record, function(line) {
      found <- rbo(parse_ranking(line$x), parse_ranking(line$y), line$p, ties)
      max(abs(found - unlist(line[[ties]])[names(found)]))
    }, 0)
    expect_lt(max(difference), 1e-12)
  }
})

test_that("scores are returned in the order asked for, of the treatment a by default", {
  expect_identical(rbo(x, y, 0.9), rbo(x, y, 0.9, "a", scores))
  expect_identical(rbo(x, y, 0.9, score = c("res", "ext")), rbo(x, y, 0.9)[c("res", "ext")])
  expect_identical(names(rbo(x, y, 0.9, "b", "max")), "max")
})

test_that("the order of the rankings does not matter", {
  same_length <- list("green", c("red", "black"), "pink", "blue")
  for (ties in treatments) {
    expect_equal(rbo(x, y, 0.8, ties), rbo(y, x, 0.8, ties))
    expect_equal(rbo(x, same_length, 0.8, ties), rbo(same_length, x, 0.8, ties))
  }
})

test_that("the treatment a is the mean over all orders of the tied items", {
  # The least overlap is linear in the contributions, whatever the lengths.
  expect_equal(rbo(x, y, 0.8)["min"], mean_over_orders(x, y, 0.8)["min"])
  same_length <- list("green", c("red", "black"), "pink", "blue")
  expect_equal(rbo(x, same_length, 0.8), mean_over_orders(x, same_length, 0.8))
})

test_that("without ties the treatments are the same", {
  u <- as.list(unlist(x))
  v <- as.list(unlist(y))
  for (ties in c("a", "b")) expect_equal(rbo(u, v, 0.9, ties), rbo(u, v, 0.9, "w"))
})

test_that("a ranking has an overlap of 1 with itself, unless ties are unknown orders", {
  for (ranking in list(x, y, numbered(4), list("red"), list(c("red", "blue", "green")))) {
    for (ties in c("w", "b")) {
      expect_equal(rbo(ranking, ranking, 0.9, ties, c("ext", "max")), c(ext = 1, max = 1), info = ties)
    }
  }
  # Two items in an unknown order agree in the first rank half of the time.
  tied <- list(c("red", "blue"))
  expect_equal(rbo(tied, tied, 0.9, "a", "ext"), c(ext = 0.1 * 0.5 + 0.9))
})

test_that("nothing in common", {
  for (ties in treatments) {
    found <- rbo(x, list(c("one", "two"), "three"), 0.5, ties)
    expect_identical(found[c("ext", "min")], c(ext = 0, min = 0))
    expect_gt(found["max"], 0)
  }
  # All ranks from the second on can agree.
  expect_equal(rbo(list("one"), list("two"), 0.3)["max"], c(max = 0.3))
})

test_that("the least overlap keeps its digits for small p", {
  # The only item in common is at the top of one and the end of the other, so
  # the agreement is 1 / d from rank 30.
  u <- c(list("i30"), as.list(paste0("other", 1:29)))
  d <- 30:3000
  for (p in c(1e-9, 0.01, 0.3, 0.9)) {
    expected <- (1 - p) * sum(p^(d - 1) / d)
    expect_lt(abs(rbo(u, numbered(30), p, score = "min") / expected - 1), 1e-13)
  }
  one <- list("red")
  for (p in c(1e-300, 1e-10, 0.4, 0.6, 1 - 1e-10)) {
    expect_equal(rbo(one, one, p, score = "min"), c(min = -(1 - p) / p * log1p(-p)), tolerance = 1e-14)
  }
})

test_that("the sum beyond the end is the same by terms and by the logarithm", {
  for (l in c(1, 10, 1000)) {
    for (p in c(l / (l + 1), l / (l + 1) * (1 + 1e-12), 1 - 1e-4)) {
      d <- l + seq_len(1e6)
      expect_equal(ircorref:::log_tail(p, l), sum(p^(d - 1) / d), tolerance = 1e-12)
    }
  }
})

test_that("the scores are in order for p near 0 and near 1", {
  for (p in c(1e-300, 1e-8, 1 - 1e-8, 1 - 2^-53)) {
    for (ties in treatments) {
      found <- as.list(rbo(x, y, p, ties))
      expect_true(0 <= found$min && found$min <= found$ext && found$ext <= found$max && found$max <= 1 + 1e-15)
    }
  }
  # Near 0 it is the agreement of the first rank: red is in y with a chance of 1/2.
  expect_equal(rbo(x, y, 1e-300, "a"), c(ext = 0.5, min = 0.5, max = 0.5, res = 0))
})

test_that("rankings that are none are refused", {
  for (bad in list(list(), NULL, "red", c("red", "blue"), list("red", character(0)), numeric(0))) {
    expect_error(rbo(bad, y, 0.9), "'x' must be a list of items", fixed = TRUE)
    expect_error(rbo(x, bad, 0.9), "'y' must be a list of items", fixed = TRUE)
  }
  expect_error(rbo(list("red", "blue", "red"), y, 0.9), "'x' has the item red twice", fixed = TRUE)
  expect_error(rbo(x, list(c("one", "blue", "blue")), 0.9), "'y' has the item blue twice", fixed = TRUE)
  expect_error(rbo(x, list("red", c("blue", "red")), 0.9), "'y' has the item red twice", fixed = TRUE)
  expect_error(rbo(x, list("red", NA), 0.9), "'y' has missing values", fixed = TRUE)
})

test_that("other options are refused", {
  for (p in list(0, 1, -0.1, 1.1, NA, NaN, Inf, "0.9", c(0.8, 0.9), NULL, TRUE)) {
    expect_error(rbo(x, y, p), "'p' must be a number greater than 0 and less than 1", fixed = TRUE)
  }
  expect_error(rbo(x, y, 0.9, ties = "c"), "should be one of")
  for (score in list("median", c("ext", "median"), "e", character(0))) {
    expect_error(rbo(x, y, 0.9, score = score), "'score' must be some of \"ext\", \"min\"", fixed = TRUE)
  }
})

test_that("items may be numbers or factors", {
  expect_identical(rbo(list(1, 2:3), list(3, factor("2")), 0.9), rbo(list("1", c("2", "3")), list("3", "2"), 0.9))
})
