"""The rows of a table as codes, whose people are found, hidden or masked: what the labs beside it
share."""
