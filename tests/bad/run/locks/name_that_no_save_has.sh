cat > town.yaml << 'END'
kin: 1
package: town
contexts: { game: {} }
components: { Speed: { fields: { x: float } }, Mana: { fields: { left: int32 } } }
END
$KIN lock town.yaml
cat > town.yaml << 'END'
kin: 1
package: town
removed: [Mana, Manna]
contexts: { game: {} }
components: { Velocity: { was: Sped, fields: { x: float } } }
END
$KIN check town.yaml
