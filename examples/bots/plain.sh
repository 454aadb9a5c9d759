#!/bin/sh
# The plainest bot: the first legal move that is no draw. It speaks the protocol of `cardsol play` in pure POSIX shell.
#
#     cardsol survey three-peaks --seeds 1..100 --player 'exec:examples/bots/plain.sh' --summary-only

while IFS= read -r view; do
    case $view in
    *'"status": "playing"'*)
        legal=${view##*'"legal": ['}
        legal=${legal%%]*}
        move=draw
        IFS=', '
        for token in $legal; do
            token=${token#\"}
            token=${token%\"}
            if [ "$token" != draw ]; then
                move=$token
                break
            fi
        done
        unset IFS
        echo "$move"
        ;;
    *) echo deal ;;
    esac
done
