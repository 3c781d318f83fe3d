# A save where a schema or lines of JSON belong is one error.
printf 'kin: 1\npackage: town\ncontexts: { game: {} }\n' > town.yaml
printf '{"kin":1,"package":"town"}\n' | $KIN pack -o town.kin town.yaml
$KIN check town.kin
$KIN breaking town.kin town.yaml
$KIN pack -o new.kin town.yaml town.kin
