import type { DemoEvent } from '../../../app/demo/shell.ts';
import type { Paint } from '../style.ts';

/** What a demonstration prints besides its commands' own output. */
export function demoLines(paint: Paint): (event: DemoEvent) => string | undefined {
  let act = 0;
  return (event) => {
    switch (event.kind) {
      case 'act':
        act += 1;
        return `\n${paint('bold', `${act}. ${event.title}`)}`;
      case 'say':
        return paint('dim', `# ${event.text}`);
      case 'command':
        return `${paint('cyan', '$')} ${paint('bold', event.line)}`;
      case 'output':
        return event.text.trimEnd();
      case 'checked':
        return `${paint('green', '✓')} ${event.text}`;
      case 'ended':
        return undefined;
    }
  };
}
