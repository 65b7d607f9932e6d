import { DocketError } from '../../errors.ts';
import { readPlainText } from '../../io/process/log-files.ts';

const maxBytes = 1_048_576;

/**
 * What the agent left in its report file, not checked yet: an object, or the text as it is where it is no JSON. A file
 * that cannot be taken for one is told, never passed over in silence.
 */
export function reportFile(file: string): { report?: unknown; warning?: string } | undefined {
  const found = readOrWarn(file);
  if (found === undefined || 'warning' in found) return found;
  if ('bytes' in found) {
    const warning = `the report file has ${found.bytes} bytes, more than ${maxBytes}; it was not read`;
    return { report: '', warning };
  }
  const text = found.text.replace(/^\uFEFF/, '').trim();
  if (text === '') return { warning: 'the report file is empty' };
  try {
    return { report: JSON.parse(text) as unknown };
  } catch {
    return { report: text };
  }
}

function readOrWarn(file: string): ReturnType<typeof readPlainText> | { report: string; warning: string } {
  try {
    return readPlainText(file, maxBytes);
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    return { report: '', warning: `the report file was not read: ${error.message}` };
  }
}
