printf '{{> mark}}\n{{> stamp}}\n// {{contexts}}\n' > templates/package.h.mustache
$KIN generate --templates templates tiny.yaml
