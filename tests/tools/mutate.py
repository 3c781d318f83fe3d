#!/usr/bin/env python3
# Makes one of the faults of tests/mutants in a copy of the sources, and says what a fault is about.
#
#   tests/tools/mutate.py list               the names of all faults
#   tests/tools/mutate.py check              finds the place of each in the sources; fails if one has none
#   tests/tools/mutate.py rule NAME          the rule that it breaks
#   tests/tools/mutate.py make NAME FOLDER   makes it in the sources in FOLDER, and prints the files that it changes
#
# A fault is described in tests/mutants/*.txt:
#
#   mutant 12-previous-and-value-swapped
#   rule DSP-04
#   A replace shows the new value as the previous one.
#   in runtime/src/entity/change.c: kin__replace_fast
#   - {context, NULL, entity, id, 0, previous, value}
#   + {context, NULL, entity, id, 0, value, previous}
#
# The lines with - stand once in that function, or in the file if no function is named, whatever their indentation; a line
# may be a part of a line. The lines with + come in their place. There may be several places.
import glob
import os
import re
import sys


class Place:
    def __init__(self, path, function):
        self.path, self.function = path, function
        self.before, self.after = [], []


class Mutant:
    def __init__(self, name):
        self.name, self.rule, self.about, self.places = name, None, [], []


def read_mutants():
    mutants = {}
    for path in sorted(glob.glob("tests/mutants/*.txt")):
        mutant = None
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            line = line.rstrip("\n")
            word, _, rest = line.partition(" ")
            if word == "mutant":
                mutant = mutants[rest] = Mutant(rest)
            elif line == "" or line.startswith("#"):
                continue
            elif mutant is None:
                sys.exit(f"{path}:{number}: no mutant begins before this line")
            elif word == "rule":
                mutant.rule = rest
            elif word == "in":
                file, _, function = rest.partition(": ")
                mutant.places.append(Place(file, function))
            elif word == "-":
                mutant.places[-1].before.append(rest)
            elif word == "+":
                mutant.places[-1].after.append(rest)
            else:
                mutant.about.append(line)
    return mutants


# Returns the lines of a function from the line of its name to that of its end, as a range.
def find_function(lines, name):
    head = re.compile(rf"^[A-Za-z].*\b{re.escape(name)}\(")
    for first, line in enumerate(lines):
        if not head.match(line):
            continue
        for last in range(first, len(lines)):
            if lines[last].rstrip().endswith(";") and last - first < 8 and "{" not in "".join(lines[first : last + 1]):
                break  # a declaration
            if lines[last] == "}":
                return range(first, last + 1)
    return None


def find_place(lines, place):
    found = []
    rows = find_function(lines, place.function) if place.function else range(len(lines))
    for first in rows or []:
        last = first + len(place.before) - 1
        if last >= rows.stop:
            break
        if len(place.before) == 1:
            found += [first] * lines[first].count(place.before[0].strip())
        elif all(lines[first + i].strip() == part.strip() for i, part in enumerate(place.before)):
            found.append(first)
    return found


def read_lines(path):
    return open(path, encoding="utf-8").read().split("\n") if os.path.exists(path) else []


# Returns the first line of each place. Ends with a message if a place is not there once.
def find_all(mutant, folder):
    found = []
    for place in mutant.places:
        rows = find_place(read_lines(os.path.join(folder, place.path)), place)
        if len(rows) != 1:
            where = f"{place.function} of {place.path}" if place.function else place.path
            sys.exit(f"{mutant.name}: {where} has it {len(rows)} times, not once: {place.before[0]}")
        found.append((place, rows[0]))
    return found


def change(lines, place, first):
    indent = re.match(r"\s*", lines[first]).group()
    count, after = len(place.before), place.after
    if count == 1:
        head, _, tail = lines[first].partition(place.before[0].strip())
        after = [head.lstrip() + (after[0] if after else "")] + after[1:]
        after[-1] += tail
    lines[first : first + count] = [indent + line for line in after if line.strip()]


def make(mutant, folder):
    for place, first in sorted(find_all(mutant, folder), key=lambda each: -each[1]):
        path = os.path.join(folder, place.path)
        lines = read_lines(path)
        change(lines, place, first)
        open(path, "w", encoding="utf-8").write("\n".join(lines))
        print(place.path)


def main():
    mutants = read_mutants()
    if sys.argv[1:] == ["list"]:
        print("\n".join(mutants))
    elif sys.argv[1:] == ["check"]:
        for mutant in mutants.values():
            find_all(mutant, ".")
            if mutant.rule is None:
                sys.exit(f"{mutant.name} does not name the rule that it breaks")
    elif len(sys.argv) == 3 and sys.argv[1] == "rule":
        print(mutants[sys.argv[2]].rule or "")
    elif len(sys.argv) == 4 and sys.argv[1] == "make":
        make(mutants[sys.argv[2]], sys.argv[3])
    else:
        sys.exit("usage: tests/tools/mutate.py list | check | rule NAME | make NAME FOLDER")


main()
