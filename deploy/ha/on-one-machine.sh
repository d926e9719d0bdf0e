#!/bin/bash
# Starts the whole set-up of this folder on one Linux machine, to try it: three database nodes (etcd, Patroni and
# PostgreSQL) and two machines of the service with HAProxy, each in a network namespace of its own. The files are the
# ones that ship; only names and passwords are filled in. `npm run test:load` uses it.
#
#   on-one-machine.sh check                says what is missing here
#   on-one-machine.sh up                   makes all of it and waits until both standbys stream
#   on-one-machine.sh service [NAME=VALUE]  starts the built service on app-a and app-b, with further settings
#   on-one-machine.sh list | primary       what Patroni says of all of them; the name of the primary
#   on-one-machine.sh kill NODE            as if the machine lost power (db-a … app-b)
#   on-one-machine.sh kill-database NODE   Patroni and PostgreSQL only, etcd goes on
#   on-one-machine.sh start NODE           starts what does not run there
#   on-one-machine.sh wait                 until there are a primary and two standbys that stream
#   on-one-machine.sh disconnect NODE      disconnects its network
#   on-one-machine.sh reconnect NODE       reconnects its network
#   on-one-machine.sh run NODE COMMAND     for example: run db-a psql -h 127.0.0.1 -U postgres
#   on-one-machine.sh down                 ends and removes everything
#
# It needs root, and on Debian: apt install etcd-server etcd-client patroni haproxy postgresql iproute2 openssl curl
# HA_FOLDER is where it keeps data and logs, HA_NETWORK the first three numbers of its addresses. PATRONI is another
# program than /usr/bin/patroni; its version decides between patroni-3.yml and patroni-4.yml.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
product=$(cd -- "$here/../.." && pwd -P)
folder=${HA_FOLDER:-/var/tmp/dental-ha}
network=${HA_NETWORK:-10.89.0}
bridge=dental-ha
databases=(db-a db-b db-c)
machines=(app-a app-b)
declare -A number=([db-a]=11 [db-b]=12 [db-c]=13 [app-a]=21 [app-b]=22)

say() { printf '%s\n' "$1" >&2; }
fail() { say "$1"; exit 1; }

check() {
  [ "$(id -u)" = 0 ] || fail 'Network namespaces need root.'
  local program
  for program in ip setpriv etcd haproxy openssl curl psql; do
    command -v "$program" >/dev/null || fail "$program is not installed."
  done
  patroni=${PATRONI:-$(command -v patroni)} || fail 'patroni is not installed.'
  binaries=$(find /usr/lib/postgresql -path '*/bin/initdb' 2>/dev/null | sort -V | tail -n 1 | xargs -r dirname)
  [ -n "$binaries" ] || fail 'No PostgreSQL server in /usr/lib/postgresql.'
  ip netns add "dental-check-$$" 2>/dev/null || fail 'This machine allows no network namespaces.'
  ip netns delete "dental-check-$$"
}

# ---- Files: those of this folder, with names and passwords.

fill() { # FILE NODE TARGET
  local letter=${2#*-}
  sed -e "/^ETCD_INITIAL_CLUSTER=/!{/ hosts:/!{s/\\bdb-a\\b/db-$letter/;s/\\betcd-a\\b/etcd-$letter/}}" \
    -e "s/CHANGE-ME-at-least-32-random-characters/$password$password/" -e "s/CHANGE-ME/$password/g" \
    -e "s|bin_dir: .*|bin_dir: $binaries|" "$here/$1" >"$3"
}

write_hosts() {
  local node
  printf '127.0.0.1 localhost\n'
  for node in "${databases[@]}"; do printf '%s %s.internal etcd-%s.internal\n' "$network.${number[$node]}" "$node" "${node#*-}"; done
  for node in "${machines[@]}"; do printf '%s %s.internal\n' "$network.${number[$node]}" "$node"; done
}

write_database_files() { # NODE
  local own=$folder/$1 version
  version=$("$patroni" --version | grep -o '[0-9]*' | head -n 1)
  [ "$version" -le 3 ] && version=3 || version=4
  mkdir -p "$own"/{patroni,etcd,postgresql,run}
  fill "patroni-$version.yml" "$1" "$own/patroni/config.yml"
  fill make-database.sh "$1" "$own/patroni/make-database.sh"
  fill etcd.env "$1" "$own/etcd.env"
  chmod 755 "$own/patroni/make-database.sh"
  chown -R postgres: "$own"/{patroni,postgresql,run}
  chown -R etcd: "$own/etcd"
}

write_machine_files() { # NODE
  local own=$folder/$1
  mkdir -p "$own"/{haproxy,storage}
  cp "$here/haproxy.cfg" "$own/haproxy/"
  # In earnest: the chain and the key of a certificate that browsers trust, one after the other in this one file.
  cat "$folder/certificate.pem" "$folder/key.pem" >"$own/haproxy/budgets.pem"
  fill dental-budgets.env "$1" "$own/service.env"
}

write_files() {
  mkdir -p "$folder"/{log,documents}
  chmod 755 "$folder"
  openssl rand -hex 16 >"$folder/password"
  chmod 600 "$folder/password"
  password=$(cat "$folder/password")
  write_hosts >"$folder/hosts"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=budgets.clinic.example \
    -addext "subjectAltName=DNS:budgets.clinic.example,IP:$network.21,IP:$network.22" \
    -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>/dev/null
  local node
  for node in "${databases[@]}"; do write_database_files "$node"; done
  for node in "${machines[@]}"; do write_machine_files "$node"; done
}

# ---- Network: one bridge, one namespace and one address for each machine. The host itself is .1

make_network() {
  local node
  ip link add "$bridge" type bridge
  ip address add "$network.1/24" dev "$bridge"
  ip link set "$bridge" up
  for node in "${databases[@]}" "${machines[@]}"; do
    ip netns add "dental-$node"
    ip link add "dental-$node" type veth peer name eth0 netns "dental-$node"
    ip link set "dental-$node" master "$bridge" up
    ip -n "dental-$node" address add "$network.${number[$node]}/24" dev eth0
    ip -n "dental-$node" link set eth0 up
    ip -n "dental-$node" link set lo up
  done
}

# A command on that machine: with its network, its files in /etc, and folders of its own.
inside() { # NODE COMMAND…
  local node=$1
  shift
  # shellcheck disable=SC2016
  ip netns exec "dental-$node" bash -c '
    own=$1
    shift
    mount --bind "$own/../hosts" /etc/hosts
    for pair in patroni:/etc/patroni haproxy:/etc/haproxy etcd:/var/lib/etcd postgresql:/var/lib/postgresql run:/run/postgresql
    do [ ! -d "$own/${pair%%:*}" ] || mount --bind "$own/${pair%%:*}" "${pair#*:}"; done
    exec "$@"' inside "$folder/$node" "$@"
}

begin() { # NAME NODE COMMAND…, in the background
  local name=$1
  shift
  inside "$1" setsid "${@:2}" >>"$folder/log/$name.log" 2>&1 </dev/null &
  disown
}

as() { # USER COMMAND…
  local user=$1
  shift
  echo setpriv --reuid "$user" --regid "$user" --init-groups "$@"
}

# ---- Processes

start() { # NODE
  case $1 in
    db-*)
      # shellcheck disable=SC2046
      runs "$1" etcd || begin "etcd-$1" "$1" bash -c "set -a; . $folder/$1/etcd.env; exec $(as etcd etcd --logger zap)"
      # shellcheck disable=SC2046
      begin "patroni-$1" "$1" env HOME=/var/lib/postgresql $(as postgres "$patroni" /etc/patroni/config.yml)
      ;;
    app-*)
      begin "haproxy-$1" "$1" haproxy -db -f /etc/haproxy/haproxy.cfg
      [ ! -f "$folder/$1/service.also" ] || start_service "$1"
      ;;
    *) fail "There is no machine $1." ;;
  esac
}

# Without a bucket, mail and address of its own: a shared folder for documents, and what the command names.
start_service() { # NODE
  local own=$folder/$1
  ln -sfn "$folder/documents" "$own/storage/documents"
  begin "service-$1" "$1" bash -c "
    set -a
    . <(grep -v '^AWS_\|^SVC_SMTP_URL=\|^SVC_STORAGE=' $own/service.env)
    SVC_STORAGE=$own/storage SVC_BASE_URL=https://$network.21
    . $own/service.also
    cd $product && exec bin/svc start" # it starts the server again that met a standby at its start
}

service() { # NAME=VALUE…
  [ -f "$product/.output/server/index.mjs" ] || fail 'The service is not built: sh bin/setup --build'
  local node setting
  for node in "${machines[@]}"; do
    : >"$folder/$node/service.also"
    for setting in "$@"; do printf '%s=%q\n' "${setting%%=*}" "${setting#*=}" >>"$folder/$node/service.also"; done
    start_service "$node"
  done
  await 120 "curl -sf http://$network.21:3000/readyz && curl -sf http://$network.22:3000/readyz" 'The service'
  await 30 "curl -skf https://$network.21/readyz && curl -skf https://$network.22/readyz" 'HAProxy'
}

# Kills the processes of that machine without a clean shutdown.
stop() { # NODE [PROGRAM-THAT-STAYS]
  local pid
  for pid in $(ip netns pids "dental-$1"); do
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "${2:-}" ] || kill -9 "$pid" 2>/dev/null || true
  done
}

runs() { # NODE PROGRAM
  local pid
  for pid in $(ip netns pids "dental-$1"); do
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != "$2" ] || return 0
  done
  return 1
}

await() { # SECONDS COMMAND WHAT
  local until=$((SECONDS + $1))
  until eval "$2" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$until" ] || fail "$3 did not become ready in $1 seconds; the logs are in $folder/log."
    sleep 0.2
  done
}

list() {
  local node
  for node in "${databases[@]}"; do
    curl -sf -m 2 "http://$network.${number[$node]}:8008/cluster" && echo && return
  done
  return 1
}

primary() {
  local node
  for node in "${databases[@]}"; do
    if curl -sf -m 2 -o /dev/null "http://$network.${number[$node]}:8008/primary"; then echo "$node"; return; fi
  done
  return 1
}

# Patroni 3.0 reports that a standby runs, not that it streams, so query the primary. A base backup streams too.
standbys_stream() {
  local node
  node=$(primary) && [ "$(curl -s -m 2 "http://$network.${number[$node]}:8008/patroni" \
    | grep -o '"application_name": "db-[^}]*"state": "streaming"' | wc -l)" = 2 ]
}

up() {
  check
  [ ! -d "$folder" ] || fail "$folder is there already: on-one-machine.sh down"
  trap 'status=$?; [ $status = 0 ] || { tail -n 5 "$folder"/log/* >&2 || true; down; }' EXIT
  write_files
  make_network
  local node
  for node in "${databases[@]}" "${machines[@]}"; do start "$node"; done
  await 120 standbys_stream 'The cluster'
  say "Primary: $(primary). HAProxy: https://$network.21 and https://$network.22. Logs: $folder/log"
}

down() {
  local node
  for node in "${databases[@]}" "${machines[@]}"; do
    if [ -e "/run/netns/dental-$node" ]; then
      stop "$node"
      ip netns delete "dental-$node"
    fi
    ip link delete "dental-$node" 2>/dev/null || true
  done
  ip link delete "$bridge" 2>/dev/null || true
  rm -rf "$folder"
}

command=${1:-}
[ $# = 0 ] || shift
case $command in
  check | up | down | list | primary) "$command" ;;
  wait) await 180 standbys_stream 'The cluster' ;;
  service) service "$@" ;;
  start) check; start "$1" ;;
  kill) stop "$1" ;;
  kill-database) stop "$1" etcd ;;
  disconnect) ip link set "dental-$1" down ;;
  reconnect) ip link set "dental-$1" up ;;
  run) inside "$@" ;;
  *) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; exit 64 ;;
esac
