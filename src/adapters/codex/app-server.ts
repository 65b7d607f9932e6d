import path from 'node:path';
import { messageOf } from '../../errors.ts';
import { recordSent } from '../../io/process/log-files.ts';
import type { AgentProcess } from '../../io/process/process.ts';
import type { AgentEvent, AgentRequest, Host, Question } from '../adapter.ts';
import { endOf } from '../exec.ts';
import { type Incoming, JsonRpc, RpcError } from '../json-rpc.ts';
import { excerpt, fieldsIn, textIn } from '../pick.ts';
import { checkedId, uuid } from '../session-id.ts';
import { AppServerReader } from './app-server-reader.ts';
import { errors } from './errors.ts';
import { appServerLaunch, heldByCodex, sandboxes } from './launch.ts';

/**
 * One turn over `codex app-server`: the transport that can ask a person while the agent works. A process of its own
 * per turn all the same, so that nothing but the vendor's session files has to outlive it.
 */
export async function* converse(request: AgentRequest, host: Host): AsyncIterable<AgentEvent> {
  const opening = openingOf(request);
  const child = await host.start(appServerLaunch(request));
  const rpc = new JsonRpc(
    child.adopted ? child : recordSent(child, path.join(request.dir, 'requests.jsonl')),
  );
  const reader = new AppServerReader(request);
  let strays = '';
  // What went wrong in it comes back as a message, or as the process's end.
  const opened = child.adopted ? Promise.resolve() : open(rpc, opening);
  opened.catch((error: unknown) => {
    if (!(error instanceof RpcError)) strays = `${strays}${messageOf(error)}\n`;
    child.endInput();
  });
  try {
    for await (const message of rpc.messages()) {
      if (message.kind === 'stray') strays = `${strays}${message.text}\n`.slice(-keptStrays);
      else yield* eventsOf(message, { rpc, reader, child, host });
      if (reader.over) child.endInput();
    }
  } finally {
    // Nobody listens any more; codex stops at once instead of when it notices.
    if (reader.working) rpc.call('turn/interrupt', reader.working).catch(() => undefined);
    child.endInput();
  }
  const exit = await child.exited;
  yield endOf(reader.finish(), exit, { strays, child, errors, now: host.now() });
}

const keptStrays = 8192;

interface Opening {
  thread: { method: string; params: object };
  turn: object;
}

async function open(rpc: JsonRpc, { thread, turn }: Opening): Promise<void> {
  await rpc.call('initialize', {
    clientInfo: { name: 'docket', title: 'docket', version: '1' },
    capabilities: null,
  });
  await rpc.notify('initialized');
  const begun = (await rpc.call(thread.method, thread.params)) as { thread?: { id?: unknown } };
  await rpc.call('turn/start', { threadId: begun.thread?.id, ...turn });
}

/** Checked before anything is started. */
function openingOf(request: AgentRequest): Opening {
  const { session, cwd, model, effort, schema } = request;
  const held = heldByCodex(request);
  const common = {
    cwd,
    sandbox: sandboxes[held],
    // Where nothing is forbidden nothing would be asked: then every command that is not known as harmless is.
    approvalPolicy: held === 'full' ? 'untrusted' : 'on-request',
    ...(model !== undefined && { model }),
  };
  const turn = {
    input: [{ type: 'text', text: request.prompt }],
    sandboxPolicy: policies[held],
    ...(schema !== undefined && { outputSchema: schema }),
    ...(effort !== undefined && { effort }),
  };
  if (session.kind === 'new') return { thread: { method: 'thread/start', params: common }, turn };
  const params = { threadId: checkedId(session.id, uuid, 'codex'), ...common };
  return { thread: { method: `thread/${session.kind}`, params }, turn };
}

const policies = {
  read: { type: 'readOnly', networkAccess: false },
  edit: {
    type: 'workspaceWrite',
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: true,
  },
  full: { type: 'dangerFullAccess' },
} as const;

interface Around {
  rpc: JsonRpc;
  reader: AppServerReader;
  child: AgentProcess;
  host: Host;
}

async function* eventsOf(
  message: Exclude<Incoming, { kind: 'stray' }>,
  around: Around,
): AsyncIterable<AgentEvent> {
  const { reader } = around;
  switch (message.kind) {
    case 'request':
      yield* answered(message, around);
      return;
    case 'notice':
      yield* reader.notice(message.method, message.params);
      return;
    case 'result':
      yield* reader.result(message.result);
      return;
    case 'error':
      reader.refused(message.error);
  }
}

async function* answered(
  { id, method, params }: Extract<Incoming, { kind: 'request' }>,
  { rpc, reader, child, host }: Around,
): AsyncIterable<AgentEvent> {
  if (child.adopted) {
    yield { type: 'warning', text: `codex asked (${method}) while docket was away` };
    return;
  }
  const approval = approvalOf(method, params, (itemId) => reader.pathsOf(itemId));
  if (approval === undefined) {
    const no = declined(method);
    yield { type: 'denied', text: `codex asked for ${method}, which nobody here can answer` };
    await unlessGone(no ? rpc.answer(id, no) : rpc.refuse(id, `docket does not answer ${method}`));
    return;
  }
  const { question, reply } = approval;
  // It may be stopped while a person thinks.
  const chosen = await Promise.race([host.ask(question), child.exited.then(() => undefined)]);
  if (chosen === undefined) return;
  const { allowed, result } = reply(chosen);
  yield { type: 'question', question, answer: chosen };
  if (!allowed) {
    reader.denied(textIn(fieldsIn(params)['itemId']) ?? '');
    yield { type: 'denied', text: `${question.about}: ${question.text}` };
  }
  await unlessGone(rpc.answer(id, result));
}

/** Nobody reads our answer any more: why, its end will tell. */
async function unlessGone(sent: Promise<void>): Promise<void> {
  await sent.catch(() => undefined);
}

/** What codex asks while it works, and how an answer has to look for it. */
interface Approval {
  question: Question;
  /** By the id of the chosen option. An id that was not offered is a no. */
  reply: (chosen: string) => { allowed: boolean; result: unknown };
}

type Params = Readonly<Record<string, unknown>>;

const allowed = new Set(['accept', 'acceptForSession']);

const options: Question['options'] = [
  { id: 'accept', kind: 'allow', text: 'allow it this time' },
  { id: 'acceptForSession', kind: 'allow', text: 'allow it for the rest of the session' },
  { id: 'decline', kind: 'deny', text: 'do not allow it; the agent goes on without' },
  { id: 'cancel', kind: 'deny', text: 'do not allow it and end the turn' },
];
const once = options.filter(({ id }) => id === 'accept' || id === 'decline');

/** `paths`: what the item that asks wants to change. Undefined: nothing that a person could be asked. */
function approvalOf(
  method: string,
  value: unknown,
  paths: (itemId: string) => readonly string[],
): Approval | undefined {
  const params = fieldsIn(value);
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return decision(params, 'command', textIn(params['command']) ?? 'run a command');
    case 'item/fileChange/requestApproval':
      return decision(params, 'edit', editText(params, paths(textIn(params['itemId']) ?? '')));
    case 'item/permissions/requestApproval':
      return permissions(params);
    case 'mcpServer/elicitation/request':
      return elicitation(params);
    default:
      return undefined;
  }
}

function decision(params: Params, about: string, text: string): Approval {
  return {
    question: { id: idOf(params), about, text: withReason(text, params), options },
    reply: (chosen) => {
      const known = options.some(({ id }) => id === chosen);
      return { allowed: allowed.has(chosen), result: { decision: known ? chosen : 'decline' } };
    },
  };
}

function editText(params: Params, paths: readonly string[]): string {
  const root = textIn(params['grantRoot']);
  const what = paths.length > 0 ? `change ${paths.join(', ')}` : 'change files';
  return root === undefined ? what : `${what}, and all else below ${root} in this session`;
}

/** Wider rights for the rest of this turn, never longer. */
function permissions(params: Params): Approval {
  const wanted = params['permissions'];
  return {
    question: {
      id: idOf(params),
      about: 'permissions',
      text: withReason(`more rights: ${excerpt(wanted) ?? ''}`, params),
      options: once,
    },
    reply: (chosen) => {
      const yes = chosen === 'accept';
      return { allowed: yes, result: { permissions: yes ? wanted : {}, scope: 'turn' } };
    },
  };
}

/** An MCP server asks. A yes or no can be given; a form cannot be filled in, so it is declined. */
function elicitation(params: Params): Approval | undefined {
  const schema = fieldsIn(params['requestedSchema']);
  if (params['mode'] === 'url' || Object.keys(fieldsIn(schema['properties'])).length > 0) return undefined;
  const server = textIn(params['serverName']) ?? 'a server';
  return {
    question: {
      id: idOf(params),
      about: server,
      text: textIn(params['message']) ?? `${server} asks for a yes or a no`,
      options: once,
    },
    reply: (chosen) => {
      const yes = chosen === 'accept';
      return {
        allowed: yes,
        result: { action: yes ? 'accept' : 'decline', content: yes ? {} : null, _meta: null },
      };
    },
  };
}

/** What is answered where nobody can be asked: no, in the words of the request. Undefined: it has no such words. */
function declined(method: string): object | undefined {
  if (method === 'mcpServer/elicitation/request') return { action: 'decline', content: null, _meta: null };
  if (method === 'item/tool/requestUserInput') return { answers: {} };
  return undefined;
}

function withReason(text: string, params: Params): string {
  const reason = textIn(params['reason']);
  return reason === undefined || reason === '' ? text : `${text} (${reason})`;
}

function idOf(params: Params): string {
  return textIn(params['approvalId']) ?? textIn(params['itemId']) ?? 'question';
}
