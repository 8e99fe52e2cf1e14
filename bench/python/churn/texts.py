"""Compares and wraps texts: difflib, textwrap and regular expressions of the standard library."""

import difflib
import os
import re
import textwrap

with open(os.__file__, encoding="utf-8") as file:
    LINES = file.read().splitlines(True)
OTHERS = [line.replace("path", "p") if number % 5 else line for number, line in enumerate(LINES)]
total = 0
for _ in range(12):
    total += len(list(difflib.unified_diff(LINES[:800], OTHERS[:800])))
for _ in range(150):
    for paragraph in re.split(r"\n\s*\n", "".join(LINES)):
        total += len(textwrap.fill(paragraph, 60))
print(total)
