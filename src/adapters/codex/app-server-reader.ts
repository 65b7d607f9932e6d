import type { AgentEvent, AgentRequest, Usage } from '../adapter.ts';
import type { Symptoms } from '../classify.ts';
import type { Finish } from '../exec.ts';
import type { RpcError } from '../json-rpc.ts';
import { countIn, fieldsIn, textIn, type Fields } from '../pick.ts';
import { sessionEvent } from '../session-id.ts';
import { symptomsOf } from './errors.ts';
import { Items, pathsOf, plain } from './items.ts';
import { answerOf, retryEvent } from './reader.ts';

/** What the app-server tells us, message by message. It needs nothing but the messages, so a log can be read again. */
export class AppServerReader {
  readonly #request: Pick<AgentRequest, 'schema'>;
  readonly #items = new Items();
  readonly #changes = new Map<string, readonly string[]>();
  #thread: string | undefined;
  #turn: string | undefined;
  #state: 'open' | 'completed' | 'failed' = 'open';
  #failure: Symptoms | undefined;
  #counted: Usage | undefined;
  #resetsAt: number | undefined;

  constructor(request: Pick<AgentRequest, 'schema'>) {
    this.#request = request;
  }

  /** Nothing more is to come: the turn has ended, or could not begin. */
  get over(): boolean {
    return this.#state !== 'open';
  }

  /** The turn that is at work, to be interrupted. */
  get working(): { threadId: string; turnId: string } | undefined {
    if (this.over || this.#thread === undefined || this.#turn === undefined) return undefined;
    return { threadId: this.#thread, turnId: this.#turn };
  }

  pathsOf(itemId: string): readonly string[] {
    return this.#changes.get(itemId) ?? [];
  }

  /** A person said no to it; that it did not happen then is no news. */
  denied(itemId: string): void {
    this.#items.denied(itemId);
  }

  /** An answer to one of our own calls. */
  *result(value: unknown): Iterable<AgentEvent> {
    const { thread, turn } = fieldsIn(value);
    const threadId = textIn(fieldsIn(thread)['id']);
    if (threadId !== undefined && this.#thread === undefined) {
      this.#thread = threadId;
      yield sessionEvent(threadId, 'codex');
    }
    this.#turn ??= textIn(fieldsIn(turn)['id']);
  }

  refused(error: RpcError): void {
    this.#fail({ ...infoOf(fieldsIn(error.data)), ...symptomsOf(error.message) });
  }

  *notice(method: string, value: unknown): Iterable<AgentEvent> {
    const params = fieldsIn(value);
    if (!this.#isOurs(params)) return;
    switch (method) {
      case 'turn/started':
        this.#turn = textIn(fieldsIn(params['turn'])['id']) ?? this.#turn;
        return;
      case 'item/started':
        this.#remember(params['item']);
        yield* this.#items.started(params['item']);
        return;
      case 'item/completed':
        yield* this.#items.completed(params['item']);
        return;
      case 'thread/tokenUsage/updated':
        yield* this.#usage(params);
        return;
      case 'account/rateLimits/updated':
        yield* this.#limits(fieldsIn(params['rateLimits']));
        return;
      case 'error':
        if (params['willRetry'] === true) yield retryEvent(retrySymptoms(fieldsIn(params['error'])));
        return;
      case 'warning':
      case 'configWarning':
        yield { type: 'warning', text: textIn(params['message'] ?? params['summary']) ?? method };
        return;
      case 'turn/completed':
        this.#end(fieldsIn(params['turn']));
    }
  }

  finish(): Finish {
    const limit = this.#resetsAt === undefined ? {} : { resetsAt: this.#resetsAt };
    return {
      finished: this.#state === 'completed',
      ...answerOf(this.#items.message, this.#request),
      ...(this.#failure && { failure: { ...limit, ...this.#failure } }),
    };
  }

  /** A sub-agent of codex has a thread of its own, and its messages are not the answer. */
  #isOurs(params: Fields): boolean {
    const thread = textIn(params['threadId']);
    return thread === undefined || this.#thread === undefined || thread === this.#thread;
  }

  #remember(value: unknown): void {
    const item = plain(value);
    const paths = pathsOf(item);
    if (paths.length > 0) this.#changes.set(textIn(item['id']) ?? '', paths);
  }

  /** Each answer of the model is counted once as `last`; `total` runs over the whole thread. */
  *#usage(params: Fields): Iterable<AgentEvent> {
    const { total, last } = fieldsIn(params['tokenUsage']);
    const session = countsOf(total);
    const turn = countsOf(last);
    if (this.#turn === undefined || textIn(params['turnId']) !== this.#turn || !session || !turn) return;
    if (this.#counted && this.#counted.input + this.#counted.output === session.input + session.output)
      return;
    this.#counted = session;
    yield { type: 'usage', session, turn };
  }

  *#limits(limits: Fields): Iterable<AgentEvent> {
    const reached = textIn(limits['rateLimitReachedType']);
    if (reached === undefined) return;
    const ends = ['primary', 'secondary']
      .map((name) => fieldsIn(limits[name]))
      .filter((window) => (countIn(window['usedPercent']) ?? 0) >= 100)
      .flatMap((window) => countIn(window['resetsAt']) ?? []);
    if (ends.length > 0) this.#resetsAt = Math.max(...ends);
    const resetAt = this.#resetsAt === undefined ? {} : { resetAt: isoTime(this.#resetsAt) };
    yield { type: 'limit', message: `codex: ${reached.replaceAll('_', ' ')}`, ...resetAt };
  }

  #end(turn: Fields): void {
    if (turn['status'] === 'completed') this.#state = 'completed';
    else if (turn['status'] === 'interrupted') this.#fail({ message: 'the turn was interrupted' });
    else this.#fail(failureOf(turn['error']));
  }

  #fail(failure: Symptoms): void {
    this.#state = 'failed';
    this.#failure ??= failure;
  }
}

/** `codexErrorInfo` is a word, or a word with an HTTP status below it; the API's own error is inside the message. */
function failureOf(value: unknown): Symptoms {
  const error = fieldsIn(value);
  return { ...infoOf(error), ...symptomsOf(textIn(error['message']) ?? 'the turn failed') };
}

/** The message only counts the tries. */
function retrySymptoms(error: Fields): Symptoms {
  const message = textIn(error['additionalDetails']) ?? textIn(error['message']) ?? '';
  return { ...symptomsOf(message), ...infoOf(error) };
}

/** A status says more than the word above it, which only tells at which point of the talk it came. */
function infoOf(error: Fields): Pick<Symptoms, 'code' | 'status'> {
  const info = error['codexErrorInfo'];
  if (typeof info === 'string') return { code: info };
  const [code, detail] = Object.entries(fieldsIn(info))[0] ?? [];
  const status = countIn(fieldsIn(detail)['httpStatusCode']);
  if (status !== undefined) return { status };
  return code === undefined ? {} : { code };
}

function countsOf(value: unknown): Usage | undefined {
  const counts = fieldsIn(value);
  const input = countIn(counts['inputTokens']);
  const output = countIn(counts['outputTokens']);
  if (input === undefined || output === undefined) return undefined;
  return { input, cached: countIn(counts['cachedInputTokens']) ?? 0, output };
}

function isoTime(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString();
}
