library(testthat)
library(ircorref)

test_check("ircorref")
