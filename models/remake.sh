#!/bin/sh
# Make models/comm again from models/facts and models/data, with the program itself.
# usage: models/remake.sh [RAILYARD [FOLDER]], in the source folder.
set -eu
railyard=${1:-build/railyard}
out=${2:-models/comm}
RAILYARD_DATA=. SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1796083200}
export RAILYARD_DATA SOURCE_DATE_EPOCH
for facts in models/facts/*.json; do
    "$railyard" calibrate fit -q --facts "$facts" -o "$out/$(basename "$facts")" >/dev/null
done
