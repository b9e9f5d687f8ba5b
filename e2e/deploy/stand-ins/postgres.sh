#!/bin/sh
# Creates the database at the first start, as the entry point of the image postgres:18 does.
set -e
server=/usr/lib/postgresql/18/bin
data=${PGDATA:-/var/lib/postgresql/18/docker}
export LC_ALL=C

# A pod starts as this user, and may not change it.
as_postgres=
[ "$(id -u)" = 0 ] && as_postgres='setpriv --reuid=postgres --regid=postgres --clear-groups'

if [ ! -f "$data/PG_VERSION" ]; then
  mkdir -p "$data"
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  [ -z "$as_postgres" ] || chown -R postgres:postgres /var/lib/postgresql /tmp/password
  $as_postgres "$server/initdb" --pgdata="$data" --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 >&2
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_USER\"" | $as_postgres "$server/postgres" --single -D "$data" postgres >&2
fi
exec $as_postgres "$server/postgres" -D "$data" -c listen_addresses='*' -c unix_socket_directories=''
