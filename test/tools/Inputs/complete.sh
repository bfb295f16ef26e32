# SPDX-License-Identifier: MIT
# complete.sh COMPLETION FUNCTION WORD...: what bash offers for the last word.
source "$1"
function=$2
shift 2
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
"$function"
printf '%s\n' "${COMPREPLY[@]}"
