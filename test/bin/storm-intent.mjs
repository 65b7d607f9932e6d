// Turns a step of the plan into a command, given what the worker has in hand.
const texts = [
  'Fix the login test',
  'Say: "hello" # not a comment',
  'One\n\n- two\n- three: four',
  "it's\ttabbed",
];
const maxHeld = 3;

export function intentOf(step, n, worker, memory, storm) {
  const { a, b } = step;
  const held = one(memory.held, a);
  const kind = possible(step.kind, held, memory);
  const shared = `shared-${Math.floor(a * storm.shared)}`;
  const about = { id: held?.id, token: held?.token };
  switch (kind) {
    case 'create':
      return { command: { type: 'create', id: `w${worker}-${n}`, ...work(worker, n, b) } };
    case 'share': // several workers make the same task: one of them does
      return { command: { type: 'create', id: shared, ...work(worker, n, b) } };
    case 'claim': // half of them want the same few
      return { claim: { max: 1 + Math.floor(a * 2), ...(b < 0.5 && { only: allShared(storm) }) } };
    case 'submit':
      return { command: { type: 'submit', ...about, summary: `handed in by worker ${worker}` } };
    case 'settle':
      return settle(about, held.review, held.live, b);
    case 'fail':
      return { ends: true, rests: true, command: { type: 'fail', ...about, failure: { error: texts[1] } } };
    case 'requeue':
      return { ends: true, command: { type: 'requeue', ...about, reason: 'not today' } };
    case 'revive':
      return { command: { type: 'requeue', id: one(memory.resting, a), reason: 'once more' } };
    case 'cancel':
      return { command: { type: 'cancel', id: one([...memory.made, shared], b), reason: 'not needed' } };
    case 'edit':
      return { command: { type: 'edit', id: one([...memory.made, shared], b), set: edit(a, b) } };
    case 'late': {
      const { id, token } = one(memory.ended, a);
      return { late: true, command: { type: 'submit', id, token, summary: 'too late' } };
    }
    case 'add':
      return { add: `${one(texts, b)} (worker ${worker}, ${n})` };
    case 'compact':
      return { compact: true };
  }
  throw new Error(`no such step: ${kind}`);
}

/** What the step asks for, or the nearest thing that this worker can do now. */
function possible(kind, chosen, { held, resting, ended }) {
  if (kind === 'requeue' && chosen === undefined && resting.length > 0) return 'revive';
  if (kind === 'submit' || kind === 'settle' || kind === 'fail' || kind === 'requeue') {
    if (chosen === undefined) return 'claim';
    return chosen.review && kind !== 'fail' ? 'settle' : kind;
  }
  if (kind === 'claim' && held.length >= maxHeld) return 'settle';
  if (kind === 'late' && ended.length === 0) return 'edit';
  return kind;
}

function settle(about, review, live, b) {
  const command = (verdict) => ({ type: 'settle', ...about, verdict, summary: 'judged' });
  // The worker of a dead life cannot go on with it, so it is not given back.
  if (b < 0.7 || (review && !live))
    return { ends: true, command: command({ kind: 'pass', evidence: ['test'] }) };
  if (b < 0.85)
    return { ends: !review, returns: review, command: command({ kind: 'retry', reason: 'not yet' }) };
  if (b < 0.93) {
    const reason = { kind: 'gate', text: 'look at it', who: 'somebody' };
    return { ends: true, rests: true, command: command({ kind: 'hold', reason }) };
  }
  return { ends: true, rests: true, command: command({ kind: 'fail', reason: 'wrong' }) };
}

function work(worker, n, b) {
  return { title: `Work ${worker}-${n}`, spec: { body: one(texts, b) }, priority: Math.floor(b * 9) - 4 };
}

function edit(a, b) {
  return a < 0.5 ? { priority: Math.floor(b * 9) } : { title: `Edited ${Math.floor(b * 1e6)}` };
}

function allShared({ shared }) {
  return Array.from({ length: shared }, (_, index) => `shared-${index}`);
}

function one(list, at) {
  return list[Math.floor(at * list.length)];
}
