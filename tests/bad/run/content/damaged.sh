# A pack without its last byte.
printf 'kin: 1\npackage: fort\ncontexts: { game: { content: true } }\ncomponents: { Box: {} }\n' > fort.yaml
printf 'content: 1\nprefabs: {}\n' > empty.yaml
$KIN pack -o fort.kinc fort.yaml empty.yaml
size=$(wc -c < fort.kinc)
head -c $((size - 1)) fort.kinc > cut.kinc
$KIN dump cut.kinc
