import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { fenced } from '../../render/fence.ts';
import { isAgent } from '../../settings/caller.ts';
import { maskWords } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import type { Origin } from '../../settings/trust.ts';
import type { AddInput, AddPlaces } from '../add-input.ts';
import type { FromBoard } from '../bridges/from-board.ts';
import { slugify } from './format/names.ts';

interface AddedText {
  text: string;
  title: string;
  slug: string;
  /** The number of the issue that it comes from. */
  issue?: number;
  origin: Origin;
  /** The task of another layout that it is made from. */
  from?: FromBoard;
}

/** The words of a new task and what follows from them. An issue's text is data: it is stored with its source noted. */
export async function addedText(input: AddInput, places: AddPlaces): Promise<AddedText> {
  const issue = await issueOf(input, places);
  const from = input.from === undefined ? undefined : await boardTask(input.from, places);
  const said = from ? [from.text, input.text].filter((text) => text.trim() !== '').join('\n\n') : input.text;
  const text = issue?.text ?? (await maskWords(places, said));
  const title = firstLine(text);
  if (title === '')
    throw new DocketError(
      'INVALID',
      'the task has no text',
      fix`say what is to be done: ${command`add "Fix the login"`}`,
    );
  assertLength(text);
  const slug = (input.agentSlug && (await proposeSlug(text, input.agent, places))) || slugify(title);
  const origin: Origin =
    input.asker !== undefined || isAgent(places.env)
      ? { source: 'agent' }
      : issue
        ? { source: 'issue', ...issue.wrote }
        : { source: 'person' };
  return { text, title, slug, origin, ...(issue && { issue: issue.number }), ...(from && { from }) };
}

async function boardTask(ref: string, places: AddPlaces): Promise<FromBoard> {
  const { fromBoard } = await import('../bridges/from-board.ts');
  return fromBoard(places, ref);
}

/** It stands in one line of the journal, quotes and line ends included. */
const longest = 1_000_000;

function assertLength(text: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(text));
  if (bytes <= longest) return;
  const fix = 'put the long part into a file, add that with --attach FILE, and name it in the text';
  throw new DocketError('TOO_LARGE', `the text has ${bytes} bytes; a task's may have ${longest}`, fix, {
    bytes,
  });
}

async function issueOf(
  input: AddInput,
  places: AddPlaces,
): Promise<{ number: number; text: string; wrote: Pick<Origin, 'author' | 'others'> } | undefined> {
  if (input.issue === undefined && input.issueJson === undefined) return undefined;
  const found =
    input.issueJson === undefined
      ? await fetchIssue(input.issue ?? 0, places)
      : parseIssue(input.issueJson.text, input.issueJson.source);
  const issue = await maskWords(places, found);
  const { number, author = 'somebody', comments } = issue;
  return { number, text: issueText(issue), wrote: { author, others: comments.map(({ by }) => by) } };
}

function firstLine(text: string): string {
  return (
    text
      .trim()
      .split(/\r?\n/, 1)[0]
      ?.replace(/^#+\s+/, '')
      .trim() ?? ''
  );
}

/** An issue as `gh issue view --json` tells it. All of it was written by strangers. */
interface Issue {
  number: number;
  /** Absent: it does not say. */
  author?: string;
  title: string;
  body: string;
  url?: string;
  labels: string[];
  comments: { by: string; at: string; body: string }[];
}

const fields = 'number,author,title,body,url,labels,comments';
const ghTimeoutMs = 60_000;

/** Asks GitHub through its own program, which has the login. */
async function fetchIssue(number: number, where: Pick<Project, 'root' | 'env'>): Promise<Issue> {
  const [{ findProgram }, { shortRun }] = await Promise.all([
    import('../../io/find-program.ts'),
    import('../../io/short-run.ts'),
  ]);
  const { root, env } = where;
  const gh = findProgram('gh', env, root);
  if (gh === undefined) {
    throw new DocketError(
      'NOT_FOUND',
      `issue #${number} is read with the program gh, which is not on PATH`,
      'install it (https://cli.github.com), or save the issue as JSON and use --issue-json FILE',
      { program: 'gh', issue: number },
    );
  }
  const argv = [gh, 'issue', 'view', String(number), '--json', fields];
  const { code, stdout, stderr } = await shortRun(argv, {
    env: { ...env, GH_PROMPT_DISABLED: '1', NO_COLOR: '1' },
    cwd: root,
    timeoutMs: ghTimeoutMs,
  });
  if (code === 0) return parseIssue(stdout, `gh issue view ${number}`);
  const said = stderr.trim().split('\n').at(-1)?.slice(0, 500) ?? '';
  throw new DocketError(
    'IO',
    `gh issue view ${number} failed: ${said || `exit code ${code}`}`,
    'run it by hand to see more; gh auth status tells whether you are logged in',
    { issue: number, exitCode: code },
  );
}

function parseIssue(text: string, source: string): Issue {
  const value = objectIn(text);
  const number = value?.['number'];
  const title = words(value?.['title']).replaceAll(/\s+/g, ' ').trim();
  if (!value || !Number.isSafeInteger(number) || (number as number) < 1 || title === '') {
    throw new DocketError(
      'INVALID',
      `${source} is not an issue: a JSON object with "number" and "title" is expected`,
      `make it with: gh issue view N --json ${fields}`,
      { source },
    );
  }
  const url = words(value['url']);
  const author = loginOf(value['author']);
  return {
    number: number as number,
    ...(author !== '' && { author }),
    title,
    body: words(value['body']),
    ...(/^https?:\/\/\S+$/.test(url) && { url }),
    labels: list(value['labels']).map((label) => words(label['name']) || 'unnamed'),
    comments: list(value['comments']).map((comment) => ({
      by: loginOf(comment['author']) || 'somebody',
      at: words(comment['createdAt']),
      body: words(comment['body']),
    })),
  };
}

/** The task's text. It says where it comes from, so that whoever reads it knows whose words these are. */
function issueText({ number, title, body, url, labels, comments }: Issue): string {
  const source = [`Source: issue #${number}`, url, labels.length > 0 && `labels: ${labels.join(', ')}`];
  const parts = [
    `# ${title}`,
    body.trim(),
    `---\n\n${source.filter(Boolean).join(', ')}`,
    ...comments.map(({ by, at, body: said }) => `## Comment by ${by}${at && `, ${at}`}\n\n${said.trim()}`),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function loginOf(value: unknown): string {
  return words((value as Record<string, unknown> | null | undefined)?.['login']).slice(0, 200);
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function list(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null);
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const askTimeoutMs = 90_000;
const longestText = 4000;

/** Asks the default agent, who may only read, for a short name. What it says counts only if it is one. */
async function proposeSlug(
  text: string,
  agent: string | undefined,
  where: Project,
): Promise<string | undefined> {
  try {
    const [{ tryAgent }, { agentNameFor }, { readConfig }] = await Promise.all([
      import('../try-agent.ts'),
      import('../../settings/agents.ts'),
      import('../../settings/read-config.ts'),
    ]);
    const name = agent ?? agentNameFor(undefined, await readConfig(where.root, where.env));
    const signal = AbortSignal.timeout(askTimeoutMs);
    const { turn } = await tryAgent(
      { agent: name, prompt: promptFor(text), permission: 'read', signal },
      where,
    );
    const slug = turn.error ? undefined : slugIn(turn.text ?? '');
    if (slug !== undefined) return slug;
    where.warn(
      `${name} proposed no name (${turn.error?.message ?? 'its answer is none'}); it is made from the text`,
    );
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    where.warn(`no agent could be asked for a name: ${error.message}; it is made from the text`);
  }
  return undefined;
}

function promptFor(text: string): string {
  return [
    'Propose a short name for the task below: two to five English words, in lower-case letters a to z and digits,',
    'joined by "-". Answer with that name on a line of its own and nothing else. Do not work on the task.',
    '',
    fenced(text.slice(0, longestText), 'whoever wrote the task'),
  ].join('\n');
}

/** An answer is hostile text: only its last line counts, and only if it is a name from the first letter to the last. */
function slugIn(answer: string): string | undefined {
  const line =
    answer
      .trim()
      .split('\n')
      .at(-1)
      ?.trim()
      .replaceAll(/^[`"'*]+|[`"'*.]+$/g, '') ?? '';
  return line.length <= 40 && /^[a-z][a-z0-9]*(?:-[a-z0-9]+){0,7}$/.test(line) ? line : undefined;
}
