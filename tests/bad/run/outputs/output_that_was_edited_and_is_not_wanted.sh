sed 's/game: {}/game: { default: true }, menu: {}/' tiny.yaml > two.yaml
$KIN generate -q two.yaml 2> log
echo '// mine' >> generated/tiny/tiny_menu.h
mv tiny.yaml two.yaml
$KIN generate two.yaml
