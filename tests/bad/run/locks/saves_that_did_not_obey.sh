cat > town.yaml << 'END'
kin: 1
package: town
contexts: { game: {} }
components: { Config: { fields: { seed: int32 } }, Name: { fields: { text: string } }, Old: {} }
END
$KIN lock town.yaml
cat > town.yaml << 'END'
kin: 1
package: town
contexts: { game: {} }
components:
  Config: { unique: true, fields: { seed: int32 } }
  Name: { fields: { text: { type: string, index: primary } } }
  Old: {}
END
$KIN check town.yaml
exit 1
