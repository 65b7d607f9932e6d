import { quoted } from '../../schema/problem.ts';
import { checkName, stepsOf, type Scope } from './scope.ts';

/** What only a caller can give or understand. */
export function checkAlone(scope: Scope): void {
  const { returns = [], params = {} } = scope.file.subworkflow ?? {};
  const fix = 'Run a workflow that calls it.';
  if (returns.length > 0)
    scope.complain({
      path: ['subworkflow', 'returns'],
      message: 'it hands words back to a workflow that calls it, and cannot run by itself',
      fix,
    });
  for (const [name, param] of Object.entries(params))
    if (param.default === undefined)
      scope.complain({ path: param.at, message: `only a caller can give it ${quoted(name)}`, fix });
}

export function checkStart(scope: Scope): void {
  const { initial_step: initial } = scope.file;
  if (initial) checkName(scope, initial.text, initial.at);
}

/** Whoever calls it has to know the words that it may hand back. */
export function checkReturns(scope: Scope): void {
  const declared = (scope.file.subworkflow?.returns ?? []).map(({ text }) => text);
  for (const { at, return: word } of stepsOf(scope).flatMap(({ rules = [] }) => rules))
    if (word !== undefined && !declared.includes(word))
      scope.complain({
        path: [...at, 'return'],
        message: `${quoted(word)} is not declared`,
        fix: 'Add it to "subworkflow: returns:", or write "next: COMPLETE".',
      });
}
