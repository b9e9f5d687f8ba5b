const [QUOTE, BACKSLASH] = ['"', '\\'].map(codeOf) as [number, number];
const [OPENING, CLOSING] = [new Set([...'[{'].map(codeOf)), new Set([...']}'].map(codeOf))];

/** Returns whether a JSON text nests deeper than this, without parsing it, in one pass. */
export function nestsDeeper(json: string, levels: number): boolean {
  for (let at = 0, level = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (OPENING.has(code)) level++;
    else if (CLOSING.has(code)) level--;
    if (level > levels) return true;
  }
  return false;
}

/** Returns the place of the closing quote; the end of the text if there is none. */
function endOfText(json: string, opening: number): number {
  let at = json.indexOf('"', opening + 1);
  while (at > 0 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at < 0 ? json.length : at;
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
  return slashes % 2 === 1;
}

function codeOf(character: string): number {
  return character.charCodeAt(0);
}
