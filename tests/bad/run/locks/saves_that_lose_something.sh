cat > town.yaml << 'END'
kin: 1
package: town
contexts: { game: {}, scene: {} }
types: { Side: { values: [Green, Red] } }
components:
  Health: { contexts: [game, scene], fields: { points: int32, armor: int32 } }
  Mana: { contexts: [game], fields: { left: int32 } }
  Team: { contexts: [game], fields: { side: Side } }
END
$KIN lock town.yaml
cat > town.yaml << 'END'
kin: 1
package: town
contexts: { game: {}, scene: {} }
types: { Side: { values: [Green] } }
components:
  Health: { contexts: [game], fields: { points: int16 } }
  Team: { contexts: [game], fields: { side: Side } }
END
$KIN lock town.yaml
