town() {
    printf 'kin: 1\npackage: town\n%scontexts: { game: {} }\ncomponents: { Frozen: {} }\n' "$1" > town.yaml
    $KIN $2 town.yaml
}
town 'version: 2
' lock
town 'version: 3
' check
town 'version: 1
' generate
town '' lock
