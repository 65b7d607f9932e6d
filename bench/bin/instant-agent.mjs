// An agent that needs no time of its own beyond that of its runtime: reads the prompt, reports, ends.
for await (const _ of process.stdin);
process.stdout.write('{"status":"success","summary":"done"}\n');
