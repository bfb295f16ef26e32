# SPDX-License-Identifier: MIT
# cmake -DFILE=k.d -DFOLDER=/home/me/app -P TileDepfile.cmake: names in a rule for make that are
# relative to FOLDER become absolute, as make and ninja run elsewhere. A blank in a name has a
# backslash before it.
cmake_minimum_required(VERSION 3.25)
file(READ "${FILE}" rule)
string(REPLACE "\\" "\\\\" folder "${FOLDER}")
string(REPLACE " " "\\ " folder "${folder}")
string(REPLACE "#" "\\#" folder "${folder}")
string(REPLACE "$" "$$" folder "${folder}")
string(REGEX REPLACE "([^\\]) ([^/ ])" "\\1 @FOLDER@/\\2" rule "${rule}")
string(REPLACE "@FOLDER@" "${folder}" rule "${rule}")
file(WRITE "${FILE}" "${rule}")
