// The system that computes positions. It visits the parts that have moved since its last turn and all parts mounted on
// them, each base before its parts, so that the position of the base is already up to date.

#include <robots/robots.h>

void locate_update(robots_world *world, locate_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (locate_next(it)) {
        const Place base = it->parent_place == NULL ? (Place){0, 0} : *it->parent_place;
        *it->place = (Place){base.x + it->offset->x, base.y + it->offset->y};
    }
}
