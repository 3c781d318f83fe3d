#!/usr/bin/env python3
"""Makes a content file of a Tiled map, .tmx or .tmj, with data as CSV, XML, JSON or base64.

    tiled.py [-o FILE] [--level NAME] [--at x,y] [--unit PIXELS] [--schema SCHEMA [--content PATH]... [--kin KIN]] MAP

class of an object, or of its tile   the prefab, in PascalCase
position                             knob `at`: [x, y]; --at x,0,-y for other axes, --at '' for none
name                                 `as`, in snake_case, unless several objects have it
custom properties                    knobs or fields: `interval`, `head.Gun.interval`; a class is a struct
object properties                    references
a tile layer with a class            an instance of that prefab, whose `tiles` are the numbers, row by row; 0 is no tile

Objects and tile layers without a class are left out. Each instance has the place of its object behind it. With --schema
the file is checked by `kin check`, and errors are shown at their places in the map.
"""
import argparse
import base64
import bisect
import gzip
import json
import os
import re
import struct
import subprocess
import sys
import zlib
from xml.parsers import expat

FLIPS = 0xF0000000  # the bits of a tile's number that turn it


class Fault(Exception):
    """An error at a place, (path, line, column)."""

    def __init__(self, place, message):
        super().__init__(message)
        self.place = place


class Node:
    """An element, with its attributes and the elements in it; properties are among these."""

    def __init__(self, kind, place, values):
        self.kind, self.place, self.values = kind, place, values
        self.children, self.text = [], ""

    def each(self, *kinds):
        return [child for child in self.children if child.kind in kinds]

    def number(self, name, fallback=0.0):
        try:
            return float(self.values.get(name, fallback))
        except (TypeError, ValueError):
            raise Fault(self.place, f"'{name}' is '{self.values[name]}', which is no number") from None


def shown(place):
    return ":".join(str(part) for part in place)


# ---- reading

def read_xml(path, text):
    parser, stack, roots = expat.ParserCreate(), [], []

    def start(name, values):
        if name == "properties" and stack:
            stack.append(stack[-1])  # its elements are those of its parent
            return
        node = Node(name, (path, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1), values)
        (stack[-1].children if stack else roots).append(node)
        stack.append(node)

    def characters(characters):
        if stack:
            stack[-1].text += characters

    parser.StartElementHandler, parser.CharacterDataHandler = start, characters
    parser.EndElementHandler = lambda name: stack.pop()
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise Fault((path, error.lineno, error.offset + 1), f"the file is no XML: {expat.errors.messages[error.code]}") \
            from None
    return roots[0]


class Json:
    """Reads JSON as nodes, like those of XML."""

    TOKEN = re.compile(r'[ \t\r\n]*([{}\[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}\[\],:"]+|$)')
    LISTS = {"objects": "object", "properties": "property", "tilesets": "tileset", "tiles": "tile", "layers": "layer",
             "chunks": "chunk"}
    LAYERS = {"tilelayer": "layer"}

    def __init__(self, path, text):
        self.path, self.text, self.at = path, text, 0
        self.lines = [0] + [match.end() for match in re.finditer("\n", text)]

    def place(self, offset):
        line = bisect.bisect_right(self.lines, offset)
        return self.path, line, offset - self.lines[line - 1] + 1

    def next(self):
        match = self.TOKEN.match(self.text, self.at)
        if match is None:
            raise Fault(self.place(self.at), "the file is no JSON: a string has no end")
        self.at, self.start = match.end(), match.start(1)
        return match.group(1)

    def fail(self):
        raise Fault(self.place(self.start), "the file is no JSON")

    def value(self, depth=0):
        token = self.next()
        start = self.start
        if depth > 64:
            self.fail()
        if token in ("{", "["):
            return self.collection(token == "{", start, depth)
        try:
            return json.loads(token)
        except ValueError:
            self.fail()

    def collection(self, is_map, start, depth):
        values, items, close = {}, [], "}" if is_map else "]"
        before = self.at
        if self.next() == close:
            return (self.place(start), values) if is_map else items
        self.at = before
        while True:
            key = self.value(depth + 1) if is_map else None
            if is_map and (not isinstance(key, str) or self.next() != ":"):
                self.fail()
            item = self.value(depth + 1)
            if is_map:
                values[key] = item
            else:
                items.append(item)
            token = self.next()
            if token == close:
                return (self.place(start), values) if is_map else items
            if token != ",":
                self.fail()

    def node(self, kind, placed):
        if not isinstance(placed, tuple):
            raise Fault((self.path, 1, 1), f"expected a map for '{kind}'")
        place, values = placed
        if kind == "layer":
            kind = self.LAYERS.get(values.get("type"), values.get("type"))
        node = Node(kind, place, {key: value for key, value in values.items() if not isinstance(value, (list, tuple))})
        for key, value in values.items():
            if key in self.LISTS and isinstance(value, list):
                node.children += [self.node(self.LISTS[key], item) for item in value]
        if isinstance(values.get("data"), (list, str)):
            node.children.append(self.data(place, values))
        if kind == "property" and isinstance(values.get("value"), tuple):
            for name, value in values["value"][1].items():
                node.children.append(self.node("property", (place, {"name": name, "value": value})))
            node.values["type"] = "class"
        if isinstance(values.get("object"), tuple):  # of a template
            node.children.append(self.node("object", values["object"]))
        return node

    @staticmethod
    def data(place, values):
        data = Node("data", place, {"encoding": values.get("encoding", "csv"), "compression": values.get("compression")})
        given = values["data"]
        data.text = given if isinstance(given, str) else ",".join(str(number) for number in given)
        return data


def read(path, place=None):
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        raise Fault(place or (path,), f"cannot read '{path}': {reason}") from None
    if text.lstrip().startswith("<"):
        return read_xml(path, text)
    reader = Json(path, text)
    root = reader.node("map", reader.value())
    if reader.next() != "":
        reader.fail()
    return root


# ---- values as YAML

def plain(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(int(value)) if value == int(value) else repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return "[" + ", ".join(plain(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key}: {plain(item)}" for key, item in value.items()) + " }" if value else "{}"
    if re.fullmatch(r"\.?[A-Za-z_]\w*(\.\w+)*|~", value) and value.lower() not in ("true", "false", "null", "yes", "no"):
        return value
    return json.dumps(value, ensure_ascii=False)


class Importer:
    def __init__(self, arguments):
        self.arguments, self.errors, self.instances = arguments, [], []
        self.objects, self.names, self.referred, self.left_out = {}, {}, set(), 0
        self.tiles = {}  # classes, by number

    def fault(self, place, message):
        self.errors.append((place, message))

    # ---- classes

    @staticmethod
    def class_of(node):
        return node.values.get("class") or node.values.get("type") or ""

    def read_tileset(self, node, folder):
        first = int(node.number("firstgid", 1))
        if "source" in node.values:
            node = read(os.path.join(folder, node.values["source"]), node.place)
        for tile in node.each("tile"):
            self.tiles[first + int(tile.number("id"))] = self.class_of(tile)

    def with_template(self, node, folder):
        """Returns an object with what its template has and it does not say itself."""
        if "template" not in node.values:
            return node
        path = os.path.join(folder, node.values["template"])
        found = read(path, node.place).each("object")
        if not found:
            raise Fault(node.place, f"the template '{path}' has no object")
        merged = Node("object", node.place, {**found[0].values, **node.values})
        own = {each.values.get("name") for each in node.each("property")}
        merged.children = node.children + [each for each in found[0].each("property")
                                           if each.values.get("name") not in own]
        return merged

    # ---- properties

    def scalar(self, node):
        value, kind = node.values.get("value", node.text), node.values.get("type", "string")
        try:
            if kind == "object":
                return self.reference(node, int(value))
            if isinstance(value, str):
                return {"int": int, "float": float, "bool": lambda text: text == "true"}.get(kind, str)(value)
            return value
        except (TypeError, ValueError):
            raise Fault(node.place, f"'{value}' is not of type {kind}") from None

    def reference(self, node, number):
        if number == 0:
            return "~"
        if number not in self.objects:
            raise Fault(node.place, f"property '{node.values.get('name')}' names object {number}, which is not in the map")
        self.referred.add(number)
        return ("object", number)

    def properties(self, node):
        """Returns properties as a tree: `head.Gun.interval` is in `Gun`, which is in `head`."""
        tree = {}
        for each in node.each("property"):
            *path, last = str(each.values.get("name", "")).split(".")
            if not all(re.fullmatch(r"[A-Za-z_]\w*", name) for name in (*path, last)):
                self.fault(each.place, f"'{each.values.get('name')}' is no path of names")
                continue
            below = tree
            for name in path:
                below = below.setdefault(name, {})
                if not isinstance(below, dict):
                    break
            if not isinstance(below, dict) or last in below:
                self.fault(each.place, f"property '{each.values.get('name')}' is given twice")
                continue
            try:
                is_class = each.values.get("type") == "class"
                below[last] = self.properties(each) if is_class else self.scalar(each)
            except Fault as fault:
                self.fault(fault.place, str(fault))
        return tree

    # ---- layers and objects

    def position(self, x, y):
        axes = {"x": x, "y": y, "-x": -x, "-y": -y}
        return [axes[axis] / self.arguments.unit if axis in axes else float(axis)
                for axis in self.arguments.at.split(",")]

    def add_object(self, node, x, y):
        prefab = self.class_of(node) or self.tiles.get(int(node.number("gid")) & ~FLIPS, "")
        if prefab == "":
            self.left_out += 1
            return
        values = {}
        if self.arguments.at:
            values["at"] = self.position(x + node.number("x"), y + node.number("y"))
        values.update(self.properties(node))
        self.add(node, prefab, values)

    def add(self, node, prefab, values):
        name = "".join(word[0].upper() + word[1:] for word in re.split(r"[\W_]+", prefab) if word)
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name):
            self.fault(node.place, f"class '{prefab}' cannot be the name of a prefab; such names are in PascalCase")
            return
        prefab = name
        self.instances.append((node, prefab, values))

    def tiles_of(self, layer):
        data = layer.each("data") or [layer]
        if data[0].each("chunk"):
            raise Fault(data[0].place, "infinite maps are not read; clear 'Infinite' in the properties of the map")
        if data[0] is layer:
            raise Fault(layer.place, "the layer has no data")
        numbers = self.numbers(data[0])
        width, height = int(layer.number("width")), int(layer.number("height"))
        if len(numbers) != width * height:
            raise Fault(data[0].place, f"the layer has {len(numbers)} tiles; {width} x {height} are {width * height}")
        return [number & ~FLIPS for number in numbers], width

    @staticmethod
    def numbers(data):
        encoding, compression = data.values.get("encoding"), data.values.get("compression") or ""
        try:
            if encoding is None:
                return [int(tile.number("gid")) for tile in data.each("tile")]
            if encoding == "csv":
                return [int(number) for number in data.text.replace("\n", " ").split(",") if number.strip()]
            unpack = {"": bytes, "zlib": zlib.decompress, "gzip": gzip.decompress}
            if encoding == "base64" and compression in unpack:
                packed = unpack[compression](base64.b64decode(data.text.strip(), validate=True))
                return [number for number, in struct.iter_unpack("<I", packed)]
        except (ValueError, OSError, EOFError, zlib.error, struct.error) as error:
            raise Fault(data.place, f"the data cannot be read: {error}") from None
        raise Fault(data.place, f"data as {' '.join((encoding, compression)).strip()} is not read; choose CSV in the "
                                "properties of the map")

    def add_layer(self, layer):
        prefab = self.class_of(layer)
        if layer.values.get("type") == "tilelayer":
            prefab = layer.values.get("class", "")
        if prefab == "":
            self.left_out += 1
            return
        tiles, width = self.tiles_of(layer)
        self.add(layer, prefab, {"tiles": (tiles, width), **self.properties(layer)})

    def each_layer(self, node, x=0.0, y=0.0):
        for layer in node.each("layer", "objectgroup", "group"):
            at = x + layer.number("offsetx"), y + layer.number("offsety")
            if layer.kind == "group":
                yield from self.each_layer(layer, *at)
            else:
                yield layer, at

    def walk(self, root, folder):
        found = []
        for layer, at in self.each_layer(root):
            if layer.kind == "layer":
                found.append((layer, at))
            for node in layer.each("object") if layer.kind == "objectgroup" else []:
                try:
                    node = self.with_template(node, folder)
                    self.objects[int(node.number("id"))] = node
                    found.append((node, at))
                except Fault as fault:
                    self.fault(fault.place, str(fault))
        for node, at in found:
            try:
                if node.kind == "layer":
                    self.add_layer(node)
                else:
                    self.add_object(node, *at)
            except Fault as fault:
                self.fault(fault.place, str(fault))

    # ---- names

    def warn(self, node, message):
        print(f"{shown(node.place)}: warning: {message}", file=sys.stderr)

    def name_all(self):
        """Names instances: as their objects, if only one has that name; else by the number if another object refers."""
        wanted = {}
        for node, _, _ in self.instances:
            name = str(node.values.get("name") or "")
            name = re.sub(r"\W+|(?<=[a-z0-9])(?=[A-Z])", "_", name).strip("_").lower()
            wanted.setdefault(name, []).append(node)
        for name, nodes in wanted.items():
            is_valid = re.fullmatch(r"[a-z][a-z0-9_]*", name) is not None
            for node in nodes:
                is_referred = node.kind == "object" and int(node.number("id")) in self.referred
                if is_valid and len(nodes) == 1:
                    self.names[node] = name
                elif is_referred:
                    self.names[node] = f"object_{int(node.number('id'))}"
            if name != "" and not is_valid:
                self.warn(nodes[0], f"'{nodes[0].values['name']}' cannot be the name of an instance, and is left out")
            elif name != "" and len(nodes) > 1:
                self.warn(nodes[0], f"{len(nodes)} objects are named '{name}', which is left out")
        placed = {int(node.number("id")) for node, _, _ in self.instances if node.kind == "object"}
        for number in sorted(self.referred - placed):
            self.fault(self.objects[number].place, f"object {number} is referred to, and has no class")

    def resolved(self, value):
        if isinstance(value, dict):
            return {key: self.resolved(item) for key, item in value.items()}
        if isinstance(value, tuple) and value[0] == "object":
            return self.names[self.objects[value[1]]]
        return value

    # ---- writing

    def lines(self, level):
        """Returns the lines of the file, and the place in the map of each."""
        lines = [("content: 1", None), (f"# Made from {os.path.basename(self.arguments.map)} by tiled.py.", None),
                 ("levels:", None), (f"  {level}:", None), ("    place:" + ("" if self.instances else " []"), None)]
        for node, prefab, values in self.instances:
            name = self.names.get(node)
            body = {**values, "as": name} if name else dict(values)
            tiles = body.pop("tiles", None) if isinstance(body.get("tiles"), tuple) else None
            behind = f"# {os.path.basename(node.place[0])}:{node.place[1]}"
            if tiles is None:
                lines.append((f"      - {prefab}: {plain(self.resolved(body))} {behind}", node.place))
                continue
            lines.append((f"      - {prefab}: {behind}", node.place))
            lines += [(f"          {key}: {plain(self.resolved(item))}", node.place) for key, item in body.items()]
            rows = [tiles[0][at:at + tiles[1]] for at in range(0, len(tiles[0]), tiles[1])]
            for at, row in enumerate(rows):
                begin = "          tiles: [" if at == 0 else "            "
                end = "]" if at + 1 == len(rows) else ","
                lines.append((begin + ", ".join(str(number) for number in row) + end, node.place))
        return lines


def check(arguments, lines):
    """Returns the errors that `kin check` finds in the file, at their places in the map."""
    command = [arguments.kin, "check", "--diagnostics", "json", arguments.schema, *arguments.content, arguments.output]
    try:
        run = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        raise Fault((arguments.kin,), f"cannot be run: {error.strerror}") from None
    errors = []
    for line in run.stderr.splitlines():
        found = json.loads(line) if line.startswith("{") else {"severity": "error", "message": line}
        is_here = found.get("file") == arguments.output and 0 < found.get("line", 0) <= len(lines)
        place = lines[found["line"] - 1][1] if is_here else None
        if place is None:
            place = tuple(found[key] for key in ("file", "line", "column") if found.get(key))
        hint = f"; {found['hint']}" if found.get("hint") else ""
        if found.get("fix"):
            hint = f"; did you mean '{found['fix']}'?"
        if found.get("severity", "error") == "error":
            errors.append((place, f"{found['message']}{hint} [{found.get('code', 'kin')}]"))
    return errors


def make(arguments):
    importer = Importer(arguments)
    folder = os.path.dirname(arguments.map)
    root = read(arguments.map)
    if root.kind != "map" or not root.each("layer", "objectgroup", "group", "imagelayer", "tileset"):
        raise Fault(root.place, "this is no map of Tiled, or it is empty")
    for tileset in root.each("tileset"):
        try:
            importer.read_tileset(tileset, folder)
        except Fault as fault:
            importer.fault(fault.place, str(fault))
    importer.walk(root, folder)
    importer.name_all()
    level = arguments.level or re.sub(r"\W+", "_", os.path.splitext(os.path.basename(arguments.map))[0]).lower()
    if importer.errors:
        return importer.errors
    lines = importer.lines(level)
    text = "".join(line + "\n" for line, _ in lines)
    if arguments.output is None:
        sys.stdout.write(text)
    else:
        with open(arguments.output, "w", encoding="utf-8") as file:
            file.write(text)
    if importer.left_out > 0:
        print(f"{arguments.map}: {importer.left_out} objects and layers without a class are left out", file=sys.stderr)
    return check(arguments, lines) if arguments.schema else []


def axes(text):
    for axis in text.split(",") if text else []:
        if axis not in ("x", "y", "-x", "-y"):
            float(axis)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("map")
    parser.add_argument("-o", dest="output", help="the content file; standard output without it")
    parser.add_argument("--level", help="its name; that of the map without it")
    parser.add_argument("--at", default="x,y", type=axes, help="the axes of the knob at")
    parser.add_argument("--unit", default=1.0, type=float, help="pixels of a unit")
    parser.add_argument("--schema", help="check the file against this schema; needs -o")
    parser.add_argument("--content", action="append", default=[], help="more content, for --schema")
    parser.add_argument("--kin", default="kin")
    arguments = parser.parse_args()
    if arguments.schema and not arguments.output:
        parser.error("--schema needs -o FILE")
    if arguments.unit <= 0:
        parser.error("--unit must be above 0")
    try:
        errors = make(arguments)
    except Fault as fault:
        errors = [(fault.place, str(fault))]
    except OSError as error:
        errors = [((arguments.output,), error.strerror)]
    for place, message in errors:
        print(f"{shown(place)}: error: {message}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
