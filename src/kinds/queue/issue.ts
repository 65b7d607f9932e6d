import { DocketError } from '../../errors.ts';

/** An issue as `gh issue view --json` tells it. All of it was written by strangers. */
export interface Issue {
  number: number;
  /** Absent: it does not say. */
  author?: string;
  title: string;
  body: string;
  url?: string;
  labels: string[];
  comments: { by: string; at: string; body: string }[];
}

type Env = Readonly<Record<string, string | undefined>>;

const fields = 'number,author,title,body,url,labels,comments';
const longestMs = 60_000;

/** Asks GitHub through its own program, which has the login. */
export async function fetchIssue(number: number, where: { root: string; env: Env }): Promise<Issue> {
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
    timeoutMs: longestMs,
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

export function parseIssue(text: string, source: string): Issue {
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
export function issueText({ number, title, body, url, labels, comments }: Issue): string {
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
