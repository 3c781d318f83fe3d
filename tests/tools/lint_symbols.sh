#!/usr/bin/env bash
# Checks that the shared library exports exactly the functions that the public headers declare.
set -euo pipefail
library=$1
declared=$(grep -ohE 'KIN_API [^;(]*\(' runtime/include/kin/*.h runtime/include/kin/generated/*.h | grep -oE 'kin_[a-z_]+\($' | tr -d '(' | sort -u)
case $library in
*.dll) exported=$(objdump -p "$library" | awk '/^\t\[ *[0-9]+\] [A-Za-z_]/ { print $NF }' | sort -u) ;;
*) exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort -u) ;;
esac
if ! diff <(echo "$declared") <(echo "$exported"); then
    echo "lint: '<' is declared but not exported, '>' is exported but not declared" >&2
    exit 1
fi
