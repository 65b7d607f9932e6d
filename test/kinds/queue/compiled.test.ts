import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CompiledWorkflows } from '../../../src/kinds/queue/compiled.ts';
import { scratch } from '../../support/scratch.ts';

const workflow = (instruction: string): string =>
  JSON.stringify({
    name: 'own',
    initial_step: 'one',
    steps: [{ name: 'one', persona: 'coder', instruction, rules: [{ condition: 'Done', next: 'COMPLETE' }] }],
  });

function project(): { write: (name: string, text: string) => void; workflows: CompiledWorkflows } {
  const root = scratch();
  const write = (name: string, text: string): void => {
    const file = path.join(root, '.takt', name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  };
  write('workflows/own.yaml', workflow('Do it.'));
  write('personas/coder.md', 'You write code.');
  return { write, workflows: new CompiledWorkflows({ root, env: {} }) };
}

it('parses a workflow once', () => {
  const { workflows } = project();
  expect(workflows.find('own', [])).toBe(workflows.find('own', []));
});

it('makes it anew when its file is another', () => {
  const { workflows, write } = project();
  const before = workflows.find('own', []);
  write('workflows/own.yaml', workflow('Do it well.'));
  expect(JSON.stringify(workflows.find('own', []))).not.toBe(JSON.stringify(before));
  write('workflows/own.yaml', '{');
  expect(() => workflows.find('own', [])).toThrow(/own\.yaml/);
  write('workflows/own.yaml', workflow('Do it.'));
  expect(workflows.find('own', [])).toEqual(before);
});

it('makes it anew when a text that it refers to is another, or comes from elsewhere', () => {
  const { workflows, write } = project();
  const before = workflows.find('own', []);
  write('personas/coder.md', 'You write little code.');
  expect(JSON.stringify(workflows.find('own', []))).toContain('little code');
  write('facets/personas/coder.md', 'You write no code.');
  expect(JSON.stringify(workflows.find('own', []))).toContain('no code');
  expect(workflows.find('own', [])).not.toBe(before);
});

it('keeps apart what is to be proved in another way', () => {
  const { workflows } = project();
  const checks = [{ name: 'test', command: 'npm test' }];
  expect(workflows.find('default', checks)).not.toEqual(workflows.find('default', []));
});
