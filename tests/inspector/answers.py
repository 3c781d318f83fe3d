# Checks answers of an inspector against its OpenRPC document: the first line is the document, each other line the name
# of a method, a space and its result. Prints `ok`, or what does not fit.
import json
import sys

import jsonschema

lines = sys.stdin.read().splitlines()
document = json.loads(lines[0])
schemas = {method["name"]: method["result"]["schema"] for method in document["methods"]}
asked = set()
for line in lines[1:]:
    name, result = line.split(" ", 1)
    jsonschema.Draft7Validator.check_schema(schemas[name])
    errors = list(jsonschema.Draft7Validator(schemas[name]).iter_errors(json.loads(result)))
    for error in errors:
        print(name, list(error.path), error.message)
    asked.add(name)
# Content is asked by a suite of its own.
part = sys.argv[1] if len(sys.argv) > 1 else ""
schemas = {name: schema for name, schema in schemas.items() if name.startswith("content.") == (part == "content.")}
with_schema = {name for name, schema in schemas.items() if schema} - {"entities.spawn"}  # like entities.create
print("ok" if with_schema <= asked else f"not asked: {sorted(with_schema - asked)}")
