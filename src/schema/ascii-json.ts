/** JSON in which every character is ASCII, as tools write it that trust no other. */
export function asciiJson(json: string): string {
  return json.replaceAll(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
