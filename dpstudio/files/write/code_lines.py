"""Lines of Python that are too long, broken within their brackets."""

import io
import tokenize

WIDTH = 100


def fitted(code: str) -> str:
    """The code with no line longer than WIDTH where a bracket lets it be broken; a comment behind a
    line that is too long stands above it."""
    return "\n".join(_fitted(line) if len(line) > WIDTH else line for line in code.split("\n"))


def _fitted(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(line.strip()).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):  # a part of a statement
        return line
    comment = next((token for token in tokens if token.type == tokenize.COMMENT), None)
    if comment is not None:
        bare = line.strip()[: comment.start[1]].rstrip()
        return f"{indent}{comment.string}\n" + (
            _fitted(indent + bare) if len(indent + bare) > WIDTH else indent + bare
        )
    out, at, depth, last, sign = [indent], 0, 0, 0, 0
    for token in tokens:
        text = token.string
        if not text.strip():
            continue
        gap = " " if token.start[1] > last else ""
        if depth and at + len(indent) + len(gap) + len(text) > WIDTH - 2 and out[-1].strip():
            out.append(f"{indent}    ")
            at, gap = 4, ""
        depth += (text in "([{") - (text in ")]}")
        if text == "=" and not depth and not sign:  # none within a word or a call
            sign = token.start[1]
        out[-1] += gap + text
        at, last = at + len(gap) + len(text), token.end[1]
    name, value = line.strip()[:sign].rstrip(), line.strip()[sign + 1 :].lstrip()
    if any(len(each) > WIDTH for each in out) and sign and not value.startswith("("):
        return _fitted(f"{indent}{name} = ({value})")  # then a bracket is about all of it
    return "\n".join(out)
