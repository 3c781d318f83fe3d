#!/usr/bin/env bash
# Follows README in a clean Debian 12: builds and installs Kin, does what README and each page of the manual show, and
# builds a game that is on no page (tests/newcomer). It creates two systems and removes them:
#
#   first    `make deps demo` in a clone; Kin in /usr/local, installed with sudo; then in the home of a user without sudo
#   second   the Debian package from the first system, a compiler and make, and nothing else
#
# It needs root, debootstrap, an apt that finds its packages and 4 GiB below FOLDER, and takes ten minutes.
#
# It tests the last commit. The folder must not exist, and is removed after success.
#
#   tests/tools/newcomer.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
readonly folder=$1 source=$PWD
readonly first=$folder/first second=$folder/second

fail() {
    echo "newcomer: $*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || fail 'only root can create a system'
git rev-parse --verify -q HEAD > /dev/null || fail 'this is not a clone'
mkdir "$folder" || fail 'the folder exists, perhaps from a failed run: read its log, then remove it'
trap 'echo "newcomer: that failed; $folder/log ends with:" >&2; tail -n 5 "$folder/log" >&2' ERR

# Runs commands inside of a system, as a user in the home folder. Their mounts end with them.
as() {
    local root=$1 user=$2
    unshare --mount --pid --fork sh -ec '
        mount -t proc proc "$1/proc"
        exec chroot "$1" su - "$2" -s /bin/bash -c "set -e; $3"' sh "$root" "$user" "$3"
}

step() {
    echo "newcomer: $SECONDS s: $*"
}

step 'a clean Debian 12'
debootstrap --variant=minbase bookworm "$second" > "$folder/log"
rm "$second/etc/apt/sources.list"
cp -r /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list "$second/etc/apt/" 2> /dev/null || true
mkdir -p "$second/etc/apt/sources.list.d"
mv "$second/etc/apt/debian.sources" "$second/etc/apt/sources.list.d/" 2> /dev/null || true
cp /etc/apt/apt.conf.d/* "$second/etc/apt/apt.conf.d/"
echo "127.0.0.1 localhost $(hostname)" > "$second/etc/hosts"
as "$second" root 'apt-get update; useradd -m -s /bin/bash ada; useradd -m -s /bin/bash bob' >> "$folder/log"
cp -a "$second" "$first"

step 'git, make and sudo'
as "$first" root 'apt-get install -y --no-install-recommends git make sudo' >> "$folder/log" 2>&1
echo 'ada ALL=(ALL) NOPASSWD:ALL' > "$first/etc/sudoers.d/ada"
git clone -q --bare "$source" "$first/srv/kin.git"
git --git-dir="$first/srv/kin.git" update-ref refs/heads/walk "$(git rev-parse HEAD)"
for user in ada bob; do
    as "$first" $user "git config --global safe.directory '*'; git clone -q -b walk /srv/kin.git src"
done

step 'make deps demo'
as "$first" ada 'cd src; make deps demo' >> "$folder/log" 2>&1
grep -q '^score ' "$folder/log" || fail 'Match-One was not played'

# The files of README and of the page about building, one for each block in their order, and the check of the program's output.
readonly town='
    rm -rf town; mkdir town; cd town; mkdir -p meson/town
    awk "/^\`\`\`/ { file = \"\"; if (!inside) file = files[substr(\$1, 4), ++seen[substr(\$1, 4)]]; inside = !inside; next }
         file != \"\" { print > file }
         BEGIN { files[\"yaml\", 1] = \"town.yaml\"; files[\"c\", 1] = \"main.c\"; files[\"make\", 1] = \"Makefile\"
                 files[\"cmake\", 1] = \"CMakeLists.txt\"; files[\"meson\", 1] = \"meson.build\"
                 files[\"meson\", 2] = \"meson/town/meson.build\" }" \
        ~/src/README.md ~/src/docs/building.md
    prints_cat() { [ "$("$1")" = "the cat is at 4" ]; }'
readonly game='
    rm -rf tower; cp -r ~/src/tests/newcomer tower; cd tower
    kin generate -q tower.yaml
    cc $FLAGS -Igenerated *.c generated/tower/*.c $LIBS -lkin -o tower
    ./tower | diff expected.txt -'

step 'make and sudo make install'
as "$first" ada 'cd src; make; sudo make install; make deb; make amalgamation; ! find build -user root | grep .' \
    >> "$folder/log"
step 'README and docs/building.md: by hand, and with make, CMake, Meson and the pair of files'
as "$first" ada "$town
    kin generate -o generated town.yaml; cc -O3 -Igenerated main.c generated/town/*.c -lkin -o town; prints_cat ./town
    make clean; make; prints_cat ./town; make clean
    cmake -B cmake .; cmake --build cmake; prints_cat cmake/town
    meson setup ninja; ninja -C ninja; prints_cat ninja/town
    cp -r ~/src/build/amalgamation/kin .; kin generate town.yaml
    cc -O3 -I. -c kin/kin.c -o kin.o; cc -O3 -I. -Igenerated main.c generated/town/*.c kin.o -o town; prints_cat ./town" >> "$folder/log"
for page in docs/*.md; do
    [ "$page" != docs/building.md ] || continue # the step above
    step "$page"
    as "$first" ada "cd src; INSTALLED=yes tests/tools/blocks.sh $page ~/pages/$(basename "$page" .md)"
done
step 'a game that is on no page'
as "$first" ada "$game"

step 'uninstalled, and installed by a user without sudo'
as "$first" ada 'cd src; sudo make uninstall; ! find /usr/local ! -type d -name "*kin*" | grep .'
as "$first" bob "cd src; make install PREFIX=\$HOME/.local; cd
    PATH=\$HOME/.local/bin:\$PATH FLAGS=-I\$HOME/.local/include
    LIBS=\"-L\$HOME/.local/lib -Wl,-rpath,\$HOME/.local/lib\"
    $game
    cd; kin init village; cd village; make; cd ~/src; make uninstall PREFIX=\$HOME/.local; ! test -e ~/.local" >> "$folder/log"

step 'the Debian package'
cp "$first"/home/ada/src/build/deb/*.deb "$second/root/"
as "$second" root 'apt-get install -y --no-install-recommends ./*.deb gcc libc6-dev make man-db' >> "$folder/log" 2>&1
git clone -q "$source" "$second/home/ada/src"
as "$second" root 'chown -R ada: /home/ada'
as "$second" ada "$game
    cd; kin init village; cd village; make; man kin > page; man kin-schema > page
    . /usr/share/bash-completion/completions/kin; complete -p kin" >> "$folder/log"
as "$second" root 'apt-get remove -y kin kin-inspect kin-net libkin4 libkin-dev; ! find /usr -name kin -o -name "libkin*" -o -name "kin.*" | grep .' \
    >> "$folder/log" 2>&1

step 'success'
rm -rf "$folder"
