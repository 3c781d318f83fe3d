cat > old.yaml << 'END'
kin: 1
package: town
contexts: { game: { replicate: true, default: true } }
types:
  Side: { values: [Green, Red] }
  Spot: { fields: { x: float } }
components:
  Cell: { fields: { zone: { type: int32, zone: true }, room: int32 } }
  Health: { fields: { points: int16 } }
  Path: { fields: { spot: Spot } }
  Team: { fields: { side: Side } }
messages: { Order: { from: replica, fields: { kind: uint8 } } }
END
cat > town.yaml << 'END'
kin: 1
package: town
contexts: { game: { replicate: true, default: true } }
types:
  Side: { values: [Green, Red, Blue] }
  Spot: { fields: { x: float } }
components:
  Cell: { fields: { zone: int32, room: { type: int32, zone: true } } }
  Health: { fields: { points: int32 } }
  Path: { fields: { spot: "Spot[2]" } }
  Team: { fields: { side: Side } }
messages: { Order: { from: replica, fields: { kind: uint16 } } }
END
$KIN breaking --net old.yaml town.yaml
exit 1
