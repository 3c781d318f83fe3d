#!/bin/sh
# Writes the files of the browser's page as C to stdout, each compressed by gzip: see transport/transport.h.
#
#   inspector/embed.sh FOLDER FILE...
set -eu
folder=$1
shift

echo '#include "transport/transport.h"'
number=0
# Comments that have lines of their own, and indentation, stay in the source.
shorten() {
    case $1 in
    */vendor/*) cat "$1" ;;
    *.js) sed '/^ *\/\/\( \|$\)/d; s/^ *//' "$1" ;;
    *.css) sed 's/^ *//' "$1" ;;
    *) cat "$1" ;;
    esac
}

table=
for file in "$@"; do
    path=${file#"$folder"}
    case $path in
    /index.html) path=/ type='text/html; charset=utf-8' ;;
    *.js) type='text/javascript; charset=utf-8' ;;
    *.css) type='text/css; charset=utf-8' ;;
    *.svg) type='image/svg+xml' ;;
    *) echo "embed.sh: $file is no .html, .js, .css or .svg file" >&2 && exit 1 ;;
    esac
    tag=$(cksum < "$file" | tr ' ' -)
    printf '\nstatic const unsigned char file_%d[] = {\n' "$number"
    shorten "$file" | gzip -9 -n -c | od -An -v -tu1 | sed 's/  */ /g; s/^ /    /; s/\([0-9]\)\( \|$\)/\1,\2/g'
    echo '};'
    table="$table    {\"$path\", \"$type\", \"\\\\\"$tag\\\\\"\", file_$number, sizeof file_$number},\n"
    number=$((number + 1))
done
printf '\nconst kin__page_file kin__page_files[] = {\n'
printf "$table"
printf '    {0, 0, 0, 0, 0},\n};\n'
