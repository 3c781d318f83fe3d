#!/usr/bin/env bash
# Takes a picture of Neovim with `kin lsp`, in a real terminal on a screen in memory, and prints what the editor shows.
#
#   tests/editors/picture.sh KIN PICTURE
set -euo pipefail
KIN=$(realpath "$1")
picture=$(realpath -m "$2")
script=$(realpath tests/editors/picture.lua)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export KIN HOME=$folder XDG_STATE_HOME=$folder folder script picture

cat > "$folder/sky.yaml" << 'END'
kin: 1
package: sky
contexts: { game: { doc: All that flies., default: true } }

components:
  Position: { fields: { x: { type: float, unit: metres }, y: float } }
  Velocity: { fields: { x: float, y: flaot } }
  Wings:    { fields: { span: { type: float, range: [0, 90] } } }
  Asleep:   {}

groups:
  flying: { all: [Position, Velocity], none: [Asleep] }
  birds:  { all: [Position, ] }

systems:
  Flap:  { group: flying, reads: [Velocity], writes: [Position] }
  Glide: { group: flying, writes: [Position], after: [Flap] }
END

cat > "$folder/show" << 'END'
cd "$folder"
xterm -geometry 122x20 -fa 'DejaVu Sans Mono' -fs 11 -bg '#202428' -fg '#d8d8d8' +sb -e \
    nvim -u NONE -n sky.yaml -c "luafile $script" &
terminal=$!
for _ in $(seq 300); do
    [ ! -s shown ] || break
    sleep 0.1
done
sleep 0.5 # the terminal draws what the editor has drawn
import -window "$(xdotool search --class xterm | head -1)" -strip "$picture"
kill "$terminal"
wait "$terminal" || true
END
xvfb-run -a -s '-screen 0 1280x480x24' bash -eu "$folder/show" >&2
sed 's/ *$//' "$folder/shown"
