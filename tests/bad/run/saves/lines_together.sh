head='{"kin":1,"package":"tiny"}'
pack() { printf '%s\n' "$@" | $KIN pack -o tiny.kin tiny.yaml; }
pack '{"kin":2,"package":"tiny"}'
pack '{"kin":1,"package":"other"}'
pack '{"game":"1@0"}'
printf '' | $KIN pack -o tiny.kin tiny.yaml
printf '    \n' | $KIN pack -o tiny.kin tiny.yaml
context=$(sed -n 's/^contexts: *{ *\([a-z]*\).*/\1/p' tiny.yaml)
pack "$head" "{\"$context\":\"1@0\"}" "{\"$context\":\"2@0\"}"
pack "$head" "{\"$context\":\"1@0\"}" "{\"$context\":\"1@1\"}"
cat > tree.yaml << 'END'
kin: 1
package: tiny
contexts: { game: { default: true } }
types: { Place: { fields: { x: float, y: float } } }
components:
  Under: { fields: { of: { type: entity<game>, on_destroy: clear } } }
  Crown: { unique: true }
  Name:  { fields: { value: { type: string, index: primary } } }
  Cell:  { fields: { at: Place, level: int32 } }
indices: { place: { context: game, kind: primary, key: [Cell.at, Cell.level], none: [Crown] } }
END
below() { printf '%s\n' "$@" | $KIN pack -o tiny.kin tree.yaml; }
below "$head" '{"game":"1@0","Under":{"of":"2@1"}}'
below "$head" '{"game":"1@0","Crown":true}' '{"game":"2@1","Crown":true}'
below "$head" '{"game":"1@0","Name":{"value":null}}' '{"game":"2@1","Name":{"value":null}}' \
    '{"game":"3@2","Name":{"value":"Ada"}}' '{"game":"4@3","Name":{"value":"Ad"}}' '{"game":"5@4","Name":{"value":"Ada"}}'
cell() { echo "{\"game\":\"$1\",\"Cell\":{\"at\":{\"x\":$2,\"y\":1},\"level\":$3}${4-}}"; }
below "$head" "$(cell 1@0 0 7)" "$(cell 2@1 0 8)" "$(cell 3@2 -0.0 7 ',"Crown":true')" "$(cell 4@3 -0.0 7)" \
    "$(cell 5@4 '"nan"' 7)" "$(cell 6@5 '"nan"' 7)"
below "$head" '{"game":"1@0"}' '{"frame":0,"delta":0.5}' '{"frame":1,"delta":0.5}'
test -e tiny.kin && exit 9
exit 1
