"""Runs the pipeline on a table, with modules of `fixes` in place of those of `src`.

`python3 run.py TABLE [FIX]…`: of several fixes that change a module, the last one counts.
"""

import gc
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[0] = os.path.join(HERE, "src")
for fix in sys.argv[2:]:
    sys.path.insert(0, os.path.join(HERE, "fixes", fix))

import pipeline

# Kept until the end, as a service keeps it.
DAY = pipeline.load(sys.argv[1])
pipeline.show(DAY)

# What waits for a collection, and the interpreter's free lists, are no part of what is held.
gc.collect()
