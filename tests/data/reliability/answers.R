# Writes answers.json: what the reference package ircorref answers to scores.csv, with all digits. In this folder, with r_reference
# installed:
#
#     Rscript --vanilla answers.R
#
# The scores are made up: normal effects of topics and of systems with normal noise, in four decimals, and none below 0. The run
# run11 is a copy of run12, and run08 was changed so that its mean is that of run06.

library(ircorref)

X <- as.matrix(read.csv("scores.csv", row.names = "topic", check.names = FALSE))
set.seed(1)
draws <- t(rmultinom(25, nrow(X), rep(1, nrow(X))))
topics <- c(1, 3, 20, 50, 1000)

json <- function(value) {
  if (is.list(value)) {
    return(paste0("{", toString(sprintf('\n"%s": %s', names(value), vapply(value, json, ""))), "\n}"))
  }
  if (is.matrix(value)) return(paste0("[", toString(apply(unname(value), 1, function(row) paste0("\n", json(row)))), "]"))
  if (is.character(value)) return(sprintf('"%s"', value))
  texts <- ifelse(is.na(value), "null", sprintf("%.17g", value))
  if (length(value) == 1) texts else paste0("[", toString(texts), "]")
}

of_each <- function(names, f) sapply(names, f, simplify = FALSE)
estimators <- c("ML", "MSQD", "RES")
methods <- c("tau", "tauAP")
answers <- list(
  made_by = sprintf("answers.R with ircorref %s, %s", packageVersion("ircorref"), R.version.string),
  draws = draws,
  topics = topics,
  wrong_order = of_each(estimators, function(by) wrong_order(X, by, draws)),
  expected = of_each(methods, function(method) of_each(estimators, function(by) expected(X, method, by, draws))),
  expected_curve = expected_curve(X, topics),
  variance_components = variance_components(X),
  generalizability = t(vapply(topics, function(k) generalizability(X, k), c(e_rho2 = 0, phi = 0)))
)
writeLines(json(answers), "answers.json")
