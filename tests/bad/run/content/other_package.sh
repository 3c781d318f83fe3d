# Packs of two packages.
for name in fort town; do
    printf 'kin: 1\npackage: %s\ncontexts: { game: { content: true } }\ncomponents: { Box: {} }\n' $name > $name.yaml
    printf 'content: 1\nprefabs: {}\n' > empty.yaml
    $KIN pack -o $name.kinc $name.yaml empty.yaml
done
$KIN diff fort.kinc town.kinc
