import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { reportContract, repairPrompt } from '../../src/report/contract.ts';
import { reportFields } from '../../src/report/fields.ts';
import { parseReport, reportFrom } from '../../src/report/parse.ts';
import { reportSchema } from '../../src/report/schema.ts';
import { normalise, strictReportSchema } from '../../src/report/strict.ts';

type Schema = { type?: string | string[]; properties?: Record<string, Schema>; items?: Schema };

/** Every object of a schema, at every depth. */
function objectsIn(schema: Schema): (Schema & { required?: string[]; additionalProperties?: unknown })[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
  return [...(schema.properties ? [schema] : []), ...inner.flatMap(objectsIn)];
}

describe('the strict schema', () => {
  test('has the fields of the report, and each is explained', () => {
    const names = Object.keys((strictReportSchema as Schema).properties ?? {});
    expect(names).toEqual(Object.keys(reportSchema.entries));
    expect(names).toEqual(Object.keys(reportFields));
  });

  test('leaves no room: all is required, nothing more is allowed', () => {
    const objects = objectsIn(strictReportSchema);
    expect(objects).toHaveLength(3);
    for (const { properties, required, additionalProperties } of objects) {
      expect(required).toEqual(Object.keys(properties ?? {}));
      expect(additionalProperties).toBe(false);
    }
  });

  test('what it allows is a report, with everything null that may be', () => {
    const properties = (strictReportSchema as Schema).properties ?? {};
    const nullable = Object.keys(properties).filter((name) => properties[name]?.type?.includes('null'));
    const answer = {
      status: 'blocked',
      summary: 'a',
      ...Object.fromEntries(nullable.map((name) => [name, null])),
    };
    expect(Object.keys(answer).toSorted()).toEqual(Object.keys(properties).toSorted());
    expect(reportFrom(answer)).toEqual({
      report: v.parse(reportSchema, { status: 'blocked', summary: 'a' }),
    });
  });

  test('nulls go away at every depth', () => {
    const artifacts = { worktreePath: null, branch: 'x', touchedFiles: [null, 'a'], diffStat: null };
    expect(normalise({ a: null, evidence: [{ kind: 'file', note: null }], artifacts })).toEqual({
      evidence: [{ kind: 'file' }],
      artifacts: { branch: 'x', touchedFiles: ['a'] },
    });
    expect(normalise({ artifacts: { branch: null } })).toEqual({});
  });
});

describe('the contract', () => {
  test('names every field', () => {
    for (const name of Object.keys(reportFields)) expect(reportContract).toContain(`- ${name}:`);
  });

  test('repeated as it is, it is no report', () => {
    expect(parseReport(reportContract)).toEqual({
      problem: expect.stringContaining('status has a wrong value'),
    });
    expect(parseReport(repairPrompt('summary is missing'))).toHaveProperty('problem');
  });

  test('the repair names the problem, on one line and in bounds', () => {
    expect(repairPrompt('summary is missing')).toContain('no valid report: summary is missing.');
    expect(repairPrompt(`a\n\nb${'x'.repeat(9000)}`).length).toBeLessThan(3000);
  });
});
