# The record of what other packages answered is not part of this package. The
# environment variable IRCOR_RECORD has the path of its folder.
read_record <- function(file) {
  folder <- Sys.getenv("IRCOR_RECORD")
  skip_if(folder == "", "IRCOR_RECORD is not set: it must be the path of the record's folder")
  skip_if_not_installed("jsonlite")
  lapply(readLines(file.path(folder, file)), jsonlite::fromJSON)
}
