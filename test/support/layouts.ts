import fs from 'node:fs';
import path from 'node:path';
import type { Progress } from '../../src/engine/progress.ts';
import { openDocket, type Docket } from '../../src/project/docket.ts';
import { Project } from './project.ts';

const workflow = {
  name: 'solo',
  initial_step: 'work',
  steps: [
    {
      name: 'work',
      persona: 'coder',
      edit: true,
      instruction: '{task}',
      rules: [{ condition: 'made', next: 'COMPLETE' }],
    },
  ],
};

interface Worked {
  id: string;
  status: string | undefined;
}

/** One unit of work, in each layout: ordered, and run until it stops. Resolves with how it stands then. */
const layouts = {
  async queue(docket: Docket, { root }: Project): Promise<Worked> {
    fs.mkdirSync(path.join(root, '.takt', 'workflows'), { recursive: true });
    fs.writeFileSync(path.join(root, '.takt', 'workflows', 'solo.yaml'), JSON.stringify(workflow));
    const { id } = await docket.add({ text: words, workflow: 'solo' });
    const [ran] = await docket.run({ signal });
    return { id, status: ran?.task.status };
  },
  async 'task directory'(docket: Docket): Promise<Worked> {
    const tasks = await docket.tasks();
    const { id } = await tasks.create({ title: words, topology: 'swarm' });
    const one = { taskId: 'one', title: 'one', agent: 'coder', adapter: 'codex', prompt: words };
    const actions = JSON.stringify({ sessionGoal: words, tasks: [one] });
    const { task } = await tasks.run(id, { kind: 'actions', actions, source: 'actions.json', signal });
    return { id, status: task.status };
  },
  async packet(docket: Docket, { told }: LayoutProject): Promise<Worked> {
    const packets = await docket.packets();
    const lists = { allow: ['src/'], deny: [], commands: ['true'], criteria: [] };
    await packets.make({ id: 'p-1', goal: words, intent: 'codex_only', ...lists });
    const onProgress = (progress: Progress) =>
      progress.kind === 'step' && void told.push(`run ${progress.agent}`);
    const { stages } = await packets.run('p-1', { stage, signal, pauseMs: 1, onProgress });
    return { id: 'p-1', status: stages[0]?.state };
  },
  async board(docket: Docket): Promise<Worked> {
    const board = await docket.board();
    const said = { sender: { actor: 'orchestrator', isBot: false }, locale: 'en', signal } as const;
    await board.say({ ...said, text: `create task: ${words}` });
    await board.say({ ...said, text: 'dispatch T-001 coder', mode: 'spawn' });
    return { id: 'T-001', status: (await board.list())[0]?.status };
  },
};

const words = 'Mend the gate';
/** The first of its intent. */
const stage = 'codex_review';
const { signal } = new AbortController();

export type LayoutName = keyof typeof layouts;
export const layoutNames = Object.keys(layouts) as LayoutName[];

/** How an agent ends well in most of them; a stage of a packet answers in words. */
const report = { status: 'success', summary: 'it is mended', evidence: ['npm test: 12 tests pass'] };
const review = ['Findings', 'Test gaps', 'Breaking changes', 'Minimal fix'].map(
  (title) => `## ${title}\n\nNone.\n`,
);

/** A project whose codex and claude, each of a provider of its own, do what these rules say. `well`: the end of good work. */
export class LayoutProject extends Project {
  /** What a packet's stages said when they began. */
  readonly told: string[] = [];

  constructor(rules: (well: object) => object[], { limits = {}, ...settings }: Record<string, unknown> = {}) {
    const agent = { adapter: 'script', command: ['scenario.yaml'], permission: 'full', limits };
    super({ agents: { codex: agent, claude: agent }, defaultAgent: 'codex', ...settings });
    const ofStage = rules({ say: review.join('\n') }).map((rule) => ({ step: stage, ...rule }));
    this.write('scenario.yaml', JSON.stringify({ rules: [...ofStage, ...rules({ report })] }));
    this.write('.gitignore', '.docket\n.takt\n.agentmesh\n.tmp\nstate\n');
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'scenario');
  }

  /** `agents`: who was called for it, in order. */
  async works(layout: LayoutName): Promise<{ id: string; status: string | undefined; agents: string[] }> {
    const docket = await openDocket({ cwd: this.root, root: this.root, env: this.env });
    try {
      const worked = await layouts[layout](docket, this);
      const { attempts } = await docket.explain(worked.id);
      return { ...worked, agents: attempts.map(({ agent }) => agent) };
    } finally {
      await docket.close();
    }
  }

  /** The conversations that the agents had, as they remember them: what they were told, turn by turn. */
  conversations(): string[][] {
    return fs
      .readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && path.basename(entry.parentPath) === 'sessions')
      .map((entry) => {
        const text = fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8');
        return (JSON.parse(text) as { turns: { prompt: string }[] }).turns.map(({ prompt }) => prompt);
      });
  }
}
