"""Reads the standard library's source into trees and writes it again: deep recursion over many small objects."""

import ast
import glob
import os

total = 0
for path in sorted(glob.glob(os.path.join(os.path.dirname(os.__file__), "*.py")))[:150]:
    with open(path, encoding="utf-8") as file:
        total += len(ast.unparse(ast.parse(file.read())))
print(total)
