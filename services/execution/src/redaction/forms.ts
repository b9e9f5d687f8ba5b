/** A text as the escapers write it. The texts are well-formed. */
export function encodedFormsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const url = encodeURIComponent(text);
  const urls = [url, replaceEach(url, STRICT), replaceEach(url, FORM), encodeURI(text)];
  return [json, json.replaceAll('/', '\\/'), replaceEach(text, REFERENCES), ...urls, ...urls.map(lowerCaseBytes)];
}

/** So many bytes has each of these forms at most, in their order; cheap also where the text is long. */
export function encodedSizesOf(text: string): number[] {
  const json = Buffer.byteLength(JSON.stringify(text)) - 2;
  const html = Buffer.byteLength(text) + 5 * countOf(text, Object.keys(REFERENCES).join(''));
  const url = encodeURIComponent(text).length + 2 * countOf(text, "!'()*~");
  return [json, json + countOf(text, '/'), html, ...Array.from({ length: 8 }, () => url)];
}

const STRICT = { '!': '%21', "'": '%27', '(': '%28', ')': '%29', '*': '%2A' };
const FORM = { '!': '%21', "'": '%27', '(': '%28', ')': '%29', '~': '%7E', '%20': '+' };
const REFERENCES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function replaceEach(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((result, [mark, by]) => result.replaceAll(mark, by), text);
}

function lowerCaseBytes(url: string): string {
  return url.replace(/%../g, (byte) => byte.toLowerCase());
}

function countOf(text: string, marks: string): number {
  let count = 0;
  for (const mark of marks) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count++;
  }
  return count;
}
