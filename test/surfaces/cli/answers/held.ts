import { Ajv, type ValidateFunction } from 'ajv';
import { check } from '../../../../src/schema/check.ts';
import { cliJsonSchemas } from '../../../../src/surfaces/cli/json-schemas.ts';
import { commands } from '../all-commands.ts';

const published = cliJsonSchemas(commands);
const formats = { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/ };
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, formats });
const compiled = new Map<string, ValidateFunction>();

function validatorOf(command: string): ValidateFunction {
  const found = compiled.get(command);
  if (found) return found;
  const made = ajv.compile(published[`cli/${command.replaceAll(' ', '-')}.schema.json`] ?? {});
  compiled.set(command, made);
  return made;
}

export function streamsOf(command: string): string | undefined {
  return answerOf(command)?.streams;
}

function answerOf(command: string) {
  return commands.find(({ name }) => name === command)?.answer;
}

function ownFaults(command: string, value: unknown): string[] {
  const answer = answerOf(command);
  if (answer) {
    const checked = check(answer.schema, value);
    return 'value' in checked
      ? []
      : checked.mistakes.map(({ path, message }) => `${path.join('.')}: ${message}`);
  }
  return [`there is no schema of docket ${command}`];
}

/** What a command's schema has against a value: ours, which lets nothing pass that it does not describe, and the published one. */
export function faultsOf(command: string, value: unknown): string[] {
  const own = ownFaults(command, value);
  const validate = validatorOf(command);
  return validate(value) || own.length > 0 ? own : ['the published schema says no, and ours does not'];
}

export function isGood(command: string, value: unknown): { own: boolean; published: boolean } {
  return { own: ownFaults(command, value).length === 0, published: validatorOf(command)(value) };
}
