sed 's/package: tiny/package: other/' tiny.yaml > other.yaml
for package in tiny other; do
    echo "{\"kin\":1,\"package\":\"$package\"}" | $KIN pack -o $package.kin $package.yaml || exit 9
done
$KIN diff tiny.kin other.kin
