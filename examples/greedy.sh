#!/bin/sh
# A greedy player of Three Peaks: plays the first card that goes, draws when none does, and prints moves and score.
#   sh examples/greedy.sh [SEED]
set -e
CARDSOL_SAVE=$(mktemp -d)/greedy.json
export CARDSOL_SAVE
trap 'rm -rf "$(dirname "$CARDSOL_SAVE")"' EXIT
trap 'exit 141' PIPE # so that the folder is removed where the reader of the output goes away

cardsol deal three-peaks --seed "${1:-1}" --quiet
while moves=$(cardsol moves --quiet) && [ -n "$moves" ]; do
    token=$(echo "$moves" | grep -vx draw | head -n 1)
    cardsol move --quiet "${token:-draw}"
done
cardsol log | tr '\n' ' '
echo
cardsol score
