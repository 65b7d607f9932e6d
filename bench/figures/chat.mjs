import { closeSync, fdatasyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { openIds } from '../../dist/channel/feishu/openids.js';
import { makeBoard } from '../../dist/kinds/board/board.js';
import { boardMail } from '../../dist/kinds/board/outbox.js';
import { GroupLanguage } from '../../dist/project/chat/group-language.js';
import { handle } from '../../dist/project/chat/handle.js';
import { compare, millis, perSecond } from '../support.mjs';

/** What a board that is kept open takes in, durably, one command after the other, against the least that a line costs. */
export async function chat({ data, rounds, quick }) {
  const commands = quick ? 100 : 400;
  return [
    await against(data, rounds, commands, {
      name: 'board, resident: commands a second',
      compared: '`say`: create and claim by turns, against a loop of write + fdatasync of the same lines',
      work: said,
    }),
    await against(data, rounds, commands / 4, {
      name: 'chat: messages a second',
      compared: 'the same with its mail: heard, done and answered on disk, against the same loop',
      work: heard,
    }),
  ];
}

async function against(data, rounds, commands, { name, compared, work }) {
  let turn = 0;
  let lines = [];
  const resident = async () => {
    turn += 1;
    const root = path.join(data, `${work.name}-${turn}`);
    mkdirSync(root);
    const board = makeBoard({ root, env: process.env, clock: { now: Date.now }, warn: () => undefined });
    const close = await board.keepOpen();
    const took = await millis(() => work(board, root, commands));
    await close();
    lines = readFileSync(path.join(root, 'state', 'tasks.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    if (lines.length !== commands) throw new Error(`${commands} commands made ${lines.length} lines`);
    return (commands / took) * 1000;
  };
  const bare = async () => {
    const file = openSync(path.join(data, `bare-${work.name}-${turn}`), 'a');
    const took = await millis(() => lines.forEach((line) => append(file, line)));
    closeSync(file);
    return (commands / took) * 1000;
  };
  await resident(); // its lines are what the bare loop writes
  const found = await compare(rounds, bare, resident);
  const orientation = `${perSecond(found.subject)}; bare ${perSecond(found.base)}`;
  return { name, compared, ...found, orientation };
}

async function said(board, _root, commands) {
  const { signal } = new AbortController();
  for (let n = 0; n < commands; n += 1)
    await board.say({ text: textOf(n), sender: { actor: 'ann', isBot: false }, key: `k${n}`, signal });
}

async function heard(board, root, commands) {
  const { inbox, outbox } = boardMail(root);
  const { signal } = new AbortController();
  const roles = openIds(new Map());
  const how = { mentionOf: (role) => `@${role}` };
  const counter = {
    board,
    channel: 'bench',
    outbox,
    roles,
    actorOf: (id) => id,
    trustOf: () => undefined,
    language: new GroupLanguage(root, undefined),
    group: 'g',
    how,
    onNews: () => undefined,
  };
  for (let n = 0; n < commands; n += 1) {
    const sender = { openId: 'ann', name: 'Ann', isBot: false };
    const message = {
      kind: 'message',
      id: `m${n}`,
      group: 'g',
      at: n,
      sender,
      text: textOf(n),
      mentions: [],
    };
    await inbox.take('bench', message);
    const [entry] = inbox.spool.waiting();
    await handle(counter, message, signal);
    inbox.spool.finish(entry, 'done');
  }
}

function textOf(n) {
  const id = `T-${String((n >> 1) + 1).padStart(3, '0')}`;
  return n % 2 === 0 ? `create task ${id}: Mend the gate` : `claim ${id}`;
}

function append(file, line) {
  writeSync(file, `${line}\n`);
  fdatasyncSync(file);
}
