import { describe, expect, it } from 'vitest';
import { boardMail } from '../../src/kinds/board/outbox.ts';
import { maskingFor } from '../../src/settings/masking.ts';
import { readConfig } from '../../src/settings/read-config.ts';
import { team, testChat } from '../support/chat.ts';
import { SecretWords, words } from '../support/secret-words.ts';
import { actions } from '../support/task-project.ts';

type Ways = Readonly<Record<string, (here: SecretWords) => Promise<unknown>>>;

const { signal } = new AbortController();
const part = { taskId: 'one', title: 'one', agent: 'worker', adapter: 'sh', prompt: 'Do it' };
const blocked = 5;

async function queued(here: SecretWords, ...more: string[]): Promise<void> {
  await here.docket('add', 'work', '--name', 'it', ...more);
}

async function canceled(here: SecretWords): Promise<void> {
  await queued(here);
  await here.docket('cancel', 'it');
}

/** At a gate, because its agent asks something. */
async function asking(here: SecretWords): Promise<void> {
  await queued(here);
  await here.ends(blocked, ['run']);
}

function created(here: SecretWords): Promise<string> {
  return here.docket('task', 'create', '--title', 'Ship it', '--topology', 'swarm', '--quiet');
}

async function waiting(here: SecretWords): Promise<string> {
  const id = await created(here);
  await here.ends(blocked, ['task', 'run', id, '--actions', '-'], actions(part));
  return id;
}

function packet(here: SecretWords): Promise<string> {
  return here.docket('packet', 'new', '--goal', 'Ship it', '--quiet');
}

async function claimed(here: SecretWords): Promise<void> {
  await here.docket('say', 'create task T-1: Build it');
  await here.docket('say', 'claim T-1', '--as', 'coder');
}

async function agent(here: SecretWords) {
  await here.docket('board', 'init');
  const side = await (await here.open()).forAgent('helper');
  await side.create({ text: 'Build it', where: 'board' });
  await side.claim('T-001');
  return side;
}

const issue = JSON.stringify({
  number: 7,
  title: words,
  body: words,
  author: { login: words },
  labels: [{ name: words }],
  comments: [{ author: { login: words }, body: words }],
});

const workflow = `name: mine
initial_movement: a
max_movements: 3
movements:
  - name: a
    instruction: ${JSON.stringify(words)}
    rules:
      - condition: ${JSON.stringify(words)}
        next: COMPLETE
`;

const queue: Ways = {
  'add TEXT': (here) => here.docket('add', words),
  'add --file': (here) => here.docket('add', '--file', here.write('given/a.md', words)),
  'add, from stdin': (here) => here.ends(0, ['add', '-'], words),
  'add --issue-json': (here) => here.docket('add', '--issue-json', here.write('given/issue.json', issue)),
  'add --packet': async (here) => {
    await here.docket('add', words, '--packet', 'safe_impl');
    await here.ends(blocked, ['run']);
  },
  'add --from': async (here) => {
    await here.docket('say', `create task T-1: ${words}`);
    await here.docket('add', '--from', 'T-1', words);
  },
  'retry --note': async (here) => {
    await canceled(here);
    await here.docket('retry', 'it', '--note', words);
  },
  'requeue --reason': async (here) => {
    await canceled(here);
    await here.docket('requeue', 'it', '--reason', words);
  },
  'cancel --reason': async (here) => {
    await queued(here);
    await here.docket('cancel', 'it', '--reason', words);
  },
  'gate approve --note': async (here) => {
    await asking(here);
    await here.docket('gate', 'approve', 'it', '--note', words);
  },
  'gate reject --note': async (here) => {
    await asking(here);
    await here.docket('gate', 'reject', 'it', '--note', words);
  },
  'the text of a workflow': async (here) => {
    here.write('.takt/workflows/mine.yaml', workflow);
    await queued(here, '--workflow', 'mine');
    await here.ends(blocked, ['run']);
  },
};

const directories: Ways = {
  'task create --title': (here) => here.docket('task', 'create', '--title', words, '--topology', 'squad'),
  'task create --description': (here) =>
    here.docket('task', 'create', '--title', 'x', '--description', words, '--topology', 'swarm'),
  'task run --goal': async (here) => here.ends(1, ['task', 'run', await created(here), '--goal', words]),
  'task run --actions': async (here) => {
    const given = JSON.stringify({ sessionGoal: words, tasks: [{ ...part, title: words, prompt: words }] });
    const file = here.write('given/actions.json', given);
    await here.ends(blocked, ['task', 'run', await created(here), '--actions', file]);
  },
  'gate approve --note': async (here) => here.docket('gate', 'approve', await waiting(here), '--note', words),
  'gate reject --note': async (here) => here.docket('gate', 'reject', await waiting(here), '--note', words),
  'task resume --note': async (here) =>
    here.ends(blocked, ['task', 'resume', await waiting(here), '--note', words]),
  'human-notes.md': async (here) => {
    const id = await waiting(here);
    here.write(`.agentmesh/tasks/${id}/shared/human-notes.md`, `${words}\n`);
    await here.ends(blocked, ['task', 'resume', id]);
  },
  'task cancel --reason': async (here) =>
    here.docket('task', 'cancel', await created(here), '--reason', words),
};

const packets: Ways = {
  'packet new --request': (here) => here.docket('packet', 'new', '--goal', 'g', '--request', words),
  'packet new --file': (here) =>
    here.docket('packet', 'new', '--goal', 'g', '--file', here.write('given/a.md', words)),
  'packet cancel --reason': async (here) =>
    here.docket('packet', 'cancel', await packet(here), '--reason', words),
  'packet review': (here) =>
    here.ends(2, ['packet', 'review', here.write('given/a.md', words), here.write('given/b.md', words)]),
};

const board: Ways = {
  'say create': (here) => here.docket('say', `create task T-1: ${words}`),
  'say, from stdin': (here) => here.ends(0, ['say', '-'], `create task T-1: ${words}`),
  'say dispatch': async (here) => {
    await claimed(here);
    await here.docket('say', `dispatch T-1 coder: ${words}`);
  },
  'say, as a report': async (here) => {
    await claimed(here);
    await here.docket('say', `@orchestrator T-1 is in progress, evidence: ${words}`, '--as', 'coder');
  },
  'say blocked': async (here) => {
    await claimed(here);
    await here.docket('say', `block T-1: ${words}`, '--as', 'coder');
  },
  'board apply': (here) => here.docket('board', 'apply', `create task T-1: ${words}`),
  'board dispatch': async (here) => {
    await claimed(here);
    await here.docket('board', 'dispatch', 'T-1', 'coder', words);
  },
  'compat orchestrator-router': (here) =>
    here.docket('compat', 'orchestrator-router', '--root', here.root, '--text', `create task: ${words}`),
  'compat dispatch-task': async (here) => {
    await claimed(here);
    const about = ['--root', here.root, '--task-id', 'T-1', '--agent', 'coder'];
    await here.docket('compat', 'dispatch-task', 'dispatch', ...about, '--task', words);
  },
  'a message of a chat': async (here) => {
    const chat = await testChat(here.root);
    await chat.say(`create task T-1: ${words}`);
    await chat.stop();
    expect(chat.texts(team).join('\n')).toContain('[REDACTED]');
    expect(JSON.stringify(chat.sent)).not.toMatch(/canary|c4n4ry/);
  },
  'a message of a chat that nobody has read yet': async (here) => {
    const where = { root: here.root, env: process.env };
    const { inbox } = boardMail(here.root, {
      masker: maskingFor(where, await readConfig(here.root, process.env)),
    });
    const from = { group: team, at: 1, sender: { openId: 'ann', name: 'Ann', isBot: false } };
    await inbox.take('memory', { ...from, kind: 'message', id: 'm1', text: words, mentions: [] });
  },
  'an agent creates a task of the queue': async (here) =>
    (await agent(here)).create({ text: words, where: 'queue' }),
  'an agent creates a task of the board': async (here) =>
    (await agent(here)).create({ text: words, where: 'board' }),
  'an agent reports': async (here) => {
    const side = await agent(here);
    await side.report({ id: 'T-001', outcome: 'progress', text: words, signal });
    await side.report({ id: 'T-001', outcome: 'blocked', text: words, signal });
  },
  'an agent asks': async (here) => (await agent(here)).ask({ id: 'T-001', question: words }),
};

describe.each(Object.entries({ queue, directories, packets, board }))(
  'no secret that somebody types is written down: %s',
  (_, ways) => {
    it.each(Object.entries(ways))('%s', async (_way, go) => {
      const here = new SecretWords();
      await go(here);
      expect(here.leaks()).toEqual([]);
      expect(here.isMasked()).toBe(true);
    });
  },
);

/** What names something, or is run as it is, cannot be masked. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'add --name': ['add', 'x', '--name', words],
  'add --key': ['add', 'x', '--key', words],
  'add --branch': ['add', 'x', '--worktree', '--branch', 'canary-of-dotenv-5'],
  'packet new --goal': ['packet', 'new', '--goal', words],
  'packet new --id': ['packet', 'new', '--goal', 'g', '--id', 'canary-of-dotenv-5'],
  'packet new --command': ['packet', 'new', '--goal', 'g', '--command', `echo ${words}`],
  'packet new --criterion': ['packet', 'new', '--goal', 'g', '--criterion', words],
};

describe('a secret is refused, and nothing is written', () => {
  it.each(Object.entries(refused))('%s', async (_way, argv) => {
    const here = new SecretWords();
    await here.ends(2, argv);
    expect(here.leaks()).toEqual([]);
    const docket = await here.open();
    expect([(await docket.list({})).tasks, (await (await docket.packets()).list()).packets]).toEqual([
      [],
      [],
    ]);
  });

  it('the key of an agent', async () => {
    const here = new SecretWords();
    const side = await agent(here);
    const asked = side.ask({ question: 'Which?', key: words });
    await expect(asked).rejects.toMatchObject({ code: 'INVALID', message: expect.stringContaining('key') });
    expect(here.leaks()).toEqual([]);
  });
});
