cat > town.yaml << 'END'
kin: 1
package: town
contexts: { game: {} }
components: { Mana: { fields: { left: int32 } }, Frozen: {}, Slow: {} }
END
$KIN lock town.yaml
cat > town.yaml << 'END'
kin: 1
package: town
removed: [Mana]
contexts: { game: {} }
components: { Frozen: {}, Slow: {} }
END
$KIN lock town.yaml
cat > town.yaml << 'END'
kin: 1
package: town
contexts: { game: {} }
components: { Mana: { fields: { max: int32 } }, Frozen: { was: Slow }, Slow: { was: Frozen } }
END
$KIN generate town.yaml
