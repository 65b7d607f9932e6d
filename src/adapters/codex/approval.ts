import type { Question } from '../adapter.ts';
import { excerpt, fieldsIn, textIn } from '../pick.ts';

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
export function approvalOf(
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
export function declined(method: string): object | undefined {
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
