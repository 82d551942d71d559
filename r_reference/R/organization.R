# Reliability and sensitivity (Amigo, Gonzalo and Verdejo, SIGIR 2013), computed
# by the double sums of section 3.3. X is the organization whose relations are
# scored, and G is the one in which they are looked up. Both are data frames with
# one row for each occurrence of a document.
rs <- function(system, gold, top = NULL, weight = NULL, collection = c("open", "closed")) {
  collection <- match.arg(collection)
  if (collection == "open") check_weighting(top, weight)
  X <- check_organization(system, "system")
  G <- check_organization(gold, "gold")
  w_X <- occurrence_weights(X, top, weight, collection)
  w_G <- occurrence_weights(G, top, weight, collection)
  list(
    priority = with_f(
      priority_reliability(X, G, w_X), priority_reliability(G, X, w_G),
      made = makes_priority(X, w_X) || makes_priority(G, w_G)
    ),
    clustering = with_f(
      clustering_reliability(X, G, w_X), clustering_reliability(G, X, w_G),
      made = nrow(X) > 0 || nrow(G) > 0 || collection == "open"
    )
  )
}

# The weights of section 3.1. In an open collection, the listed occurrences have
# the weights of equation (2), where c1 = c, and the tail has the rest of the
# total weight of 1 (section 3.3). In a closed collection, all occurrences have
# the same weight, and there is no tail.
occurrence_weights <- function(X, top, weight, collection) {
  n <- nrow(X)
  if (collection == "closed") return(list(listed = rep(1 / n, n), tail = 0))
  c1 <- (1 - weight) * top / weight
  listed <- numeric(n)
  for (i in seq_len(n)) {
    n_above <- sum(X$level < X$level[i])
    n_equal <- sum(X$level == X$level[i])
    listed[i] <- c1 / n_equal * (1 / (c1 + n_above) - 1 / (c1 + n_above + n_equal))
  }
  list(listed = listed, tail = c1 / (c1 + n))
}

# The relations between two occurrences a and b of the same side.
is_above <- function(X, a, b) X$level[a] < X$level[b]
is_below <- function(X, a, b) X$level[a] > X$level[b]
is_with <- function(X, a, b) X$level[a] == X$level[b] && X$cluster[a] == X$cluster[b]

# |r_X(d, e)| of section 3.2: the number of pairs of an occurrence of d and an
# occurrence of e that have the relation. An occurrence is in the same cluster as
# itself, and no cluster contains a document twice, so for clustering |r_X(d, d)|
# is the number of occurrences of d.
count_related <- function(X, is_related, d, e) {
  count <- 0
  for (a in which(X$doc == d)) {
    for (b in which(X$doc == e)) {
      if (is_related(X, a, b)) count <- count + 1
    }
  }
  count
}

# Equation (3): P(r(d, e) in G). Exchanging X and G gives equation (4).
p_related <- function(X, G, is_related, d, e) {
  in_X <- count_related(X, is_related, d, e)
  in_G <- count_related(G, is_related, d, e)
  min(in_G, in_X) / in_X
}

# Section 3.3: the probability that d is above the tail in G.
p_above_tail <- function(X, G, d) {
  min(sum(G$doc == d), sum(X$doc == d)) / sum(X$doc == d)
}

# Section 3.3: reliability over priority relations.
priority_reliability <- function(X, G, weights) {
  w <- weights$listed
  tail <- weights$tail
  R <- 0
  for (i in seq_len(nrow(X))) {
    # The paper writes 1 minus the weight of the same level. That would leave a
    # rounding error instead of 0 if there is no other level and no tail.
    W <- sum(w[X$level != X$level[i]]) + tail
    for (j in seq_len(nrow(X))) {
      for (is_related in c(is_above, is_below)) {
        if (is_related(X, i, j)) {
          R <- R + p_related(X, G, is_related, X$doc[i], X$doc[j]) * w[i] * w[j] / W
        }
      }
    }
    # The relations of the listed documents to the tail, and of the tail to them.
    if (tail > 0) {
      R <- R + p_above_tail(X, G, X$doc[i]) * w[i] * tail * (1 / W + 1 / sum(w))
    }
  }
  R
}

# Section 3.3: reliability over clustering relations.
clustering_reliability <- function(X, G, weights) {
  w <- weights$listed
  R <- 0
  for (i in seq_len(nrow(X))) {
    W <- sum(w[X$level == X$level[i] & X$cluster == X$cluster[i]])
    for (j in seq_len(nrow(X))) {
      if (is_with(X, i, j)) {
        R <- R + p_related(X, G, is_with, X$doc[i], X$doc[j]) * w[i] * w[j] / W
      }
    }
  }
  R + weights$tail
}

# Whether a side has priority relations: between two levels, or to the tail.
makes_priority <- function(X, weights) {
  length(unique(X$level)) > 1 || (nrow(X) > 0 && weights$tail > 0)
}

# Add the harmonic mean. The scores are undefined if neither side has a relation
# of this kind.
with_f <- function(reliability, sensitivity, made) {
  if (!made) return(c(reliability = NaN, sensitivity = NaN, f = NaN))
  c(reliability = reliability, sensitivity = sensitivity,
    f = harmonic_mean(reliability, sensitivity))
}

harmonic_mean <- function(a, b) if (a + b == 0) 0 else 2 * a * b / (a + b)

# Section 4.2: extended BCubed. Two documents that share several clusters count as
# one pair.
bcubed <- function(system, gold) {
  X <- check_organization(system, "system")
  G <- check_organization(gold, "gold")
  if (nrow(X) == 0 && nrow(G) == 0) return(c(precision = NaN, recall = NaN, f = NaN))
  precision <- bcubed_precision(X, G)
  recall <- bcubed_precision(G, X)
  c(precision = precision, recall = recall, f = harmonic_mean(precision, recall))
}

# The mean, over the documents d, of the mean P(r(d, e) in G) over the documents e
# that share a cluster with d in X.
bcubed_precision <- function(X, G) {
  docs <- unique(X$doc)
  if (length(docs) == 0) return(0)
  of_each <- numeric(0)
  for (d in docs) {
    of_d <- numeric(0)
    for (e in docs) {
      if (count_related(X, is_with, d, e) > 0) of_d <- c(of_d, p_related(X, G, is_with, d, e))
    }
    of_each <- c(of_each, mean(of_d))
  }
  mean(of_each)
}

# Section 4.1: the largest drop of a system from its rank under the measure to
# its rank under another measure, for the same topic. Rank 1 is the best; the
# paper numbers ranks from the worst.
strictness <- function(scores) {
  check_scores(scores)
  if (dim(scores)[3] < 2) stop("'scores' must have two measures or more", call. = FALSE)
  places <- system_places(scores)
  n <- dim(places)
  result <- stats::setNames(rep(-Inf, n[3]), dimnames(scores)[[3]])
  for (m in seq_len(n[3])) {
    for (other in setdiff(seq_len(n[3]), m)) {
      for (o in seq_len(n[1])) {
        for (t in seq_len(n[2])) {
          result[m] <- max(result[m], places[o, t, other] - places[o, t, m])
        }
      }
    }
  }
  -result / n[1]
}

# Section 4.1: the mean Spearman correlation over all pairs of topics.
robustness <- function(scores) {
  check_scores(scores)
  if (dim(scores)[2] < 2) stop("'scores' must have two topics or more", call. = FALSE)
  places <- system_places(scores)
  n <- dim(places)
  result <- stats::setNames(numeric(n[3]), dimnames(scores)[[3]])
  for (m in seq_len(n[3])) {
    correlations <- numeric(0)
    for (i in seq_len(n[2])) {
      for (j in seq_len(n[2])) {
        if (i < j) correlations <- c(correlations, stats::cor(places[, i, m], places[, j, m]))
      }
    }
    result[m] <- mean(correlations)
  }
  result
}

# The rank of each system for each topic and measure; ties have their mean rank.
system_places <- function(scores) {
  places <- scores
  for (t in seq_len(dim(scores)[2])) {
    for (m in seq_len(dim(scores)[3])) places[, t, m] <- rank(-scores[, t, m])
  }
  places
}

check_weighting <- function(top, weight) {
  if (is.null(top) || is.null(weight)) {
    stop("an open collection needs 'top' and 'weight'", call. = FALSE)
  }
  if (!is_number(top) || top < 1) stop("'top' must be a number from 1", call. = FALSE)
  if (!is_number(weight) || weight <= 0 || weight >= 1) {
    stop("'weight' must be a number between 0 and 1", call. = FALSE)
  }
}

is_number <- function(value) is.numeric(value) && length(value) == 1 && is.finite(value)

# Labels are converted to text, because factors with different levels cannot be
# compared.
check_organization <- function(side, name) {
  columns <- c("doc", "level", "cluster")
  if (!is.data.frame(side) || !all(columns %in% names(side))) {
    stop("'", name, "' must be a data frame with columns doc, level and cluster", call. = FALSE)
  }
  if (anyNA(side[columns])) stop("'", name, "' has missing values", call. = FALSE)
  if (nrow(side) > 0 && !is.numeric(side$level)) {
    stop("the levels of '", name, "' must be numbers", call. = FALSE)
  }
  side <- data.frame(doc = as.character(side$doc), level = as.numeric(side$level),
                     cluster = as.character(side$cluster))
  if (anyDuplicated(side) > 0) {
    stop("'", name, "' has the same document twice in a cluster", call. = FALSE)
  }
  side
}

check_scores <- function(scores) {
  if (!is.numeric(scores) || length(dim(scores)) != 3) {
    stop("'scores' must be a numeric array of systems, topics and measures", call. = FALSE)
  }
  if (anyNA(scores)) stop("'scores' has missing values", call. = FALSE)
}
