#!/usr/bin/awk -f
# A bot in awk: the last legal move in the alphabet that is no draw, and a draw where there is no other.
# -W interactive is for mawk, which otherwise waits for a full buffer.
#
#     cardsol survey three-peaks --seeds 1..100 --player 'exec:awk -W interactive -f examples/bots/last.awk' --summary-only

{
    if (!match($0, /"status": "playing"/)) {
        print "deal"
    } else {
        legal = $0
        sub(/.*"legal": \[/, "", legal)
        sub(/\].*/, "", legal)
        gsub(/[" ]/, "", legal)
        count = split(legal, tokens, ",")
        move = tokens[count] == "draw" && count > 1 ? tokens[count - 1] : tokens[count]
        print move
    }
    fflush()
}
