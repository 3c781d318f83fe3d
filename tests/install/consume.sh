#!/usr/bin/env bash
# Builds the project of this folder as a user of Kin would, and again after the usual changes of projects:
# consume.sh PROGRAM COMMAND…, where the command builds it. Prints what is wrong.
set -euo pipefail
program=$1
shift

fail() {
    echo "$*"
    cat log
    exit 1
}
build() {
    "$@" > log 2>&1 || fail "it does not build"
}
# All built files, with their times.
built() {
    find . -type f \( -name '*.[cho]' -o -path "./$program" \) -printf '%p %T@\n' | sort
}
expect_same() {
    [ "$(built)" = "$before" ] || fail "$1: $(diff <(echo "$before") <(built))"
}

build "$@"
[[ $("./$program") = "the cat is at 4, with Kin "* ]] || fail "the cat is elsewhere"

before=$(built)
build "$@"
expect_same "what is unchanged was built again"
! grep -E 'kin generate|Generating|Re-running' log || fail "kin ran for a schema that is unchanged"

touch town.yaml shared/places.yaml
build "$@"
expect_same "what a schema gives as before was built again"

header=$(find . -name town.h)
rm "$header"
build "$@"
[ -e "$header" ] || fail "a deleted output did not come back"

sed -i 's/y: float/y: float, height: float/' shared/places.yaml
build "$@"
grep -rq --include='*.h' 'float height;' . || fail "a change of an included schema made no difference"

sed -i 's/height: float/height: flaot/' shared/places.yaml
if "$@" > log 2>&1; then
    fail "it builds with a fault in the schema"
fi
grep -q "places.yaml:3:.*: error: unknown type 'flaot' for field 'height' of component 'Position'" log || fail "no word of kin"

sed -i 's/height: flaot/height: float/' shared/places.yaml
build "$@"
"./$program" > /dev/null
