#!/usr/bin/env bash
# Writes the golden files: the messages of kin for the schemas of tests/bad and tests/advice, its output for other
# schemas, and the output of the examples. Review every difference: this script accepts all of them.
#
#   tests/tools/golden.sh KIN EXAMPLES [FOLDER]     with a folder: below it instead of here
set -euo pipefail
cd "$(dirname "$0")/../.."
readonly kin=$(realpath "$1") examples=$(realpath "$2") folder=${3:-.}
mkdir -p "$folder"/tests/{advice,golden/{examples,saves,swarm}}

for content in tests/bad/content/*.yaml; do
    mkdir -p "$folder/tests/bad/content"
    schema=$(sed -n '1s/^# schema: //p' "$content")
    lock=$(sed -n '1s/^# lock: //p' "$content")
    "$kin" check --max-errors 0 "${schema:-tests/schemas/fort.yaml}" "$content" ${lock:+"$lock"} \
        2> "$folder/${content%.yaml}.expected" || true
done
for schema in tests/bad/*/*.yaml tests/advice/*.yaml; do
    case $schema in tests/bad/content/*) continue ;; esac
    mkdir -p "$folder/$(dirname "$schema")"
    "$kin" check "$schema" 2> "$folder/${schema%.yaml}.expected" || true
done

golden() { "${@:2}" > "$folder/tests/golden/$1"; }

for package in everything gallery garage harbour kinship nursery quarter orrery; do
    golden "list_$package.txt" "$kin" list "tests/schemas/$package.yaml"
done
for package in everything gallery garage harbour kinship quarter; do
    golden "doc_$package.md" "$kin" doc "tests/schemas/$package.yaml"
done
golden list_match_one.txt "$kin" list schemas/match_one.yaml
golden list_arena.json "$kin" list --json schemas/arena.yaml
golden list_quarter.json "$kin" list --json tests/schemas/quarter.yaml
golden saves/list.txt "$kin" list tests/schemas/saves/veteran.yaml
golden saves/list.json "$kin" list --json tests/schemas/saves/veteran.yaml
golden saves/doc.md "$kin" doc tests/schemas/saves/veteran.yaml

readonly world=tests/golden/world.yaml
golden list_world.txt "$kin" list $world
golden list_world.json "$kin" list --json $world
golden schedule_world.txt "$kin" list --schedule $world
golden schedule_world.dot "$kin" list --schedule --dot $world
golden doc_world.md "$kin" doc $world
readonly swarm=tests/golden/swarm/swarm.yaml
golden swarm/list.txt "$kin" list $swarm
golden swarm/list.json "$kin" list --json $swarm
golden swarm/schedule.txt "$kin" list --schedule $swarm
golden swarm/schedule.dot "$kin" list --schedule --dot $swarm
golden swarm/doc.md "$kin" doc $swarm
golden relations_kinship.txt "$kin" list --relations tests/schemas/kinship.yaml
golden relations_kinship.dot "$kin" list --relations --dot tests/schemas/kinship.yaml
golden schedule_orrery.txt "$kin" list --schedule tests/schemas/orrery.yaml
golden list_stage.txt "$kin" list tests/schemas/stage.yaml
golden list_stage.json "$kin" list --json tests/schemas/stage.yaml
golden schedule_stage.txt "$kin" list --schedule tests/schemas/stage.yaml
scaffold() {
    scratch=$(mktemp -d)
    "$kin" scaffold -o "$scratch" "$2" > "$scratch/said"
    (cd "$scratch" && head -n -0 -- *.c) > "$folder/tests/golden/$1"
    rm -r "$scratch"
}
scaffold scaffold_world.txt $world
scaffold scaffold_orrery.txt tests/schemas/orrery.yaml
scaffold swarm/scaffold.txt $swarm

# The saves themselves are written by the suite save_golden.
for save in tests/saves/*/*.kin; do
    mkdir -p "$folder/$(dirname "$save")"
    "$kin" dump "$save" > "$folder/${save%.kin}.jsonl"
done

golden arena.txt "$examples/arena/arena" 1
golden match_one.txt "$examples/match_one/match_one" --demo
golden examples/defense.txt "$examples/defense/defense" --demo
golden examples/arena-net.txt "$examples/arena-net/arena-net" --demo
regions=$(mktemp -d)
golden examples/regions.txt "$examples/regions/regions" demo "$regions"
rm -r "$regions"
for example in entitas grid mask messages robots solar storm town worlds; do
    golden "examples/$example.txt" "$examples/$example/$example"
done
golden saves/rollback.txt sh -c '"$0" --lag 7 --frames 600 --no-times && "$0" --lag 7 --break 300' "$examples/rollback/rollback"
golden saves/town.txt examples/saves/play.sh "$(dirname "$examples")"
golden reload.txt tests/tools/reload.sh "$(dirname "$examples")"
