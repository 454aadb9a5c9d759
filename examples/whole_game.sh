#!/bin/sh
# A whole game in one pipe: nothing is written to disk, each command passes the save to the next.
#   sh examples/whole_game.sh
set -e
MOVES=$(cat <<'END'
d8 d6 d3 draw d10 d1 d2 c1 draw draw draw d7 d9 d5 d4 c9 c8 draw draw draw c7 c4 b6 c6 b5
c5 draw a3 c2 b1 draw c3 b4 draw draw draw b2 draw b3 draw a1 a2
END
)
cardsol deal three-peaks --seed 3 -f - |
    cardsol move -f - $MOVES |
    cardsol score -f -
