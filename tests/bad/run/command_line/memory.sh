awk 'BEGIN { print "kin: 1\npackage: large\ncontexts: { game: {} }\ncomponents:"
              for (i = 0; i < 30000; i++) print "  C" i ": { fields: { a: int8 } }" }' > large.yaml
ulimit -v 20000
$KIN --version > out 2>&1 || exit 77 # a sanitizer needs more than that to begin with
$KIN check large.yaml 2> err || { sed 's/([0-9]* bytes)/(some bytes)/' err >&2; exit 3; }
