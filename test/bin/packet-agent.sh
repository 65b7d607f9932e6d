#!/bin/sh
# Plays codex and gemini for a packet's stage. What it does lies in $CUES, by the role that its prompt names: ROLE.sh is
# done in the work tree, and ROLE.jsonl is the stream. ROLE.prompt is what it was told. It says in $CUES/log when it begins
# and ends, and "twice" if another does the same at that time: the lock of a killed process is free.
cat > "$CUES/$$.prompt"
role=$(sed -n 's/^Your role: //p' "$CUES/$$.prompt" | head -n 1)
mv "$CUES/$$.prompt" "$CUES/$role.prompt"
say() { echo "$1 $role" >> "$CUES/log"; }
if command -v flock > /dev/null; then
  exec 9> "$CUES/$role.lock"
  flock -n 9 || say twice
fi
say began
[ ! -f "$CUES/$role.sh" ] || . "$CUES/$role.sh"
cat "$CUES/$role.jsonl"
say ended
