#!/usr/bin/env bash
# Prints the schema of a context with as many components as the argument says, of which the first is used.
set -euo pipefail
cat << END
kin: 1
package: breadth
contexts: { game: {} }
components:
  Body: { fields: { x: float, y: float, z: float } }
END
for ((i = 2; i <= $1; i++)); do echo "  Extra$i: { fields: { value: float } }"; done
echo "groups: { bodies: { context: game, all: [Body] } }"
