# SPDX-License-Identifier: MIT
# quoted.sh PAGE FILE...: each block of code on the page stands in one of the files as it is.
page=$1; shift
awk '
  FNR == 1 { file++ }
  file > 1 { text[file] = text[file] $0 "\n"; next }
  /^```c(\+\+)?$/ { inside = 1; blocks++; next }
  /^```$/ { inside = 0; next }
  inside { block[blocks] = block[blocks] $0 "\n" }
  END {
    if (!blocks) { print "no blocks"; exit 1 }
    for (b = 1; b <= blocks; b++) {
      found = 0
      for (f in text) found += index(text[f], block[b]) > 0
      if (!found) { print "not in any file:\n" block[b]; bad = 1 }
    }
    exit bad
  }' "$page" "$@"
