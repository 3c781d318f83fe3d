# Neither a folder nor a file: it is read as a schema.
printf 'kin: 1\npackage: fort\ncontexts: { game: { content: true } }\ncomponents: { Box: {} }\n' > fort.yaml
$KIN check fort.yaml nowhere/
