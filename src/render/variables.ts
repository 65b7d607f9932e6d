export interface Values {
  plain: Readonly<Record<string, string>>;
  /** The text of a report, by its name. */
  report: (name: string) => string | undefined;
}

const variable = /\{(report:)?([A-Za-z0-9_.-]{1,100})\}/g;

/**
 * Puts values in the place of `{task}`, `{report:00-plan.md}` and their kind, once: what comes with a value is text, and
 * not filled in again. Braces that mean nothing here stay. `used` is told which were placed.
 */
export function fill(text: string, { plain, report }: Values, used: Set<string>): string {
  return text.replaceAll(variable, (whole, isReport: string | undefined, name: string) => {
    if (isReport !== undefined) return report(name) ?? `(there is no report ${name} yet)`;
    const value = Object.hasOwn(plain, name) ? plain[name] : undefined;
    if (value === undefined) return whole;
    used.add(name);
    return value;
  });
}
