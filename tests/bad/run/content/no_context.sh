# No context has content: true.
printf 'content: 1\nprefabs: {}\n' > empty.yaml
$KIN check tiny.yaml empty.yaml
