# SPDX-License-Identifier: MIT
# same.sh FOLDER DATABASE: its winners and measurements are those of the one tuning, apart from when
# they were made.
set -e
cd "$1"
for database in one.sqlite3 "$2"; do
  tile-tune export --database "$database" |
    sed 's/"space":"[0-9a-f]*",//; s/,"changed":[0-9]*//; s/,"low":[^}]*"place"/,"place"/' \
      >"$database.json"
done
diff one.sqlite3.json "$2.json"
tile-tune show --database "$2"
