cat > saved.yaml << 'END'
kin: 1
package: saved
removed: [Mana, Health.armor]
contexts: { game: { default: true }, view: { save: false } }
types: { Side: { values: [Green, Red] } }
components:
  Cache:  { save: false, fields: { sum: int32 } }
  Crown:  { unique: true }
  Frozen: {}
  Health: { fields: { hp: int16 } }
  Team:   { fields: { side: Side, code: "string[3]", of: entity, spots: "float[2]" } }
END
cat > lines << 'END'
{"kin":1,"package":"saved"}

{"game":"1@0","Frosen":true,"Health":{"hp":1}}
{"game":"2@1","Health":{"hq":1}}
{"game":"3@2","Health":{"hp":1,"hq":1,"armor":2},"Mana":{}}
{"game":"3@2","Health":{"hp":1,"hp":1}}
{"game":"4@3","Health":{"hp":70000}}
{"game":"5@4","Health":{"hp":1.5}}
{"game":"6@5","Cache":{"sum":1}}
{"game":"7@6","Health":{"hp":1},"Health":{"hp":1}}
{"game":"8@7","Team":{"side":"Gren","code":"","of":null,"spots":[1,2]}}
{"game":"8@7","Team":{"side":"Red","code":"long","of":null,"spots":[1,2]}}
{"game":"8@7","Team":{"side":"Red","code":"","of":"8","spots":[1,2]}}
{"game":"8@7","Team":{"side":"Red","code":"","of":null,"spots":[1,2,3]}}
{"game":"8@7","Frozen":{"x":1}}
{"gane":"8@7"}
{"view":"8@7"}
{"game":"8@7",}
["game"]
{"game":"eight"}
{"game":"slots","next":9}
END
$KIN pack -o saved.kin --max-errors 0 saved.yaml lines
test -e saved.kin && exit 9
exit 1
