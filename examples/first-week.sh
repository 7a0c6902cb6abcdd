#!/bin/sh
# The first week with Heddle: see the problem, end it, take it back. docs/guide/first-week.md explains each step.
#
#   examples/first-week.sh                       in a clone of the repository
#   examples/first-week.sh HEDDLE HEDDLE_JAR     with an installed heddle command and heddle.jar
#
# It needs the java and javac of a JDK 25 in PATH, and curl. Exit code 1: Heddle did not do what the page says.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
heddle=${1:-$here/../heddle}
jar=${2:-$here/../heddle-core/target/heddle.jar}
work=$(mktemp -d)
: >"$work/log"
pid=
trap 'kill $pid 2>/dev/null || :; wait; rm -rf "$work"' EXIT

# How long the faults last on the days without Heddle, in seconds. On Tuesday p99 must be less than half of that on the
# other days, which is about this long. It was a tenth or less on a busy machine.
fault=10

title() { printf '\n== %s\n' "$*"; }

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  cat "$work/log" >&2
  exit 1
}

# Fails unless the file $1 has the words $2, wherever its lines break.
says() {
  tr -s '[:space:]' ' ' <"$1" | grep -qF -- "$2" || fail "this should say '$2': $(cat "$1")"
}

# The number of the line of the service that has the text $1.
line() { grep -nF -- "$1" "$here/src/main/java/Shop.java" | cut -d: -f1; }

# One request, whose answer must have the words $1.
hello() {
  curl -sS "$shop/hello" >"$work/answer"
  cat "$work/answer"
  says "$work/answer" "$1"
}

# What heddle doctor says, which must have the words $1.
doctor() {
  "$heddle" doctor "$pid" >"$work/doctor" || echo "(exit code $?)"
  cat "$work/doctor"
  says "$work/doctor" "$1"
}

# Waits until the service just started has printed $1.
until_it_says() {
  pid=$!
  until grep -q "$1" "$work/log"; do
    kill -0 "$pid" || fail "the service has ended"
    sleep 0.1
  done
  shop=http://localhost:$(sed -n 's/^listening on //p' "$work/log")
}

# The two faults: each curl is a client that waits for its answer.
ask_for_the_faults() {
  curl -s -o "$work/report" "$shop/report" &
  report=$!
  curl -s -o "$work/codec" "$shop/codec" &
  until grep -q 'report begins' "$work/log" && grep -q 'loads its table' "$work/log"; do
    kill -0 "$pid" || fail "the service has ended"
    sleep 0.1
  done
}

# Sends 100 requests at once; prints the second-longest time to an answer.
p99() {
  curl -sS --no-progress-meter --http1.1 --parallel --parallel-immediate --parallel-max 100 \
    -o "$work/hello" -w '%{time_total}\n' "$shop/hello?[1-100]" | sort -n | sed -n 99p
}

# Fails unless twice the time $1 is less than the time $2.
less_than_half() {
  awk -v one="$1" -v other="$2" 'BEGIN { exit !(2 * one < other) }' || fail "p99 $1 s is not less than half of $2 s"
}

stop() {
  kill "$pid"
  wait
  : >"$work/log"
}

[ -f "$jar" ] || "$heddle" help >"$work/log" # in a clone, builds it
mkdir "$work/classes"
javac -d "$work/classes" "$here/src/main/java/Shop.java"

# A pod with two CPUs.
two_cpus=-XX:ActiveProcessorCount=2

title 'Monday: see it'
JAVA_TOOL_OPTIONS=-javaagent:$jar=watch java $two_cpus -cp "$work/classes" Shop $fault >"$work/log" 2>&1 &
until_it_says 'listening on'
hello '@ForkJoinPool-1-worker'
ask_for_the_faults
monday=$(p99)
echo "p99 of other requests meanwhile: $monday s"
"$heddle" watch "$pid" >"$work/watched"
cat "$work/watched"
says "$work/watched" "computing at Shop.report(Shop.java:$(line 'for (; ENOUGH'))"
says "$work/watched" "pinned at Shop\$Codec.load(Shop.java:$(line 'ENOUGH.await'))"
doctor "is on: watch, observes the JDK's scheduler and changes nothing"
stop

title 'Tuesday: end it'
# The faults last ten minutes now, or until the service is asked to end them.
JAVA_TOOL_OPTIONS=-javaagent:$jar=adopt java $two_cpus -cp "$work/classes" Shop 600 >"$work/log" 2>&1 &
until_it_says 'listening on'
hello '@heddle-shared-M'
ask_for_the_faults
tuesday=$(p99)
echo "p99 of other requests meanwhile: $tuesday s"
less_than_half "$tuesday" "$monday"
kill -0 "$report" || fail "the report has ended, so this shows nothing"
echo 'answered while the report computed and the codec was pinned: yes'
doctor 'is on: agent, adopts all threads, procs=2'
curl -sS "$shop/enough"
stop
grep -q 'the sum is' "$work/report" || fail "no report"
grep -q 'a table' "$work/codec" || fail "no answer of the codec"

title 'Wednesday: take it back'
HEDDLE=off JAVA_TOOL_OPTIONS=-javaagent:$jar=adopt java $two_cpus -cp "$work/classes" Shop $fault >"$work/log" 2>&1 &
until_it_says 'listening on'
hello '@ForkJoinPool-1-worker'
ask_for_the_faults
wednesday=$(p99)
echo "p99 of other requests meanwhile: $wednesday s"
less_than_half "$tuesday" "$wednesday"
doctor "is off, HEDDLE=off: virtual threads and goroutines run on the JDK's scheduler"
stop
echo 'the week went as the page says'
