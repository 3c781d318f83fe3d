#!/usr/bin/env bash
# Plays the model of the rules with new seeds until stopped: soak.sh PROGRAM SECONDS SUITE... Plays also the suites, whose
# steps are compared with a second implementation. Without SECONDS there is no end. Fails at the first difference.
set -euo pipefail
program=$1 seconds=${2:-0}
shift 2
operations=500000 steps=10000000
seed=${KIN_MODEL_SEED:-$(date +%s)} games=0
export CK_VERBOSITY=minimal KIN_MODEL_OPERATIONS=$operations KIN_STEPS=$steps
while [ "$seconds" -eq 0 ] || [ "$SECONDS" -lt "$seconds" ]; do
    if ! KIN_MODEL_SEED=$seed "$program" runtime_model runtime_snapshot_model "$@" > /dev/null; then
        echo "seed $seed is different after $SECONDS seconds" >&2
        exit 1
    fi
    games=$((games + 1)) seed=$((seed + 1))
    echo "$SECONDS seconds: $((games * operations)) operations and $((games * steps)) steps of each suite, the last seed" \
        "was $((seed - 1))"
done
