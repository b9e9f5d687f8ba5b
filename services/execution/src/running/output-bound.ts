/** Of an output as JSON text: well under what one RPC may carry, and what any JSON reader takes. */
export const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
export const MAX_OUTPUT_LEVELS = 64;

const [QUOTE, BACKSLASH] = ['"', '\\'].map((mark) => mark.charCodeAt(0));
const [OPENING, CLOSING] = [new Set(codes('[{')), new Set(codes(']}'))];

/** Whether a JSON text is within the bounds of an output. */
export function isWithinBounds(json: string): boolean {
  return Buffer.byteLength(json) <= MAX_OUTPUT_BYTES && !nestsDeeper(json, MAX_OUTPUT_LEVELS);
}

/** How deep a JSON text nests, however deep that is. */
export function nestsDeeper(json: string, levels: number): boolean {
  for (let at = 0, level = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (OPENING.has(code)) level++;
    else if (CLOSING.has(code)) level--;
    if (level > levels) return true;
  }
  return false;
}

/** Where its closing quote stands. */
function endOfString(json: string, opening: number): number {
  let at = json.indexOf('"', opening + 1);
  while (at > 0 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at < 0 ? json.length : at;
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
  return slashes % 2 === 1;
}

function codes(characters: string): number[] {
  return [...characters].map((character) => character.charCodeAt(0));
}
