/** One address of a header. */
export type Address = { name: string; address: string };

/** Returns the addresses in a header such as `"Doe, Ann" <ann@acme.example>, bo@acme.example`. The name is empty if an address has none. */
export function parseAddresses(header = ''): Address[] {
  return splitList(header).flatMap((entry) => {
    const open = entry.lastIndexOf('<');
    const close = entry.indexOf('>', open);
    const isNamed = open >= 0 && close > open;
    // The name of a group ends with a colon.
    const address = (isNamed ? entry.slice(open + 1, close) : entry.slice(entry.lastIndexOf(':') + 1)).trim();
    const name = isNamed ? entry.slice(0, open).trim() : '';
    return address.includes('@') ? [{ name: unquoted(name), address }] : [];
  });
}

/** Splits at commas and semicolons outside of quotes and angle brackets. */
function splitList(header: string): string[] {
  const entries: string[] = [];
  let start = 0;
  let inQuotes = false;
  let inBrackets = false;
  for (let at = 0; at < header.length; at++) {
    const character = header[at];
    if (inQuotes && character === '\\') at++;
    else if (character === '"') inQuotes = !inQuotes;
    else if (!inQuotes && (character === '<' || character === '>')) inBrackets = character === '<';
    else if (!inQuotes && !inBrackets && (character === ',' || character === ';')) {
      entries.push(header.slice(start, at));
      start = at + 1;
    }
  }
  return [...entries, header.slice(start)];
}

function unquoted(name: string): string {
  return name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1).replace(/\\(.)/g, '$1') : name;
}

/** Returns the addresses in headers, in lower case. Returns undefined if an `@` is outside of a plain address, so that no recipient is missed. */
export function allAddresses(headers: readonly string[]): string[] | undefined {
  const text = headers.join(',').toLowerCase();
  const found = text.match(/[^\s<>()[\]",;:\\@]{1,64}@[a-z0-9.-]{1,255}/g) ?? [];
  return found.length === text.split('@').length - 1 ? found : undefined;
}
