#!/usr/bin/env bash
# Runs a program for Windows: wine.sh FOLDER PROGRAM [ARGUMENT…]. Wine uses the folder as its disk; its
# server is stopped afterwards. Line ends are converted.
set -euo pipefail
export WINEPREFIX=$1 WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe='
shift
trap 'wineserver -k || true' EXIT
wine "$@" | tr -d '\r'
