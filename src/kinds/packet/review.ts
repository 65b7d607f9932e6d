import path from 'node:path';
import { noFile } from '../../errors/no-file.ts';
import { commandsUnder } from '../../gate/contracts.ts';
import { iso } from '../../io/clock.ts';
import { makeDir, replaceFile } from '../../io/files.ts';
import { readTextFile } from '../../io/text-file.ts';
import { inline } from '../../render/markdown.ts';
import { maskWords } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import type { RanPacket, ReviewInput } from './api.ts';
import { readInput, writeOutput } from './files.ts';
import type { Attached } from './format/compose.ts';
import { makePacket } from './make.ts';
import { assertPacket, makePacketsFolder, reviewFolder } from './place.ts';
import { runPacket } from './run.ts';

const longest = 16 * 1024 * 1024;

/** Which output becomes which result, for who asked. */
const results: readonly [output: string, result: string][] = [
  ['gemini_review.gemini.out', 'gemini_review.md'],
  ['gemini_test_design.gemini.out', 'test_matrix.md'],
  ['gemini_static_verify.gemini.out', 'verification_checklist.md'],
  ['codex_review.codex.out', 'codex_precision_review.md'],
  ['codex_test_impl.codex.out', 'test_implementation_report.md'],
  ['codex_verify.codex.out', 'verification_report.md'],
  ['_summary.md', 'dispatch_summary.md'],
];

/** A review of work that is done: a packet of its own, run to its end, and what it found copied out. */
export async function reviewWork(
  where: Project,
  input: ReviewInput,
): Promise<RanPacket & { results: string }> {
  const { pack, report } = await maskWords(where, {
    pack: given(input.contextPack),
    report: given(input.report),
  });
  const stamp = iso(where.clock).slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const made = await makePacket(where, {
    id: `post-impl-${stamp}`,
    goal: 'Review finished work',
    intent: 'post_impl_review',
    request: 'Review the work that the attached implementation report describes.',
    allow: [],
    deny: [],
    commands: await commandsUnder(pack, 'Verify Commands'),
    criteria: ['No finding of high severity is open'],
  });
  const { dir } = assertPacket(where.root, made.id);
  writeOutput(dir, 'inputs/context_pack.md', pack);
  writeOutput(dir, 'inputs/attachments/implementation_report.md', report);
  const { signal, onProgress } = input;
  const ran = await runPacket(where, made.id, { signal, ...(onProgress && { onProgress }) });
  if (path.relative(where.root, input.out) === reviewFolder) makePacketsFolder(where.root, reviewFolder);
  const folder = path.join(input.out, made.id);
  makeDir(folder);
  const copied = results.flatMap(([output, result]) => {
    const text = readInput(dir, `outputs/${output}`);
    if (text === undefined) return [];
    replaceFile(path.join(folder, result), text);
    return [{ name: result, text }];
  });
  replaceFile(path.join(folder, 'summary.md'), reviewSummary(ran, copied));
  return { ...ran, results: folder };
}

/** `summary.md`: how the review ended, the grave findings of every stage, and where the rest is. */
function reviewSummary({ id, status, stages, dir }: RanPacket, results: readonly Attached[]): string {
  const grave = results.flatMap(({ name, text }) => {
    const lines = name === 'dispatch_summary.md' ? [] : text.split('\n');
    return lines
      .filter((line) => /^\s*[-*] \[HIGH\]/.test(line))
      .map((line) => `${inline(line, 300)} (${name})`);
  });
  return [
    '# Post-Implementation Review Summary',
    '',
    `Packet: ${id}`,
    `Status: ${status}`,
    '',
    '## Stages',
    ...stages.map(
      ({ stage, state, reasons }) =>
        `- ${stage}: ${[state, ...reasons.slice(0, 1).map((reason) => inline(reason, 200))].join(', ')}`,
    ),
    '',
    '## High findings',
    ...(grave.length > 0 ? grave : ['None reported.']),
    '',
    '## Results',
    ...results.map(({ name }) => `- ${name}`),
    '',
    `Logs and metadata of every stage: ${dir}/outputs`,
    '',
  ].join('\n');
}

function given(file: string): string {
  const text = readTextFile(file, longest);
  if (text !== undefined) return text;
  throw noFile(file);
}
