#!/bin/sh
# A part of a workflow. Says in $CUES/log when it begins and ends, and "twice" if another does the same step at that time:
# the lock of a process that was killed is free. The first look from close by finds something; the second is content.
cat > /dev/null
say() { echo "$1 $DOCKET_STEP $DOCKET_ATTEMPT" >> "$CUES/log"; }
if command -v flock > /dev/null; then
  exec 9> "$CUES/$DOCKET_STEP.lock"
  flock -n 9 || say twice
fi
say began
case $DOCKET_STEP in
  work*) echo "$DOCKET_STEP" >> work.txt ;;
esac
sleep 0.05 9>&-
say ended
case $DOCKET_STEP in
  plan) echo 'There is one thing to do. [PLAN:1]' ;;
  work*) echo 'It is done. [WORK:1]' ;;
  wide*) echo 'I see nothing. [WIDE:1]' ;;
  near) echo 'There is something. [NEAR:2]' ;;
  near*) echo 'It is well now. [NEAR:1]' ;;
esac
