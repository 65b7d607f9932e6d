import { pump } from '../../dist/channel/pump.js';
import { webhookChannel } from '../../dist/channel/webhook/channel.js';
// A board's outbox in a process of its own: `node outbox.mjs ROOT put KEY...` puts messages in, `node outbox.mjs ROOT pump URL`
// posts them to URL until nothing is left. It is killed on purpose, so it says nothing but how many were new.
import { boardMail } from '../../dist/kinds/board/outbox.js';

const [root, verb, ...args] = process.argv.slice(2);
const { outbox } = boardMail(root);
if (verb === 'put') {
  let added = 0;
  for (const key of args) {
    const content = { kind: 'text', text: key };
    added += await outbox.enqueue([{ key, group: key.split(':')[0], content }]);
  }
  console.log(added);
} else {
  const listen = { host: '127.0.0.1', port: 0 };
  const channel = webhookChannel({ listen, secret: 'a secret of the tests', out: args[0] });
  await pump(outbox, channel, { signal: new AbortController().signal, drain: true });
}
