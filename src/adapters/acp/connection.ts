import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { AgentProcess } from '../../io/process/process.ts';

/** The agent's stdin and stdout as the SDK wants them: one JSON message per line, both ways. */
export function streamOf(child: AgentProcess): Stream {
  const lines = child.lines()[Symbol.asyncIterator]();
  const readable = new ReadableStream<AnyMessage>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await lines.next();
        if (done) return controller.close();
        const message = messageIn(value.cut === undefined ? value.text : '');
        if (message) return controller.enqueue(message);
      }
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write: (message) => child.send(`${JSON.stringify(message)}\n`),
  });
  return { readable, writable };
}

/** Agents print other things as well; those are in events.jsonl. */
function messageIn(text: string): AnyMessage | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as AnyMessage;
  } catch {
    return undefined;
  }
}
