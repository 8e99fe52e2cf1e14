"""Which line an instruction is of, and the name of what it calls, by the code alone."""

import sys
from _opcode import stack_effect

import opcode

MINOR = sys.version_info[1]
HAVE_ARGUMENT = opcode.HAVE_ARGUMENT
EXTENDED = opcode.EXTENDED_ARG
NAMES = opcode.opname

# What leads elsewhere: what stands before was not done before.
LEAVES = ("JUMP_FORWARD", "JUMP_ABSOLUTE", "RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE")
# What pushes nothing, and leaves what is on top.
NEUTRAL = ("POP_TOP", "STORE_", "NOP", "KW_NAMES", "RESUME", "COPY", "SWAP", "DUP_TOP", "POP_JUMP")

GATHERED = {"LIST_APPEND": "<listcomp>", "SET_ADD": "<setcomp>", "MAP_ADD": "<dictcomp>"}


class Code:
    """A code object."""

    def __init__(self, code):
        self.code = code
        self.lines = None
        self.steps = None

    def line(self, offset):
        """The line of an instruction."""
        if offset < 0:
            return self.code.co_firstlineno
        if self.lines is None:
            self.lines = list(lines(self.code))
        found = self.code.co_firstlineno
        for start, end, line in self.lines:
            if start <= offset < end and line is not None:
                return line
            if start <= offset and line is not None:
                found = line
        return found

    def call(self, offset):
        """The name of what an instruction calls, as far as the code tells; None where it calls nothing."""
        try:
            return self.named(offset)
        except Exception:  # an instruction that is not known tells nothing
            return None

    def named(self, offset):
        if self.steps is None:
            self.steps = list(steps(self.code.co_code))
            self.places = {at: number for number, (at, _, _) in enumerate(self.steps)}
        place = self.places.get(offset)
        if place is None:
            return None
        _, op, argument = self.steps[place]
        if op in GATHERED:
            # What is written out entry by entry lies on top.
            return GATHERED[op] if argument > 1 else None
        if op == "BUILD_LIST" and argument == 0:
            follows = self.steps[place + 1][1] if place + 1 < len(self.steps) else ""
            return "<listcomp>" if self.code.co_name == "<listcomp>" or follows == "SWAP" else None
        deep = depth(op, argument)
        if deep is None:
            return None
        found = self.pushed(place, deep)
        # A function that is no method has nothing below it, up to 3.12.
        if found == "PUSH_NULL":
            found = self.pushed(place, deep - 1)
        return found if found != "PUSH_NULL" else None

    def pushed(self, place, deep):
        """The name of what lies so deep when the instruction at a place begins."""
        # Places on the stack are counted from where it is now.
        target, after = -1 - deep, 0
        is_behind_loop = False
        for number in range(place - 1, -1, -1):
            _, op, argument = self.steps[number]
            if op.startswith(LEAVES):
                return None
            effect = stack_effect(opcode.opmap[op], argument if opcode.opmap[op] >= HAVE_ARGUMENT else None, jump=False)
            if op.startswith("JUMP_BACKWARD") and is_behind_loop:
                # What ends the loop came from its head, with one place more.
                effect = 1
            is_behind_loop = op == "END_FOR"
            before = after - effect
            is_attribute = op in ("LOAD_METHOD", "LOAD_ATTR", "LOAD_SUPER_ATTR")
            if target >= before - is_attribute:
                return self.name(op, argument)
            if after - 1 == target and not op.startswith(NEUTRAL):
                return None
            after = before
        return None

    def name(self, op, argument):
        code = self.code
        if op == "PUSH_NULL":
            return op
        if op in ("LOAD_METHOD", "LOAD_NAME"):
            return code.co_names[argument]
        if op == "LOAD_GLOBAL":
            return code.co_names[argument >> 1 if MINOR >= 11 else argument]
        if op == "LOAD_ATTR":
            return code.co_names[argument >> 1 if MINOR >= 12 else argument]
        if op == "LOAD_SUPER_ATTR":
            return code.co_names[argument >> 2]
        if op in ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW"):
            return code.co_varnames[argument]
        if op in ("LOAD_DEREF", "LOAD_CLASSDEREF") and MINOR < 11:
            return (code.co_cellvars + code.co_freevars)[argument]
        return None


def depth(op, argument):
    """How deep under what it is handed a call has what it calls; None for what is no call."""
    if op == "CALL_FUNCTION":
        return argument
    if op == "CALL" and MINOR == 11:
        return 1  # the instruction before has taken the arguments
    if op in ("CALL_FUNCTION_KW", "CALL_METHOD", "CALL", "PRECALL"):
        return argument + 1
    if op == "CALL_KW":
        return argument + 2
    if op == "CALL_FUNCTION_EX":
        if MINOR >= 14:
            return 3
        return (2 if MINOR == 13 else 1) + (argument & 1)
    return None


def steps(code):
    """Instructions: offset, name, argument."""
    extended = 0
    for at in range(0, len(code), 2):
        op = code[at]
        if NAMES[op] == "CACHE":
            continue
        argument = code[at + 1] | extended
        extended = argument << 8 if op == EXTENDED else 0
        if op != EXTENDED:
            yield at, NAMES[op], argument


def lines(code):
    """Stretches of instructions: first, behind the last, line."""
    if hasattr(code, "co_lines"):
        yield from code.co_lines()
        return
    line, at = code.co_firstlineno, 0
    table = code.co_lnotab
    for step, more in zip(table[::2], table[1::2]):
        if step:
            yield at, at + step, line
        at += step
        line += more - 256 if more >= 128 else more
    yield at, len(code.co_code), line
