// What a worker of the storm knows from its log: its own, or that of the life before it.
import fs from 'node:fs';

/** Opens the log for appending and hands over what is in it. A killed life may leave half a line: it never counted. */
export function openLog(file, life) {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) fs.truncateSync(file, Buffer.byteLength(whole));
  const fd = fs.openSync(file, 'a');
  const log = (line) => fs.writeSync(fd, `${JSON.stringify({ ...line, life })}\n`);
  return {
    log,
    lines: whole
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  };
}

export class Memory {
  next = 0;
  /** The command that a killed life had begun: nobody knows whether it was committed. */
  pending;
  /** Own tasks that were made, and those that failed or are blocked: nobody else queues those again. */
  made = [];
  resting = [];
  /** `review`: handed in, not judged yet. `live`: its claim is one of this life. */
  held = [];
  /** Claims that are over: whoever still uses their token must be refused. */
  ended = [];
  stopped = false;
  deaths = new Set();
  #life;

  constructor(lines, life) {
    this.#life = life;
    for (const line of lines) {
      if (line.t === 'intent') this.pending = line;
      if (line.t === 'ack') this.learn(this.pending, line);
      if (line.t === 'stop') this.stopped = true;
      if (line.t === 'death') this.deaths.add(line.index);
    }
    // A dead life's running tasks go back to the queue; what it had handed in stays, and can still be judged.
    for (const lost of this.held.filter((one) => !one.live && !one.review)) this.#drop(lost);
  }

  /** Takes in an answer; returns the claims that are over with it. */
  learn(intent, ack) {
    this.pending = undefined;
    this.next = ack.n + 1;
    const { command } = intent;
    const ok = ack.outcome === 'ok' || ack.outcome === 'duplicate';
    for (const { id, token } of ack.claims ?? [])
      this.held.push({ id, token, live: ack.life === this.#life });
    if (!command && !intent.add) return [];
    if (ok && (intent.add || command.type === 'create')) this.made.push(ack.id);
    if (ok && intent.rests) this.resting.push(command.id);
    if (command?.type === 'requeue') this.resting = this.resting.filter((id) => id !== command.id);
    const held = this.held.find((one) => one.id === command?.id);
    if (!held) return [];
    if (ok && command.type === 'submit') held.review = true;
    if (ok && intent.returns) held.review = false;
    const over = command.type === 'cancel' ? ok : command.token === held.token && (intent.ends || !ok);
    // Refused for where its task is: this worker is done with the claim, but the claim is not over.
    return over ? [this.#drop(held, ack.code !== 'illegal')] : [];
  }

  #drop(held, isOver) {
    this.held = this.held.filter((one) => one !== held);
    if (isOver) this.ended.push(held);
    return held;
  }
}
