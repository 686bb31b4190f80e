"""What is no delimited text: workbooks, JSON, databases, arrays, pictures, packed files."""
