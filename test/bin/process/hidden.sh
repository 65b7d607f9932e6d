#!/bin/sh
# Starts a server that has no environment, no parent and a session of its own, and writes its pid and port to the file $1.
# It stands where it was started, and ignores SIGTERM.
env -i setsid /bin/sh -c '"$1" -e "
  process.on(\"SIGTERM\", () => undefined);
  const server = require(\"net\").createServer().listen(0, \"127.0.0.1\", () => {
    require(\"fs\").writeFileSync(process.argv[1], process.pid + \" \" + server.address().port);
  });
" "$2" </dev/null >/dev/null 2>&1 &' sh "$(command -v node)" "$1"
while [ ! -s "$1" ]; do sleep 0.02; done
