import { expect, it, onTestFinished } from 'vitest';
import { startModel, type Model } from './server.ts';
import type { Scenario } from './step.ts';

const scenario: Scenario = {
  hello: [{ text: 'Hello, seen={{seen}}', tokens: { input: 123, cached: 7, output: 45 } }],
  busy: [{ status: 429, headers: { 'retry-after': '7' }, times: 1, after: { text: 'again' } }],
  work: [{ do: [{ shell: 'true' }] }, { text: 'worked' }],
  dies: [{ text: 'half of it', dies: 'cut' }],
};

async function open(): Promise<Model> {
  const model = await startModel(scenario);
  onTestFinished(() => model.close());
  return model;
}

/** The same conversation, as each wire writes it. */
const wires = [
  {
    name: 'responses',
    path: '/v1/responses',
    body: (prompt: string) => ({
      stream: true,
      tools: [{ type: 'function', name: 'exec_command' }],
      input: prompt,
    }),
    call: '"name":"exec_command"',
  },
  {
    name: 'chat',
    path: '/v1/chat/completions',
    body: (prompt: string) => ({
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: { name: 'bash' } }],
      messages: [{ role: 'user', content: prompt }],
    }),
    call: '"name":"bash"',
  },
  {
    name: 'messages',
    path: '/v1/messages',
    body: (prompt: string) => ({
      stream: true,
      tools: [{ name: 'Bash' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    }),
    call: '"name":"Bash"',
  },
  {
    name: 'gemini',
    path: '/v1beta/models/some:streamGenerateContent',
    body: (prompt: string) => ({
      tools: [{ functionDeclarations: [{ name: 'run_shell_command' }] }],
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
    }),
    call: '"name":"run_shell_command"',
  },
];

it.for(wires)('$name: answers, counts, calls tools, fails and dies as told', async (wire) => {
  const model = await open();
  const ask = (prompt: string) =>
    fetch(model.url + wire.path, { method: 'POST', body: JSON.stringify(wire.body(prompt)) });

  const hello = await (await ask('[[hello]] there')).text();
  expect(hello.replaceAll(/["}]/g, '')).toMatch(/Hello, s[^]*een=hello/);
  expect(model.counted()).toEqual({ input: 123, cached: 7, output: 45 });
  expect(await (await ask('[[work]]')).text()).toContain(wire.call);
  const busy = await ask('[[busy]]');
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '7']);
  expect(await (await ask('[[busy]]')).text()).toContain('ain');
  await expect(ask('[[dies]]').then((answer) => answer.text())).rejects.toThrow(/terminated|closed|aborted/);
  expect(model.requests.map(({ name, step, tokens }) => [name, step, tokens?.output])).toEqual([
    ['hello', 0, 45],
    ['work', 0, 10],
    ['busy', 0, undefined],
    ['busy', 0, 10],
    ['dies', 0, undefined],
  ]);
});

it('finds its place in a conversation by what was said in it', async () => {
  const model = await open();
  const messages = [
    { role: 'user', content: '[[hello]]' },
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: '[[work]]' },
    { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'Bash', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'done' }] },
  ];
  const answer = await fetch(`${model.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ messages }),
  });
  expect(await answer.json()).toMatchObject({ content: [{ text: 'worked' }] });
  expect(model.requests[0]).toMatchObject({ name: 'work', step: 1, seen: ['hello', 'work'] });
});

const object = (properties: object, more: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required: Object.keys(properties),
  ...more,
});
const text = { type: 'string' };

it.for([
  [
    'what leaves no room',
    object({ a: text, b: { type: ['array', 'null'], items: object({ c: text }) } }),
    '',
  ],
  ['an optional field', object({ a: text }, { required: [] }), "Missing 'a'"],
  [
    'one deep inside',
    object({ a: { type: 'array', items: object({ b: text }, { required: [] }) } }),
    'items',
  ],
  ['room for more', object({ a: object({}, { additionalProperties: true }) }), "'additionalProperties'"],
  ['a length', object({ a: { type: 'string', minLength: 1 } }), "'minLength' is not permitted"],
  ['a choice at the top', { anyOf: [object({ a: text })] }, "type 'object'"],
  ['a choice below', object({ a: { anyOf: [object({ b: {} })] } }), "'type' key"],
] as const)('strict output and %s', async ([, schema, fault]) => {
  const model = await open();
  const format = { type: 'json_schema', name: 'answer', strict: true, schema };
  const body = { ...wires[0]?.body('[[hello]]'), text: { format } };
  const answer = await fetch(`${model.url}/v1/responses`, { method: 'POST', body: JSON.stringify(body) });
  expect(answer.status).toBe(fault === '' ? 200 : 400);
  expect(await answer.text()).toContain(fault === '' ? 'response.completed' : fault);
});
