import { DocketError } from '../../../errors.ts';
import type { Docket } from '../../../project/docket.ts';
import { whereLooked } from '../../../project/project.ts';
import { isProject } from '../../../project/root.ts';
import type { Printer } from './printer.ts';
import { visible } from './visible.ts';

type None = Extract<Docket['found'], { how: 'none' }>;

/** Nobody named the folder: whoever looks hears that nothing is there, and whoever wrote hears where. */
export function tellNoProject(found: None, out: Printer): void {
  const looked = whereLooked(found);
  out.talk(
    visible(
      isProject(found.root)
        ? `note: ${found.root} is a docket project now`
        : `note: there is no docket project here: ${looked}`,
    ),
  );
}

/** What is not there is missing in this project. */
export function withRoot(error: unknown, found: Docket['found'], out: Printer): unknown {
  if (!(error instanceof DocketError)) return error;
  if (error.code === 'NOT_FOUND') error.data['root'] ??= found.root;
  if (found.how === 'none' && !error.message.includes(whereLooked(found))) tellNoProject(found, out);
  return error;
}
