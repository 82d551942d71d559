# Make an organization from one argument for each level, a list of clusters.
organize <- function(...) {
  rows <- data.frame(doc = character(0), level = numeric(0), cluster = numeric(0))
  levels <- list(...)
  for (level in seq_along(levels)) {
    for (cluster in seq_along(levels[[level]])) {
      docs <- levels[[level]][[cluster]]
      rows <- rbind(rows, data.frame(doc = docs, level = level, cluster = cluster))
    }
  }
  rows
}

nothing <- organize()
d <- function(...) paste0("d", c(...))

# Table 9.
level_1 <- list(d(1), d(2, 3, 4))
level_2 <- list(d(4, 5), d(6, 7))
level_3 <- list(d(6, 7))
table_9 <- organize(level_1, level_2, level_3)
systems <- list(
  organize(level_1, level_2, list(d(6), d(7))),
  organize(list(d(1), d(2, 3), d(4)), level_2, level_3),
  organize(list(d(1), d(3, 4)), level_2, level_3),
  organize(list(d(1), d(3, 4)), level_2, list(d(6, 7, 8))),
  organize(level_3, level_2, level_1)
)
rs_9 <- function(system) rs(system, table_9, top = 10, weight = 0.8)

# A small overlapping case, computed by hand. With top = 1 and weight = 1/2, c is
# 1. The weights of the system are 1/4 for each occurrence on level 1, 1/20 on
# level 2 and 1/5 for the tail. Those of gold are 1/3 for each occurrence on level
# 1, 1/15 for each on level 2 and 1/5 for the tail.
small_system <- organize(list(c("a", "b"), "a"), list("b"))
small_gold <- organize(list(c("a", "b")), list(c("b", "c")))

expect_scores <- function(observed, a, b) {
  expect_equal(unname(observed), c(a, b, if (a + b > 0) 2 * a * b / (a + b) else 0))
}

test_that("table 9 is reproduced", {
  # NA where the formulas of section 3.3 give another number than the paper.
  printed <- list(
    priority = list(c(1, 1), c(1, 1), c(1, NA), c(NA_real_, NA), c(0.64, 0.59)),
    clustering = list(c(1, 0.97), c(1, NA), c(1, 0.74), c(0.96, 0.74), c(1, 1))
  )
  for (i in seq_along(systems)) {
    for (kind in names(printed)) {
      known <- !is.na(printed[[kind]][[i]])
      observed <- unname(rs_9(systems[[i]])[[kind]][1:2])
      expect_equal(round(observed, 2)[known], printed[[kind]][[i]][known], info = paste(kind, i))
    }
  }
})

test_that("the gold standard is perfect", {
  for (collection in c("open", "closed")) {
    same <- rs(table_9, table_9, 10, 0.8, collection)
    expect_scores(same$priority, 1, 1)
    expect_scores(same$clustering, 1, 1)
  }
  expect_scores(bcubed(table_9, table_9), 1, 1)
  expect_identical(names(same), c("priority", "clustering"))
  for (kind in same) expect_identical(names(kind), c("reliability", "sensitivity", "f"))
})

test_that("sensitivity is reliability with the sides exchanged", {
  for (system in systems) {
    there <- rs(system, table_9, 10, 0.8)
    back <- rs(table_9, system, 10, 0.8)
    for (kind in names(there)) {
      expect_equal(unname(there[[kind]]), unname(back[[kind]][c(2, 1, 3)]))
    }
  }
})

test_that("an open overlapping case is as computed by hand", {
  observed <- rs(small_system, small_gold, top = 1, weight = 1 / 2)
  # In the system, a is above b twice and b is above b once; in gold once each.
  # a occurs twice in the system and once in gold, so P(a above the tail) is 1/2.
  listed <- 2 * (1 / 2) * (1 / 20) + 1 / 20 +
    2 * (1 / 2) * (1 / 20) * (1 / 4) / (19 / 20) + (1 / 20) * (1 / 4) / (19 / 20)
  tail <- (1 / 2 + 1 / 2 + 1) * (1 / 4) * (1 / 5) * (4 + 5 / 4) +
    (1 / 20) * (1 / 5) * (20 / 19 + 5 / 4)
  # In gold, all relations of c are wrong.
  gold_listed <- 2 * (1 / 15) + 2 * (1 / 15) * (1 / 3) / (13 / 15)
  gold_tail <- 2 * (1 / 3) * (1 / 5) * (3 + 5 / 4) + (1 / 15) * (1 / 5) * (15 / 13 + 5 / 4)
  expect_scores(observed$priority, listed + tail, gold_listed + gold_tail)
  # a shares two clusters with itself in the system and one in gold.
  expect_scores(observed$clustering,
                (1 / 4) * (3 / 4 + 1 + 1 / 2) + 1 / 20 + 1 / 5,
                (1 / 3) * 2 + (1 / 15) * (1 / 2) + 1 / 5)
})

test_that("a closed overlapping case is as computed by hand", {
  observed <- rs(small_system, small_gold, collection = "closed")
  expect_scores(observed$priority, (1 / 2 + 1 / 2 + 1 + 2 / 3) / 4, (1 / 2 + 1 / 2 + 1 + 0) / 4)
  expect_scores(observed$clustering, (3 / 4 + 1 + 1 / 2 + 1) / 4, (1 + 1 + 1 / 2 + 0) / 4)
  expect_scores(bcubed(small_system, small_gold), (3 / 4 + 1) / 2, (1 + 2 / 3 + 0) / 3)
})

test_that("the first occurrences carry the weight asked for", {
  weights <- occurrence_weights(table_9, 10, 0.8, "open")
  expect_equal(sum(weights$listed) + weights$tail, 1)
  ranking <- do.call(organize, lapply(d(1:30), list))
  for (top in c(1, 10, 30)) {
    weights <- occurrence_weights(ranking, top, 0.7, "open")
    expect_equal(sum(weights$listed[seq_len(top)]), 0.7)
    expect_false(is.unsorted(-weights$listed))
  }
})

test_that("closed filtering is the product of both precisions and both recalls", {
  set.seed(1)
  # Table 2 of the paper, and others.
  cases <- list(list(d(1, 2, 4), d(1, 2, 3), d(1:8)))
  for (i in 1:5) {
    chosen <- sample(d(1:12), sample(1:11, 1))
    cases[[i + 1]] <- list(chosen, sample(d(1:12), sample(1:11, 1)), d(1:12))
  }
  for (case in cases) {
    chosen <- case[[1]]
    relevant <- case[[2]]
    rest <- setdiff(case[[3]], chosen)
    irrelevant <- setdiff(case[[3]], relevant)
    observed <- rs(organize(list(chosen), list(rest)), organize(list(relevant), list(irrelevant)),
                   collection = "closed")
    expect_scores(observed$priority,
                  mean(chosen %in% relevant) * mean(rest %in% irrelevant),
                  mean(relevant %in% chosen) * mean(irrelevant %in% rest))
  }
})

test_that("closed clustering without overlap is BCubed", {
  set.seed(2)
  for (i in 1:5) {
    system <- data.frame(doc = 1:10, level = 1, cluster = sample(3, 10, TRUE))
    gold <- data.frame(doc = 10:1, level = 1, cluster = factor(sample(letters[1:4], 10, TRUE)))
    observed <- rs(system, gold, collection = "closed")$clustering
    expect_equal(unname(observed), unname(bcubed(system, gold)))
    # The definition for clusters without overlap: the share of a document's
    # cluster that is of the same class.
    class <- gold$cluster[match(system$doc, gold$doc)]
    precision <- vapply(1:10, function(doc) {
      mean(class[system$cluster == system$cluster[doc]] == class[doc])
    }, 0)
    expect_equal(observed[["reliability"]], mean(precision))
  }
})

test_that("empty sides have no relations except those of the tail", {
  for (sides in list(list(nothing, table_9), list(table_9, nothing))) {
    closed <- rs(sides[[1]], sides[[2]], collection = "closed")
    expect_scores(closed$priority, 0, 0)
    expect_scores(closed$clustering, 0, 0)
    open <- rs(sides[[1]], sides[[2]], 10, 0.8)
    expect_scores(open$priority, 0, 0)
    expect_scores(bcubed(sides[[1]], sides[[2]]), 0, 0)
  }
  # The weight of the tail of gold is c / (c + n), with c = 2.5 and n = 10.
  expect_scores(rs(nothing, table_9, 10, 0.8)$clustering, 1, 2.5 / 12.5)

  both <- rs(nothing, nothing, 10, 0.8)
  expect_true(all(is.nan(both$priority)))
  expect_scores(both$clustering, 1, 1)
  expect_true(all(is.nan(unlist(rs(nothing, nothing, collection = "closed")))))
  expect_true(all(is.nan(bcubed(nothing, nothing))))
})

test_that("a closed side on a single level makes no priority relations", {
  flat <- organize(list("a", "b"))
  deep <- organize(list("a"), list("b"))
  expect_scores(rs(flat, deep, collection = "closed")$priority, 0, 0)
  expect_true(all(is.nan(rs(flat, flat, collection = "closed")$priority)))
  expect_scores(rs(flat, flat, 10, 0.8)$priority, 1, 1)
})

test_that("only the order of the levels matters, and labels belong to one level", {
  moved <- table_9
  moved$level <- moved$level * 3 + 1
  moved$cluster <- letters[moved$cluster]
  moved <- moved[rev(seq_len(nrow(moved))), ]
  expect_equal(rs(systems[[4]], moved, 10, 0.8), rs_9(systems[[4]]))
})

test_that("invalid arguments are refused", {
  expect_error(rs(table_9, table_9), "needs 'top' and 'weight'")
  expect_error(rs(table_9, table_9, top = 10), "needs 'top' and 'weight'")
  expect_error(rs(table_9, table_9, weight = 0.8), "needs 'top' and 'weight'")
  for (weight in c(-1, 0, 1, 2, NA)) expect_error(rs(table_9, table_9, 10, weight), "'weight' must be")
  for (top in c(-1, 0, 0.5, NA)) expect_error(rs(table_9, table_9, top, 0.8), "'top' must be")
  twice <- rbind(table_9, table_9[3, ])
  for (score in list(function(x, y) rs(x, y, 10, 0.8), bcubed)) {
    expect_error(score(twice, table_9), "'system' has the same document twice")
    expect_error(score(table_9, twice), "'gold' has the same document twice")
    expect_error(score(1, table_9), "'system' must be a data frame")
    expect_error(score(table_9, table_9["doc"]), "'gold' must be a data frame")
  }
  unknown <- table_9
  unknown$level[2] <- NA
  expect_error(bcubed(unknown, table_9), "missing values")
  unknown$level <- "high"
  expect_error(bcubed(table_9, unknown), "must be numbers")
})

test_that("strictness and robustness are as computed by hand", {
  scores <- array(dim = c(3, 2, 2), dimnames = list(NULL, NULL, c("A", "B")))
  scores[, 1, "A"] <- c(0.9, 0.5, 0.1) # places 1, 2, 3
  scores[, 1, "B"] <- c(0.1, 0.9, 0.5) # places 3, 1, 2
  scores[, 2, "A"] <- c(0.9, 0.5, 0.5) # places 1, 2.5, 2.5
  scores[, 2, "B"] <- c(0.3, 0.2, 0.1) # places 1, 2, 3
  expect_equal(strictness(scores), c(A = -2 / 3, B = -1 / 3))
  expect_equal(robustness(scores), c(A = sqrt(3) / 2, B = -1 / 2))
})

test_that("robustness is the mean of the Spearman correlations", {
  set.seed(3)
  scores <- array(sample(10, 7 * 4 * 3, TRUE), c(7, 4, 3))
  expected <- apply(scores, 3, function(s) {
    rho <- stats::cor(s, method = "spearman")
    mean(rho[upper.tri(rho)])
  })
  expect_equal(robustness(scores), expected)
})

test_that("strictness is 0 if all measures agree", {
  scores <- array(c(1, 3, 2), c(3, 2, 2))
  expect_equal(strictness(scores), c(0, 0))
  # For topic 2, the worst system under one measure is the best under the other.
  scores[, 2, 2] <- -scores[, 2, 2]
  expect_equal(strictness(scores), c(-2, -2) / 3)
})

test_that("scores of another shape are refused", {
  expect_error(strictness(matrix(1:4, 2)), "array")
  expect_error(robustness(1:3), "array")
  expect_error(strictness(array(1:4, c(2, 2, 1))), "two measures")
  expect_error(robustness(array(1:4, c(2, 1, 2))), "two topics")
  expect_error(robustness(array(c(1:3, NA), c(2, 2, 1))), "missing")
})
