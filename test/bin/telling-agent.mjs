#!/usr/bin/env node
// An agent that does what it is told and tells it as codex and claude do. `telling-agent.mjs <codex|claude> <turns.json>`; the
// arguments that the vendor's CLI would get are ignored. A turn is a list: {run}, {edit, text}, {mcp} and, last, {report}.
import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { claude, codex, line } from './fault-formats.mjs';

const [as, file] = process.argv.slice(2);
const codexItem = (item) => line({ type: 'item.completed', item });
const out = {
  codex: {
    ...codex,
    run(id, command, exit_code, aggregated_output) {
      const item = { id, type: 'command_execution', command: `/bin/bash -lc ${JSON.stringify(command)}` };
      line({ type: 'item.started', item: { ...item, aggregated_output: '', status: 'in_progress' } });
      codexItem({ ...item, aggregated_output, exit_code, status: exit_code === 0 ? 'completed' : 'failed' });
    },
    edit: (id, path) =>
      codexItem({ id, type: 'file_change', changes: [{ path, kind: 'update' }], status: 'completed' }),
    mcp: (id) => codexItem({ id, type: 'mcp_tool_call', server: 'ci', tool: 'start', status: 'completed' }),
  },
  claude: {
    ...claude,
    run(id, command, code, output) {
      claude.tool(id, 'Bash', { command });
      const result = { type: 'tool_result', tool_use_id: id, content: output };
      const failed = { ...result, content: `Exit code ${code}\n${output}`, is_error: true };
      line({ type: 'user', message: { role: 'user', content: [code === 0 ? result : failed] } });
    },
    edit(id, path) {
      claude.tool(id, 'Write', { file_path: path });
      claude.toolDone(id, 'written');
    },
    mcp(id) {
      claude.tool(id, 'mcp__ci__start', {});
      claude.toolDone(id, 'started');
    },
  },
}[as];

readFileSync(0); // the prompt
appendFileSync(`${file}.calls`, '.');
const turns = JSON.parse(readFileSync(file, 'utf8'));
const acts = turns[Math.min(readFileSync(`${file}.calls`, 'utf8').length, turns.length) - 1];
out.begin();
for (const [at, act] of acts.entries()) {
  const id = `call-${at}`;
  if (act.run !== undefined) {
    const { status, stdout } = spawnSync('/bin/sh', ['-c', act.run], { encoding: 'utf8' });
    out.run(id, act.run, status, stdout);
  } else if (act.edit !== undefined) {
    writeFileSync(act.edit, act.text);
    out.edit(id, act.edit);
  } else if (act.mcp) out.mcp(id);
  else out.done(JSON.stringify({ status: 'success', summary: 'It is done.', ...act.report }));
}
