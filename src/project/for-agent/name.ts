import { DocketError } from '../../errors.ts';
import { foreman } from '../../kinds/board/moves.ts';

/** docket's own words for who did something, and the one who answers for the board: no agent is any of them. */
const taken: ReadonlySet<string> = new Set([foreman, 'docket', 'cli', 'file', 'person', 'human']);

/** Checked where a person chooses it; a client that connects cannot choose one. */
export function agentName(name: string): string {
  const shaped = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
  if (shaped && !taken.has(name.toLowerCase())) return name;
  const said = JSON.stringify(name.slice(0, 80));
  throw new DocketError(
    'INVALID',
    shaped ? `an agent cannot act as ${said}: that name has rights of its own` : `${said} is no name`,
    'give another with --as: up to 64 letters, digits, ".", "_" and "-", such as claude',
    { name: said },
  );
}
