import type {
  AnyMessage,
  NewSessionRequest,
  NewSessionResponse,
  PromptResponse,
  Stream,
} from '@agentclientprotocol/sdk';
import { DocketError } from '../../errors.ts';
import { sleep } from '../../io/clock.ts';
import type { AgentProcess } from '../../io/process/process.ts';
import type { Adapter, AgentEvent, AgentRequest, Host, Question } from '../adapter.ts';
import { endOf, type Finish } from '../exec.ts';
import { fieldsIn, lineObject } from '../pick.ts';
import { Queue } from './queue.ts';
import { acpErrors, errorInAnswer, symptomsOf, Updates } from './updates.ts';

const goodbyeMs = 3_000;
const quietMs = 300;

/**
 * Any agent that speaks the Agent Client Protocol over stdio. It asks before it acts if it wants to, so its word alone
 * holds nothing: below "full" it needs a sandbox around it.
 */
export const acp: Adapter = {
  name: 'acp',
  passEnv: [
    'OPENAI_*',
    'ANTHROPIC_*',
    'GEMINI_*',
    'GOOGLE_*',
    'COPILOT_*',
    'OPENCODE_*',
    'CODEX_*',
    'CLAUDE_*',
  ],
  capabilities: {
    resume: true,
    fork: false,
    choosesId: false,
    movesFolder: false,
    structured: false,
    usage: 'none',
    approvals: true,
    toolStarts: true,
    replays: false,
    permissions: { read: 'none', edit: 'none', full: 'tools' },
  },
  writable: () => [],
  login: () => 'unknown',
  async readLog() {
    const past = new Updates();
    return (value) => {
      const { update } = fieldsIn(value['params']);
      return value['method'] === 'session/update' ? past.read(update as never) : [];
    };
  },
  async *run(request, host) {
    const argv = request.command;
    if (!argv) {
      throw new DocketError(
        'INVALID',
        'the acp adapter needs a command',
        'set command: [gemini, --acp], for example',
      );
    }
    const child = await host.start({ argv, stdin: 'open' });
    const events = new Queue<AgentEvent>();
    const updates = new Updates();
    const turn = converse(request, host, child, events, updates).finally(() => events.close());
    turn.catch(() => undefined); // awaited below; until then it must not count as unhandled
    yield* events.all();
    const finish = await turn;
    // Its answer is in; how it takes its leave says nothing about the work.
    const answered = finish.failure === undefined;
    const exit = answered ? { code: 0 } : await leave(child);
    if (answered) await leave(child);
    yield endOf(finish, exit, { strays: '', child, errors: acpErrors, now: host.now() });
  },
};

async function leave(child: AgentProcess): ReturnType<AgentProcess['stop']> {
  child.endInput();
  const timeout = sleep(goodbyeMs, undefined, { ref: false });
  const exit = await Promise.race([child.exited, timeout]);
  if (exit) return exit;
  await child.stop('canceled');
  return { code: 0 };
}

async function converse(
  request: AgentRequest,
  host: Host,
  child: AgentProcess,
  events: Queue<AgentEvent>,
  updates: Updates,
): Promise<Finish> {
  const { client, methods, PROTOCOL_VERSION } = await import('@agentclientprotocol/sdk');
  let session: string | undefined;
  let heard = 0;
  const app = client({ name: 'docket' })
    .onNotification(methods.client.session.update, ({ params }) => {
      heard += 1;
      // What an agent tells while it loads a session is its past, not this turn.
      if (params.sessionId !== session) return;
      for (const event of updates.read(params.update)) events.push(event);
    })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      const { title, kind, toolCallId } = params.toolCall;
      const question: Question = {
        id: toolCallId,
        text: title ?? toolCallId,
        about: kind ?? 'tool',
        options: params.options.map(({ optionId, name, kind: meaning }) => ({
          id: optionId,
          text: name,
          kind: meaning.startsWith('allow') ? 'allow' : 'deny',
        })),
      };
      const answer = await answerTo(question, request, host);
      events.push({ type: 'question', question, answer });
      if (question.options.find(({ id }) => id === answer)?.kind !== 'allow')
        events.push({ type: 'denied', text: question.text });
      return answer === ''
        ? { outcome: { outcome: 'cancelled' } }
        : { outcome: { outcome: 'selected', optionId: answer } };
    });
  const connection = app.connect(streamOf(child));
  const { agent } = connection;
  try {
    const { agentCapabilities } = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      // No file access through us: some agents then cannot create files.
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    const place: NewSessionRequest = { cwd: request.cwd, mcpServers: [] };
    if (request.session.kind === 'new') {
      const made: NewSessionResponse = await agent.request(methods.agent.session.new, place);
      session = made.sessionId;
    } else {
      const past = { ...place, sessionId: request.session.id };
      if (agentCapabilities?.sessionCapabilities?.resume)
        await agent.request(methods.agent.session.resume, past);
      else if (agentCapabilities?.loadSession) {
        await agent.request(methods.agent.session.load, past);
        await quiet(() => heard);
      } else
        return {
          finished: false,
          failure: { message: 'this agent cannot resume a session', code: '-32601' },
        };
      session = request.session.id;
    }
    events.push({ type: 'session', id: session });
    const { stopReason }: PromptResponse = await agent.request(methods.agent.session.prompt, {
      sessionId: session,
      prompt: [{ type: 'text', text: request.prompt }],
    });
    return finishOf(stopReason, updates.answer);
  } catch (error) {
    return { finished: false, failure: symptomsOf(error) };
  } finally {
    connection.close();
  }
}

/** Some agents say that a session is loaded before they have told all of its past. */
async function quiet(heard: () => number): Promise<void> {
  for (let before = -1; before !== heard();) {
    before = heard();
    await sleep(quietMs);
  }
}

/** With "full" every wish is granted unless a person wants to be asked; inside a sandbox the walls do the holding. */
async function answerTo(question: Question, request: AgentRequest, host: Host): Promise<string> {
  if (request.approvals) return host.ask(question);
  return question.options.find(({ kind }) => kind === 'allow')?.id ?? '';
}

function finishOf(stopReason: string, text: string): Finish {
  const failure = errorInAnswer(text);
  if (failure) return { finished: true, failure };
  if (stopReason === 'end_turn') return { finished: true, text };
  if (stopReason === 'refusal')
    return { finished: true, text, failure: { message: text || 'the agent refused', code: 'refusal' } };
  return { finished: true, text, failure: { message: `the agent stopped: ${stopReason}` } };
}

/** The agent's stdin and stdout as the SDK wants them: one JSON message per line, both ways. */
function streamOf(child: AgentProcess): Stream {
  const lines = child.lines()[Symbol.asyncIterator]();
  const readable = new ReadableStream<AnyMessage>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await lines.next();
        if (done) return controller.close();
        const message = lineObject(value) as AnyMessage | undefined;
        if (message) return controller.enqueue(message);
      }
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write: (message) => child.send(`${JSON.stringify(message)}\n`),
  });
  return { readable, writable };
}
