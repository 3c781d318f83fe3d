#!/usr/bin/env bash
# Runs a program for Windows: wine.sh FOLDER PROGRAM [ARGUMENT…]. Wine takes the folder for the disk that it needs, and
# nothing of it goes on running. Lines end as they do here.
set -euo pipefail
export WINEPREFIX=$1 WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe='
shift
trap 'wineserver -k || true' EXIT
wine "$@" | tr -d '\r'
