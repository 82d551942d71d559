coefficients <- c("tau", "tau_a", "tau_b", "tauAP", "tauAP_a", "tauAP_b")
refuse_ties_in_x <- c("tau", "tau_a", "tauAP", "tauAP_a")
refuse_ties_in_y <- c("tau", "tauAP")

call_coefficient <- function(name, ...) getExportedValue("ircorref", name)(...)

expect_refusal <- function(names, x, y, message) {
  for (name in names) {
    expect_error(call_coefficient(name, x, y), message, fixed = TRUE, info = name)
  }
}

# All rankings without ties that agree with y on the items that y does not tie.
break_ties <- function(y) {
  Filter(function(ranks) !is.unsorted(y[order(ranks)]), permutations(length(y)))
}

permutations <- function(n) {
  if (n == 0) return(list(integer(0)))
  unlist(lapply(permutations(n - 1), function(shorter) {
    lapply(seq_len(n), function(place) append(shorter, n, after = place - 1))
  }), recursive = FALSE)
}
