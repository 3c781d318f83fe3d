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
components: { Below: { fields: { of: { type: entity<game>, on_destroy: clear } } }, Crown: { unique: true } }
END
below() { printf '%s\n' "$@" | $KIN pack -o tiny.kin tree.yaml; }
below "$head" '{"game":"1@0","Below":{"of":"2@1"}}'
below "$head" '{"game":"1@0","Crown":true}' '{"game":"2@1","Crown":true}'
test -e tiny.kin && exit 9
exit 1
