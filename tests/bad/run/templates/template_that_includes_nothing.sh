printf '{{> marc}}\n' > templates/package.h.mustache
$KIN generate --templates templates tiny.yaml
