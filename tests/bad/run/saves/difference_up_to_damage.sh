# What follows the damage is unknown: it is not listed as destroyed.
printf 'kin: 1\npackage: town\ncontexts: { game: {} }\ncomponents: { Health: { fields: { hp: int32 } } }\n' > town.yaml
printf '{"kin":1,"package":"town"}\n{"game":"1@0","Health":{"hp":7}}\n' | $KIN pack -o town.kin town.yaml
head -c 150 town.kin > cut.kin
$KIN diff town.kin cut.kin | grep destroyed >&2
exit 1
