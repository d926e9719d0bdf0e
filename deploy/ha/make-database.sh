#!/bin/sh
# /etc/patroni/make-database.sh, executable by the user postgres. Patroni calls it once, when it has made the cluster
# (`post_bootstrap`), with the superuser's address. It makes the role and the database of DATABASE_URL.
set -eu

psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 "$1" <<'SQL'
create role dental login password 'CHANGE-ME';
create database dental owner dental;
SQL
