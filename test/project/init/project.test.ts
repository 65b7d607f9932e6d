import { describe, expect, it } from 'vitest';
import { toolingOf } from '../../../src/project/init/project.ts';

const of = (files: Record<string, string | undefined>) => toolingOf((name) => files[name]);
const scripts = (test: string) => JSON.stringify({ scripts: { test } });

describe('what a project is tested with', () => {
  it.each([
    ['npm', { 'package.json': scripts('vitest'), 'package-lock.json': '{}' }, 'npm ci', 'npm test'],
    ['pnpm', { 'package.json': scripts('vitest'), 'pnpm-lock.yaml': '' }, /^pnpm install/, 'pnpm test'],
    ['yarn', { 'package.json': scripts('jest'), 'yarn.lock': '' }, 'yarn install', 'yarn test'],
    ['bun', { 'package.json': scripts('bun test'), 'bun.lockb': '' }, /^bun install/, 'bun run test'],
    ['cargo', { 'Cargo.toml': '[package]' }, 'cargo fetch', 'cargo test'],
    ['go', { 'go.mod': 'module a' }, 'go mod download', 'go test ./...'],
    ['uv', { 'pyproject.toml': '[tool.pytest]', 'uv.lock': '' }, 'uv sync', 'uv run pytest'],
    ['poetry', { 'pyproject.toml': 'pytest = "8"', 'poetry.lock': '' }, /^poetry/, 'poetry run pytest'],
    ['pip', { 'requirements.txt': '', 'pytest.ini': '' }, /-r requirements.txt$/, 'python -m pytest'],
    ['maven', { 'pom.xml': '', mvnw: '' }, undefined, './mvnw --batch-mode test'],
    ['gradle', { 'build.gradle.kts': '' }, undefined, 'gradle test'],
    ['make', { Makefile: 'all:\n\ntest: all\n\tcheck\n' }, undefined, 'make test'],
  ])('%s', (manager, files, install, test) => {
    const found = of(files);
    expect([found.managers, found.tests]).toEqual([[manager], [test]]);
    expect(found.install ?? '').toMatch(install ?? /^$/);
  });

  it('believes the package itself before a lock file', () => {
    const files = { 'package.json': '{"packageManager":"pnpm@9.1.0"}', 'package-lock.json': '{}' };
    expect(of(files).managers).toEqual(['pnpm']);
  });

  it.each([
    ['what npm init writes', scripts('echo "Error: no test specified" && exit 1')],
    ['an empty script', scripts(' ')],
    ['no scripts', '{}'],
    ['scripts that are none', '{"scripts":"test"}'],
    ['a list', '[]'],
  ])('takes no test from %s', (_what, text) => {
    expect(of({ 'package.json': text }).tests).toEqual([]);
  });

  it('says that a package is no JSON', () => {
    const found = of({ 'package.json': '{' });
    expect([found.tests, found.notes.length]).toEqual([[], 1]);
  });

  it('takes no variable of a Makefile for a target, and no word of any file into a command', () => {
    expect(of({ Makefile: 'test := $(shell rm -rf /)\n.PHONY: test\n' }).tests).toEqual([]);
    expect(of({ 'package.json': scripts('"; rm -rf /') }).tests).toEqual(['npm test']);
  });

  it('puts what can be tested first', () => {
    const found = of({ 'package.json': '{}', 'go.mod': '', Makefile: 'test:\n' });
    expect(found.managers).toEqual(['make', 'go', 'npm']);
    expect(found.tests).toEqual(['make test', 'go test ./...']);
    expect(found.install).toBe('go mod download');
  });
});
