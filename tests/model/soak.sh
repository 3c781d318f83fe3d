#!/usr/bin/env bash
# Plays the model of the rules with new seeds until stopped: soak.sh PROGRAM [SECONDS]. Fails at the first difference.
set -euo pipefail
program=$1 seconds=${2:-0}
seed=${KIN_MODEL_SEED:-$(date +%s)} games=0
while [ "$seconds" -eq 0 ] || [ "$SECONDS" -lt "$seconds" ]; do
    if ! CK_VERBOSITY=minimal KIN_MODEL_SEED=$seed KIN_MODEL_OPERATIONS=500000 "$program" runtime_model > /dev/null; then
        echo "seed $seed is different after $SECONDS seconds" >&2
        exit 1
    fi
    games=$((games + 1)) seed=$((seed + 1))
    echo "$SECONDS seconds: $((games * 500000)) operations, the last seed was $((seed - 1))"
done
