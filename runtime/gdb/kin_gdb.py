"""Shows Kin's entities and components in gdb.

    (gdb) source runtime/gdb/kin_gdb.py
    (gdb) print animal
    $1 = entity 7 in slot 6
    (gdb) print *game
    $2 = context game, 1 entity = {entity 7 in slot 6 = Frozen, Position {x = 1, y = 2}}
    (gdb) kin-entity game animal
    entity 7 in slot 6: Frozen, Position {x = 1, y = 2}

It reads names and types from the tables of the program (`kin_context_info`) and values from memory, in the layout of
kin/generated/storage.h. It calls no function of the program, so it works on core dumps, too. It needs the debug
information of at least one file that includes a generated header.
"""
import struct

import gdb
import gdb.printing
import gdb.types

SLOT_BITS = 24
LIST_SHOWN = 16  # elements of a list

# The format of Python's `struct` for each kin_type.
SCALARS = "?bhiqBHIQfd"
TYPE_STRING, TYPE_INLINE_STRING, TYPE_ENTITY, TYPE_ENUM, TYPE_STRUCT = range(len(SCALARS), len(SCALARS) + 5)


# ---- memory


def unpack(code, address):
    """The value at an address, in the byte order of the program."""
    order = ">" if "big endian" in gdb.execute("show endian", to_string=True) else "<"
    size = struct.calcsize(order + code)
    return struct.unpack(order + code, bytes(gdb.selected_inferior().read_memory(address, size)))[0]


def unpack_pointer(address):
    return unpack("Q" if gdb.lookup_type("void").pointer().sizeof == 8 else "I", address)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


# ---- values, described by the tables


def show_entity(entity):
    if entity == 0:
        return "no entity"
    return f"entity {entity >> SLOT_BITS} in slot {entity & (1 << SLOT_BITS) - 1}"


def show_enum(info, number):
    for i in range(int(info["value_count"])):
        if int(info["values"][i]["value"]) == number:
            return info["values"][i]["name"].string()
    return str(number)


def show_string(address):
    char = gdb.lookup_type("char").pointer()
    return quoted(gdb.Value(address).cast(char).string(errors="replace"))


def show_one(field, address, size):
    """One element of a field."""
    kind = int(field["type"])
    if kind < len(SCALARS):
        value = unpack(SCALARS[kind], address)
        return f"{value:g}" if isinstance(value, float) else str(value).lower()
    if kind == TYPE_STRING:
        pointer = unpack_pointer(address)
        return "NULL" if pointer == 0 else show_string(pointer)
    if kind == TYPE_INLINE_STRING:
        return show_string(address)
    if kind == TYPE_ENTITY:
        return show_entity(unpack("Q", address))
    if kind == TYPE_ENUM:
        return show_enum(field["of"], unpack({1: "b", 2: "h", 4: "i", 8: "q"}[size], address))
    if kind == TYPE_STRUCT:
        return show_fields(field["of"], lambda inner: address + int(inner["offset"]))
    return "..."


def show_list(field, address):
    at, size = unpack_pointer(address), int(field["element_size"])
    count = unpack("I", address + gdb.lookup_type("void").pointer().sizeof)
    shown = [show_one(field, at + i * size, size) for i in range(min(count, LIST_SHOWN))]
    more = [f"and {count - LIST_SHOWN} more"] if count > LIST_SHOWN else []
    return "[" + ", ".join(shown + more) + "]"


def show_field(field, address):
    if field["is_list"]:
        return show_list(field, address)
    count = int(field["count"])
    if count == 0:
        return show_one(field, address, int(field["size"]))
    size = int(field["size"]) // count
    return "{" + ", ".join(show_one(field, address + i * size, size) for i in range(count)) + "}"


def show_fields(info, address_of):
    """All fields of a component or struct; `address_of` returns the address of each."""
    fields = [info["fields"][i] for i in range(int(info["field_count"]))]
    shown = (f"{field['name'].string()} = {show_field(field, address_of(field))}" for field in fields)
    return "{" + ", ".join(shown) + "}"


# ---- contexts


class Context:
    """A kin_context in memory, in the layout drawn in kin/generated/storage.h."""

    def __init__(self, base):
        self.base = base
        self.info = base["info"].dereference()
        self.row_words = int(base["row_words"])
        self.chunk_type = base["chunks"].type.target().target()
        self.slots = self.chunk_type["ids"].type.sizeof // 8

    def name(self):
        return self.info["name"].string()

    def entities(self):
        """The slot of each living entity."""
        for slot in range(int(self.base["chunk_count"]) * self.slots):
            place = slot % self.slots
            if int(self.chunk(slot)["alive"][place // 64]) >> place % 64 & 1:
                yield slot

    def find(self, entity):
        """The slot of a living entity; None for any other handle."""
        slot = entity & (1 << SLOT_BITS) - 1
        exists = slot // self.slots < int(self.base["chunk_count"])
        return slot if exists and self.entity(slot) == entity else None

    def chunk(self, slot):
        return self.base["chunks"][slot // self.slots]

    def entity(self, slot):
        return int(self.chunk(slot)["ids"][slot % self.slots])

    def show_component(self, slot, number):
        place = slot % self.slots
        column = self.base["components"][number]["columns"][slot // self.slots]
        info = self.info["components"][number]
        name = info["name"].string()
        if int(info["field_count"]) == 0:
            return name
        values = int(column) + column.dereference().type.sizeof
        if info["is_soa"]:
            return f"{name} {self.show_columns(info, values, place)}"
        if info["is_boxed"]:
            pointer = gdb.lookup_type("void").pointer().sizeof
            value = unpack_pointer(values + place * pointer)
        else:
            value = values + place * int(info["size"])
        return f"{name} {show_fields(info, lambda field: value + int(field['offset']))}"

    def show_columns(self, info, values, place):
        """The value of a component with a column for each field."""
        places, begin = {}, values
        for i in range(int(info["field_count"])):
            field = info["fields"][i]
            places[field["name"].string()] = begin + place * int(field["size"])
            begin += self.slots * int(field["size"])
        return show_fields(info, lambda field: places[field["name"].string()])

    def show_components(self, slot):
        shown = []
        row = int(self.chunk(slot)) + self.chunk_type.sizeof + slot % self.slots * self.row_words * 8
        for number in range(int(self.info["component_count"])):
            if unpack("Q", row + number // 64 * 8) >> number % 64 & 1:
                shown.append(self.show_component(slot, number))
        return ", ".join(shown) if shown else "no components"


# ---- pretty printers and commands


class EntityPrinter:
    """Printer of kin_entity and the handle types of contexts."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        is_handle = self.value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT
        return show_entity(int(self.value["id"] if is_handle else self.value))


class ContextPrinter:
    """Printer of kin_context and the structs of contexts, which begin with a kin_context."""

    def __init__(self, value):
        has_base = gdb.types.has_field(value.type.strip_typedefs(), "base")
        self.context = Context(value["base"] if has_base else value)

    def to_string(self):
        count = sum(1 for _ in self.context.entities())
        return f"context {self.context.name()}, {count} {'entity' if count == 1 else 'entities'}"

    def children(self):
        for slot in self.context.entities():
            yield show_entity(self.context.entity(slot)), self.context.show_components(slot)


def is_struct_of(basic, name, kind):
    """Returns whether the first field of a struct has that name and type."""
    fields = basic.fields() if basic.code == gdb.TYPE_CODE_STRUCT else []
    return bool(fields) and fields[0].name == name and fields[0].type.name == kind


def find_printer(value):
    name, basic = value.type.unqualified().name, value.type.strip_typedefs()
    if name == "kin_entity" or (is_struct_of(basic, "id", "kin_entity") and len(basic.fields()) == 1):
        return EntityPrinter(value)
    if name == "kin_context" or is_struct_of(basic, "base", "kin_context"):
        return ContextPrinter(value)
    return None


class EntityCommand(gdb.Command):
    """kin-entity CONTEXT ENTITY: the components of an entity, with their values.

    CONTEXT is a pointer such as a game_context *, ENTITY a handle."""

    def __init__(self):
        super().__init__("kin-entity", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if len(words) != 2:
            raise gdb.GdbError("kin-entity takes a context and an entity, such as: kin-entity game animal")
        context, entity = (gdb.parse_and_eval(word) for word in words)
        while context.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
            context = context.dereference()
        context = ContextPrinter(context).context
        if entity.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT:
            entity = entity["id"]
        found = context.find(int(entity))
        if found is None:
            raise gdb.GdbError(f"{show_entity(int(entity))} is not alive in context {context.name()}")
        print(f"{show_entity(int(entity))}: {context.show_components(found)}")


find_printer.name = "kin"
find_printer.enabled = True
gdb.printing.register_pretty_printer(None, find_printer, replace=True)
EntityCommand()
