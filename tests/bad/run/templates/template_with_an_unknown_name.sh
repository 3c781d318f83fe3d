printf '{{> mark}}\n{{> stamp}}\n  // {{pakage}} is here\n' > templates/package.h.mustache
$KIN generate --templates templates tiny.yaml
