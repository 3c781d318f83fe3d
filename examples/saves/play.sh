#!/usr/bin/env bash
# Plays examples/saves: the first version of the town saves and records a game, the third one reads and plays it; then
# kin shows what would happen without the word `was`.
#
#   examples/saves/play.sh BUILD
set -euo pipefail
build=$(realpath "$1")
readonly build kin=$build/bin/kin
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

"$build/examples/saves/town_v1" "$scratch/town.kin" "$scratch/recording.kin"
"$build/examples/saves/town_v3" "$scratch/town.kin" "$scratch/recording.kin"

echo
echo "the third version, as it is:"
"$kin" breaking v1/town.yaml v3/town.yaml 2>&1
echo
echo "the third version without 'was: Speed':"
if sed 's/was: Speed, //' v3/town.yaml | "$kin" breaking v1/town.yaml - 2>&1; then
    echo "it was not refused" >&2
    exit 1
fi
