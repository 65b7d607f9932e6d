#!/bin/sh
# Works for a moment and reports. Says in $CUES/log when it begins and ends, and "twice" if another works on the same
# task at that time: the lock of a process that was killed is free.
read -r name rest
cat > /dev/null
say() { echo "$1 $name $DOCKET_ATTEMPT $$" >> "$CUES/log"; }
if command -v flock > /dev/null; then
  exec 9> "$CUES/$name.lock"
  flock -n 9 || say twice
fi
say began
sleep "${WORK:-0.3}" 9>&-
echo "$name" >> result.txt
say ended
printf '{"status":"success","summary":"%s is done"}\n' "$name"
