#!/bin/sh
# Prints the content that the benchmark opens: levels of 10,000 blocks, 1,111 cannons, 10,000 walkers.
#
#   content.sh POINTS    the value of one field of the prefab of the blocks
awk -v points="$1" 'BEGIN {
    print "content: 1\nprefabs:"
    print "  Brick: { extends: Block, Points: { left: " points " } }"
    print "  Tower: { extends: Cannon, head: { radio: { Points: { left: 3 } } } }"
    print "  Guard: { extends: Walker, Route: { stops: [4, 5] } }"
    print "levels:\n  bricks:\n    place:"
    print "      - Brick: { at: [0, 0, 0], Points: { left: 7 } }"
    for (i = 1; i < 10000; i++)
        printf "      - Brick: { at: [%d.5, 0, %d.25] }\n", i % 100, i / 100
    print "  towers:\n    place:"
    for (i = 0; i < 1111; i++)
        printf "      - Tower: { at: [%d, 0, %d], head: { Aim: { left: .head.right, right: .head.left } } }\n", i % 100, i / 100
    print "  guards:\n    place:"
    for (i = 0; i < 10000; i++)
        printf "      - Guard: { at: [%d.5, 0, %d.25] }\n", i % 100, i / 100
}'
