printf '{{#doc}}\n/* {{doc}} */ {{/docs}}\n' > templates/doc.mustache
$KIN generate --templates templates tiny.yaml
