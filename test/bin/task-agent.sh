#!/bin/sh
# A worker that says in $CUES/log when it begins and ends, and "twice" if another does the same step at that time: the
# lock of a process that was killed is free. The step that is named "asks" is blocked until its prompt has the answer.
prompt=$(cat)
say() { echo "$1 $DOCKET_STEP $DOCKET_ATTEMPT" >> "$CUES/log"; }
if command -v flock > /dev/null; then
  exec 9> "$CUES/$DOCKET_STEP.lock"
  flock -n 9 || say twice
fi
say began
sleep "${WORK:-0.1}" 9>&-
say ended
case "$DOCKET_STEP:$prompt" in
  asks:*"paint it blue"*) ;;
  asks:*)
    printf '{"status":"blocked","summary":"no colour was named","questions":["Which colour?"]}\n'
    exit
    ;;
esac
printf '{"status":"success","summary":"%s is done"}\n' "$DOCKET_STEP"
