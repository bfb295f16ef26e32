# SPDX-License-Identifier: MIT
# documents.sh SOURCE: compares the lists of documents with the tree.
cd "$1" || exit 1
problems=$(
  for document in docs/*.md docs/dialects/*.md; do # each is linked
    grep -qF "($document)" README.md || echo "README.md: no word of $document"
  done
  for folder in .ci dialects test bench scripts docs cmake examples tools \
    python-bindings-disabled; do
    grep -qF "| \`$folder/\`" README.md || echo "README.md: no word of \`$folder/\`"
  done
  for folder in lib/*/; do
    grep -qF "\`${folder%/}\`" README.md || echo "README.md: no word of \`${folder%/}\`"
  done
  sed -n '/^## Folders/,/^## Documents/p' README.md | grep -o '`[a-z.-]*/[a-z_/-]*`' |
    tr -d '`' | while read -r folder; do
    case $folder in
    cuda/ | emulator/ | null/ | check/ | config/ | eval/ | import/ | kernels/ | unit/ | fuzz/)
      continue
      ;;
    esac
    [ -d "$folder" ] || echo "README.md: there is no $folder"
  done
  for header in include/tile/*; do
    grep -qF "\`tile/${header##*/}\`" README.md || echo "README.md: no word of tile/${header##*/}"
  done
  for decision in docs/decisions/[0-9]*.md; do
    grep -qF "(${decision##*/})" docs/decisions/README.md ||
      echo "docs/decisions/README.md: no word of $decision"
  done
  for example in examples/*/; do
    example=${example#examples/}
    grep -qF "(${example%/}/" examples/README.md ||
      echo "examples/README.md: no word of ${example%/}"
  done
  # A command that links says where the libraries are.
  for document in README.md docs/*.md examples/*.md; do
    sed ':more; /\\$/ {N; s/\\\n */ /; b more}' "$document" |
      grep '^[$ ]*c[c+]* .*pkg-config --cflags' | grep -v 'rpath,$(pkg-config' |
      sed "s|^|$document: no -Wl,-rpath: |"
  done
  for document in *.md docs/*.md docs/*/*.md dialects/*/*.md examples/*.md \
    python-bindings-disabled/*.md; do
    grep -o '](\([^)#]*\)' "$document" | sed 's/^](//' | grep -v '^$\|^https*:' | sort -u |
      while read -r link; do
      [ -e "$(dirname "$document")/$link" ] || echo "$document: there is no $link"
    done
  done
)
[ -z "$problems" ] || { printf '%s\n' "$problems"; exit 1; }
