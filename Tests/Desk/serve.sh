# shellcheck shell=bash disable=SC2034
# For shell scripts to source: serves a fresh desk on a port that the system chooses.
#
#   serve_desk QUIRE FOLDER    sets `server` to the process and `address` to where it answers;
#                              what the server logs is in FOLDER/log
serve_desk() {
    local said line
    said=$(mktemp -u "$2/said.XXXXXX")
    mkfifo "$said"
    "$1" serve --port 0 --no-open >"$said" 2>"$2/log" &
    server=$!
    # Stays open, so that the server never writes into a closed pipe.
    exec 4<"$said"
    address=
    while [ -z "$address" ] && read -r line <&4; do
        [[ $line =~ (https?)://[^:]+:([0-9]+) ]] && address=http://127.0.0.1:${BASH_REMATCH[2]}
    done
    [ -n "$address" ] || {
        echo "the server did not start" >&2
        cat "$2/log" >&2
        return 1
    }
}
