head='{"kin":1,"package":"tiny"}'
pack() { printf '%s\n' "$@" | $KIN pack -o tiny.kin tiny.yaml; }
pack '{"kin":2,"package":"tiny"}'
pack '{"kin":1,"package":"other"}'
pack '{"game":"1@0"}'
printf '' | $KIN pack -o tiny.kin tiny.yaml
context=$(sed -n 's/^contexts: *{ *\([a-z]*\).*/\1/p' tiny.yaml)
pack "$head" "{\"$context\":\"1@0\"}" "{\"$context\":\"2@0\"}"
pack "$head" "{\"$context\":\"1@0\"}" "{\"$context\":\"1@1\"}"
test -e tiny.kin && exit 9
exit 1
