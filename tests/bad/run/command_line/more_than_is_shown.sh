cat > many.yaml << END
kin: 1
package: many
contexts: { game: {} }
components: { A: { fields: { a: flaot, b: flaot, c: flaot } } }
END
$KIN check --max-errors 1 many.yaml
