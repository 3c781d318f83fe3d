cat > town.yaml << 'END'
kin: 1
package: town
contexts: { game: {} }
components: { Position: { fields: { x: float } } }
END
head='{"kin":1,"package":"town"}'
printf '\357\273\277%s\r\n{"game":"1@0","Position":{"x":1}}\r\n' "$head" > marked
$KIN pack -o marked.kin town.yaml marked && $KIN pack -o marked.kin town.yaml - < marked && $KIN dump marked.kin | grep -q '"Position":{"x":1}' || echo 'not packed'
printf '\357\273\277%s x\n' "$head" | $KIN pack -o x.kin town.yaml -
printf '\377\376{\0"\0' | $KIN pack -o x.kin town.yaml -
printf '{\0"\0' | $KIN pack -o x.kin town.yaml -
printf '%s\n{"game":"1@0",\0"Position":{"x":1}}\n' "$head" | $KIN pack -o x.kin town.yaml -
printf '\357\273\277kin lock 2\r\npackage town version 0\r\ncontext game\r\nPosition.x game float\r\n' > town.lock
$KIN check town.yaml && $KIN breaking town.lock town.yaml > town.out || echo 'not read'
rm town.lock
printf '\357\273\277' > other && $KIN lock town.yaml > town.out && cat town.lock >> other && mv other town.lock && $KIN lock --check town.yaml || echo 'not current'
exit 1
