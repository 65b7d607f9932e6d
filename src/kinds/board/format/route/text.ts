/** What a person sees of a message: one kind of line end, and nothing that steers a terminal or hides in the text. */
export function clean(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|[\p{Bidi_C}\p{Cs}\u200B\u2060\uFEFF]/gu, '')
    .trim();
}

const decoder = new TextDecoder('utf-16le');

/** Full-width letters and signs as the usual ones. It keeps every position, so that arguments are cut from the original. */
export function fold(text: string): string {
  return text.replaceAll(/\u3000/g, ' ').replaceAll(/[\uFF01-\uFF5E]+/g, (wide) => {
    const narrow = new Uint16Array(wide.length);
    for (let at = 0; at < wide.length; at += 1) narrow[at] = wide.charCodeAt(at) - 0xfee0;
    return decoder.decode(narrow);
  });
}
