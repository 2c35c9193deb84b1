# What help2man is given as a program: its text of --help in the form that
# help2man knows, which is that of GNU's programs.
#
#   sh help.sh PROGRAM --help
"$1" "$2" | sed -E \
  -e 's/^usage: /Usage: /' -e 's/^       (tensortidy )/  or:  \1/' -e 's/^options:$/Options:/' \
  -e 's/^(  --[a-z-]+=[A-Z]+) ([^ ])/\1  \2/' -e 's/^exit status: /Exit status: /' \
  -e 's/^  tensortidy-changed /Usage: &/' -e 's/^such as /\nAn example is /' \
  -e '/BASE is main, the branch began/,/^  *branch /d' \
  -e 's/^OVERVIEW: //' -e 's/^USAGE: /Usage: /' -e '/^OPTIONS:$/d' -e 's/information, see:$/information, see/' \
  -e 's/^(  -[^ ]+( <[a-z]+>)?  *)- /\1/'
