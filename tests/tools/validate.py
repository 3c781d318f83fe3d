#!/usr/bin/python3
"""Validates schemas with a JSON Schema, as an editor would.

usage: validate.py SCHEMA.json FILE...

Prints "valid", "invalid" or, if the file is not YAML, "unreadable" for each file, then its path and the first fault.
Files are read as YAML 1.2: `yes` is a string, and so is `2026-01-01`. Exit status 77 if Python lacks a module.
"""
import json
import re
import sys

try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


class Loader(yaml.SafeLoader):
    """Reads the scalars of YAML 1.2, instead of those of 1.1 as PyYAML does."""

    yaml_implicit_resolvers = {}


for name, pattern, first in [
    ("null", "~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", "true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", "[-+]?[0-9]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", list("-+.0123456789")),
]:
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{name}", re.compile(f"^(?:{pattern})$"), first)


def verdict(validator, path):
    try:
        with open(path, "rb") as file:
            schema = yaml.load(file, Loader)
    except (yaml.YAMLError, ValueError, TypeError) as error:
        return "unreadable", str(error).split("\n")[0]
    fault = next(validator.iter_errors(schema), None)
    if fault is None:
        return "valid", ""
    return "invalid", f"{'/'.join(str(part) for part in fault.absolute_path)}: {fault.message[:100]}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for path in sys.argv[2:]:
        word, fault = verdict(validator, path)
        print(f"{word} {path} {fault}".rstrip())


main()
