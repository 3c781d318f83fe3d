#!/usr/bin/env python3
"""Checks the rooms: the folders of C that tests/tools/rooms.txt lists in their order.

    lint_rooms.py BUILD [ROOMS]     BUILD has the object of every source; ROOMS is that list

A file includes and calls only files of its own room and of the rooms listed before it. Files of one room form no cycle,
unless the header of that room names them in one line that begins with "Cycle:". A room has one header, with its name,
that begins with its line of the list; what only its own files share is in its internal.h.
"""
import glob, os, re, subprocess, sys

build, listing = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "tests/tools/rooms.txt"
lines = [line.split(None, 1) for line in open(listing) if line.strip() and line[0] != "#"]
rooms = {room: place for place, (room, _) in enumerate(lines)}
faults = []


def room_of(path):
    return os.path.dirname(path)


def is_internal(path):
    return os.path.basename(path) == "internal.h"


def edges_of_includes(path):
    roots = [os.path.dirname(room_of(path)), os.path.dirname(path), "runtime/src", "save/src", "net/src", "nats/src", "enet/src", "content/src"]
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', open(path).read(), re.M):
        yield next((f for f in (f"{root}/{name}" for root in roots) if os.path.exists(f)), name), "includes"


def edges_of_links(sources):
    owner, wanted = {}, []
    for path in sources:
        symbols = subprocess.check_output(["nm", f"{build}/{path[:-2]}.o"], text=True).splitlines()
        for kind, name in (line.split()[-2:] for line in symbols):
            owner.update({name: path} if kind in "TDBRVWC" else {})
            wanted += [(path, name)] if kind == "U" else []
    return [(path, owner[name], f"calls {name} of") for path, name in wanted if owner.get(name, path) != path]


def cycles(graph):
    reached = {}
    for start in graph:
        reached[start], queue = set(), [start]
        while queue:
            new = graph.get(queue.pop(), set()) - reached[start]
            reached[start] |= new
            queue += new
    return {frozenset(b for b in reached[a] if a in reached.get(b, ())) for a in graph if a in reached[a]}


files = sorted(f for room in rooms for f in glob.glob(f"{room}/*.[ch]"))
sources = [f for f in files if f.endswith(".c")]
edges = [(f, to, how) for f in files for to, how in edges_of_includes(f)] + edges_of_links(sources)
for path, to, how in edges:
    here, there = room_of(path), room_of(to)
    if there not in rooms:
        faults.append(f"{path}: {how} {to}, which is in no room of {listing}")
    elif rooms[there] > rooms[here]:
        faults.append(f"{path}: {how} {to}, but {there} is listed after {here}")
    elif there != here and is_internal(to) and how == "includes":
        faults.append(f"{path}: {how} {to}, which is internal to {there}")

for room, line in lines:
    inside = {f: {to for at, to, _ in edges if at == f and room_of(to) == room} for f in files if room_of(f) == room}
    header = f"{room}/{os.path.basename(room)}.h"
    head = open(header).read() if os.path.exists(header) else ""
    if not head.startswith(f"// {os.path.basename(room)}: {line.strip()}\n"):
        faults.append(f"{header}: does not begin with '// {os.path.basename(room)}: {line.strip()}'")
    named = [set(re.findall(r"[\w/]+\.[ch]", text)) for text in re.findall(r"^// Cycle:(.*)", head, re.M)]
    for cycle in cycles(inside):
        if not any({os.path.relpath(f, room) for f in cycle} <= names for names in named):
            faults.append(f"{room}: {', '.join(sorted(cycle))} need each other, and {header} does not say so")
for path in files:
    comment = " ".join(re.findall(r"^//(.*)", open(path).read(), re.M))
    if path.endswith(".h") and re.search(r"\bprivate to\b", comment, re.I):
        faults.append(f"{path}: is private by a comment; move it to {room_of(path)}/internal.h")
for parent in {os.path.dirname(room) for room in rooms}:
    for folder, folders, names in os.walk(parent):
        if any(name[-2:] in (".c", ".h") for name in names) and room_of(f"{folder}/x") not in rooms:
            faults.append(f"{folder}: is in no room of {listing}")
print("".join(f"{fault}\n" for fault in faults), end="", file=sys.stderr)
sys.exit(bool(faults))
