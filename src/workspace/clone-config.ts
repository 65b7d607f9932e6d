/**
 * Settings as git's own file has them. It ends with an open `[core]`, where git puts what it finds out by itself: what
 * anybody adds at the end belongs to that.
 */
export function configText(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([key, value]) => {
    const [section, name] = [key.slice(0, key.indexOf('.')), key.slice(key.lastIndexOf('.') + 1)];
    const below = key.slice(section.length + 1, -name.length - 1);
    return `[${section}${below === '' ? '' : ` ${quoted(below)}`}]\n\t${name} = ${quoted(value)}\n`;
  });
  return `${lines.join('')}[core]\n`;
}

function quoted(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
  return `"${escaped}"`;
}
