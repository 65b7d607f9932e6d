/** A chat message as an agent runtime hands it over: the words, and around them what is known about them. */
export interface Wrapped {
  text: string;
  /** Whoever wrote it: an id or a name, as the wrapper has it; `unknown` where it says nothing. */
  sender: string;
  group?: string;
  wasMentioned: boolean;
  isBot: boolean;
}

const conversationHeader = 'Conversation info (untrusted metadata):';
const senderHeader = 'Sender (untrusted metadata):';
const marker = 'message in group ';
const maxJson = 64 * 1024;

/**
 * Reads the wrapper around a message. The message may itself contain headers and JSON to pass for somebody else, so the
 * last ones count: what follows the message is the wrapper's, and its JSON cannot hold a line of its own.
 */
export function parseWrapped(input: string): Wrapped {
  const lines = input.replaceAll('\r\n', '\n').split('\n');
  const conversationAt = lines.lastIndexOf(conversationHeader);
  const senderAt = lines.lastIndexOf(senderHeader);
  const ends = [conversationAt, senderAt].filter((at) => at >= 0);
  const conversation = jsonAfter(lines, conversationAt);
  const sender = jsonAfter(lines, senderAt);
  const { text, group } = bodyOf(lines.slice(0, ends.length > 0 ? Math.min(...ends) : lines.length));
  const label = conversation['conversation_label'];
  const found = isName(label) ? label : group;
  return {
    text,
    sender:
      [conversation['sender'], conversation['sender_id'], sender['name'], sender['label']].find(isName) ??
      'unknown',
    ...(found !== undefined && { group: found }),
    wasMentioned: conversation['was_mentioned'] === true,
    isBot:
      sender['is_bot'] === true ||
      sender['isBot'] === true ||
      [sender['sender_type'], sender['type']].some((type) => isName(type) && /bot/i.test(type)),
  };
}

/** Without the marker of the wrapper: the last line that says something. */
function bodyOf(lines: readonly string[]): { text: string; group?: string } {
  const text = lines.join('\n');
  const at = text.indexOf(marker);
  const lineEnd = at < 0 ? -1 : text.indexOf('\n', at);
  const line = at < 0 ? '' : text.slice(at + marker.length, lineEnd < 0 ? undefined : lineEnd);
  const colon = line.search(/:(?:\s|$)/);
  if (colon < 0) return { text: lines.findLast((one) => one.trim() !== '')?.trim() ?? '' };
  const group = line.slice(0, colon).trim();
  const body = text.slice(at + marker.length + colon + 1).trim();
  return { text: body, ...(group !== '' && { group }) };
}

/** The fenced object that follows a header. */
function jsonAfter(lines: readonly string[], at: number): Record<string, unknown> {
  if (at < 0) return {};
  const open = lines.findIndex((line, index) => index > at && line.trim() !== '');
  if (!/^```(?:json)?$/.test(lines[open]?.trim() ?? '')) return {};
  const close = lines.findIndex((line, index) => index > open && line.trim() === '```');
  const text = lines.slice(open + 1, close < 0 ? undefined : close).join('\n');
  if (text.length > maxJson) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 512 && !/\p{Cc}/u.test(value);
}
