# Levels in levels: 2^21 instances of 22 lines.
cat > fort.yaml <<'END'
kin: 1
package: fort
contexts: { game: { content: true } }
components: { Box: { fields: { width: float } } }
blueprints: { Block: { components: { Box: {} } } }
END
{
    printf 'content: 1\nlevels:\n  a0: { place: [{ Block: {} }] }\n'
    for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        printf '  a%s: { place: [{ a%s: { as: x } }, { a%s: { as: y } }] }\n' $((i + 1)) $i $i
    done
} > levels.yaml
$KIN check fort.yaml levels.yaml
