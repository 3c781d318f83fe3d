#!/usr/bin/env bash
# Prints the schema of a world with as many plain systems, and as many group systems, as the second argument says, or
# their functions, which only count.
set -euo pipefail

schema() {
    cat << END
kin: 1
package: crowd
contexts: { game: {} }
components:
  Body: { fields: { x: float, y: float, z: float } }
groups: { bodies: { all: [Body] } }
messages: { Hit: { fields: { target: entity<game>, amount: int32, kind: int32 } } }
schedule: { plain: {}, group: {}, reading: {} }
systems:
  Reader: { in: reading, inbox: [Hit] }
END
    for ((i = 1; i <= $1; i++)); do
        echo "  Plain$i: { in: plain, reads: [Body] }"
        echo "  Group$i: { in: group, group: bodies, roles: [enter, leave, update] }"
    done
}

functions() {
    cat << END
#include "crowd/crowd.h"
void reader_on_hit(crowd_world *world, const Hit *message) { *(uint64_t *)world->user += (uint64_t)message->amount; }
END
    for ((i = 1; i <= $1; i++)); do cat << END
void plain${i}_execute(crowd_world *world, const kin_tick *tick) { (void)tick; ++*(uint64_t *)world->user; }
void group${i}_enter(crowd_world *world, const game_entity *entities, uint32_t count)
{ (void)entities; *(uint64_t *)world->user += count; }
void group${i}_leave(crowd_world *world, const game_entity *entities, uint32_t count)
{ (void)entities; *(uint64_t *)world->user += count; }
void group${i}_update(crowd_world *world, group${i}_iter *it, const kin_tick *tick)
{ (void)it, (void)tick; ++*(uint64_t *)world->user; }
END
    done
}

"$1" "$2"
