import fs from 'node:fs';
import { expect, it } from 'vitest';
import { reportContract } from '../../../src/report/contract.ts';
import { parseReport, reportFrom } from '../../../src/report/parse.ts';
import { strictReportSchema } from '../../../src/report/strict.ts';
import type { Ran, Subject } from '../lab.ts';
import { countedBy, endOf, good, lab, usageOf } from './case.ts';

/** What every agent does: it answers, edits, and reports. */
export function answerCases(subject: Subject): void {
  const { capabilities } = subject.adapter;

  it('answers, and counts the tokens that the server counted', async (test) => {
    const here = await lab(test, subject, {
      hello: [{ text: 'Hello. seen={{seen}}', tokens: { input: 123, cached: 7, output: 45 } }],
    });
    const ran = await here.run('[[hello]] Say hello.');
    expect(endOf(ran)).toEqual(good('Hello. seen=hello'));
    expect(usageOf(ran)).toEqual(countedBy(here, capabilities));
    expect(ran.session ?? '').toMatch(capabilities.resume ? /^[\w-]{8,}$/ : /^/);
  });

  it('edits a file in the work tree', async (test) => {
    const here = await lab(test, subject, ({ cwd }) => {
      const path = `${cwd}/out.txt`;
      return {
        write: [
          { text: 'I write.', do: [{ write: { path, content: 'one\ntwo\n' } }] },
          { do: [{ edit: { path, old: 'two', new: '2' } }] },
          { text: 'written' },
        ],
      };
    });
    const ran = await here.run('[[write]] Write a file.');
    expect(endOf(ran)).toEqual(good('written'));
    expect(fs.readFileSync(here.file('out.txt'), 'utf8')).toBe('one\n2\n');
    expect(usageOf(ran)).toEqual(countedBy(here, capabilities));
    // A plain program edits as it likes and says nothing about it.
    const told = capabilities.plainReports ? [] : [true, true];
    expect(tools(ran, 'end').map(({ ok }) => ok)).toEqual(told);
    expect(ids(tools(ran, 'start'))).toEqual(ids(tools(ran, 'end')));
    expect(ran.files.map(({ path }) => path.endsWith('out.txt'))).toEqual(told);
  });

  if (capabilities.structured) schemaCase(subject);
  else textCase(subject);
}

function schemaCase(subject: Subject): void {
  it('hands over a report in the shape of a schema', async (test) => {
    const here = await lab(test, subject, { report: [{ structured: strict }, { text: 'done' }] });
    const ran = await here.run('[[report]] Work, and report.', { schema: strictReportSchema });
    expect(ran.error).toBeUndefined();
    expect(reportFrom(ran.structured)).toEqual({ report });
    // It went to the model as it was; else the vendor's word for it would be no help to anybody.
    const { required } = strictReportSchema;
    const sent = here.model ? here.model.requests[0]?.schema : { required };
    expect(sent).toMatchObject({ required });
  });
}

function textCase(subject: Subject): void {
  it('hands over a report in its text', async (test) => {
    const json = JSON.stringify(strict);
    const here = await lab(test, subject, {
      report: [{ text: `All done.\n\n\`\`\`json\n${json}\n\`\`\`\n` }],
    });
    const ran = await here.run(`[[report]] Work.\n\n${reportContract}`);
    expect(ran.error).toBeUndefined();
    expect(parseReport(ran.text ?? '')).toEqual({ report });
  });
}

const strict = {
  status: 'success',
  summary: 'Did it.',
  changes: ['a.ts: new'],
  evidence: [{ kind: 'command', ref: 'npm test', note: null }],
  risks: null,
  nextActions: [],
  questions: null,
  errors: null,
  artifacts: null,
};

const report: unknown = expect.objectContaining({
  status: 'success',
  summary: 'Did it.',
  changes: ['a.ts: new'],
  evidence: [{ kind: 'command', ref: 'npm test' }],
  risks: [],
});

function tools(ran: Ran, phase: 'start' | 'end'): { id: string; ok?: boolean }[] {
  return ran.events.flatMap((event) => (event.type === 'tool' && event.phase === phase ? event : []));
}

function ids(tools: { id: string }[]): string[] {
  return tools.map(({ id }) => id).toSorted();
}
