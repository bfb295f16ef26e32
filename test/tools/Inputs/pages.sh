# SPDX-License-Identifier: MIT
# pages.sh FOLDER TOOL: writes TOOL.1, TOOL (bash) and _TOOL (zsh), and looks for each flag of
# --help.
set -e
mkdir -p "$1"
"$2" --print-interface=man >"$1/$2.1"
"$2" --print-interface=bash >"$1/$2"
"$2" --print-interface=zsh >"$1/_$2"
"$2" --help | sed -n 's/^  \(--*[A-Za-z0-9-]*\).*/\1/p' >"$1/$2.flags"
test "$(wc -l <"$1/$2.flags")" -gt 5
while read -r flag; do
  grep -qF -e ".B $(printf '%s' "$flag" | sed 's/-/\\-/g')" "$1/$2.1"
  grep -q -e " $flag[= \"]" "$1/$2"
  grep -qF -e "'*$flag" "$1/_$2"
done <"$1/$2.flags"
mandoc -T lint -W error "$1/$2.1"
bash -n "$1/$2"
if command -v zsh >/dev/null; then zsh -n "$1/_$2"; fi
