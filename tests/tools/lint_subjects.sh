#!/usr/bin/env bash
# Checks the subjects of the commits after the last tag: at most 72 characters, no full stop at the end, and an
# imperative verb first, after the area if the subject has one:
#
#   area: imperative summary
#   area, other area: imperative summary
#   imperative summary
#
# Prints one line for each fault and fails if there are any. Merge commits are not checked. A script cannot recognise an
# imperative, so the first word is compared with the usual wrong forms: past tenses, forms with -s and -ing, nouns,
# articles and so on.
#
#   tests/tools/lint_subjects.sh     in the top folder of a clone; in any other folder, or if no tag is found, it prints
#                                    that the subjects were not checked, and passes
set -euo pipefail
# Lengths are in characters.
export LC_ALL=C.UTF-8

readonly longest=72

# Verbs that end like other forms.
readonly verbs=' embed exceed feed need proceed seed shed speed succeed bring string alias focus '
readonly past=' became began bought broke brought built chose did drew found gave got had held kept left lost made meant
    ran said saw sent thought told took was went were wrote '
readonly others=' a an and are as at be been but by each every fixup! for from has have how i if in is it its no not of on
    or our squash! that the there these this those to we what when where which who whoever why wip with without
    all any both error few fixes function header improvement many message misc more new now other several some typo
    variable various '

# Prints what is wrong with the first word of a summary, if anything.
fault_of_word() {
    local word=${1,,}
    word=${word%[,:;]}
    case $verbs in *" $word "*) return ;; esac
    case " ${past//$'\n'/ } ${others//$'\n'/ } " in
    *" $word "*) echo "begins with \"$1\", which is no imperative verb" ;;
    *) case $word in
        *ed) echo "begins with \"$1\"; use the imperative, not the past tense" ;;
        *ing) echo "begins with \"$1\"; use the imperative, not the form with -ing" ;;
        *ss | *us) ;;
        *s) echo "begins with \"$1\"; use the imperative, not the form with -s" ;;
        *ation | *ness | *ity) echo "begins with \"$1\", which is no imperative verb" ;;
        esac ;;
    esac
}

# Prints all that is wrong with a subject, a line for each fault.
faults_of() {
    local summary=$1
    [ ${#1} -le $longest ] || echo "has ${#1} characters; at most $longest are allowed"
    [[ $1 != *. ]] || echo 'ends in a full stop'
    if [[ $1 =~ ^[A-Za-z0-9_./-]+(,\ [A-Za-z0-9_./-]+)*:(.*)$ ]]; then
        summary=${BASH_REMATCH[2]}
        [[ $summary = ' '* || -z $summary ]] || echo 'has no space after the colon'
        summary=${summary# }
    fi
    if [ -z "$summary" ]; then
        echo 'has no summary'
    else
        fault_of_word "${summary%% *}"
    fi
}

not_checked() {
    echo "lint: commit subjects not checked: $*"
    exit 0
}

prefix=$(git rev-parse --show-prefix 2> /dev/null) || not_checked 'this is not a clone'
[ -z "$prefix" ] || not_checked 'this is not the top folder of a clone'
tag=$(git describe --tags --abbrev=0 2> /dev/null) || not_checked 'the history has no tag'

bad=0
while read -r hash subject; do
    while read -r fault; do
        echo "lint: commit ${hash:0:7} \"$subject\" $fault" >&2
        bad=1
    done < <(faults_of "$subject")
done < <(git log --no-merges --format='%H %s' "$tag..HEAD")
exit $bad
