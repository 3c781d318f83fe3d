$KIN generate -q tiny.yaml
echo '// mine' >> generated/tiny/tiny_game.h
sed -i s/game/play/ tiny.yaml
$KIN generate tiny.yaml
