import { Readable } from 'node:stream';
import { currentContext, runInContext } from '@drawbridge/rpc';
import { type Request } from 'express';

interface Page {
  entries: object[];
  nextCursor?: string;
}

/**
 * All pages as JSON lines, each asked for when the client has taken the one before: however many there are, one is held. Rejects as the first
 * page does; where a later one fails the connection is cut, so that nobody takes a part for the whole.
 */
export async function jsonLines(
  { res }: Request,
  pageAfter: (cursor: string | undefined) => Promise<Page>,
): Promise<Readable> {
  const context = currentContext()!;
  const first = await pageAfter(undefined);
  async function* chunks(): AsyncGenerator<string> {
    for (let page = first; ;) {
      if (page.entries.length > 0) yield page.entries.map(toLine).join('');
      const { nextCursor } = page;
      if (nextCursor === undefined) return;
      page = await runInContext(context, () => pageAfter(nextCursor));
    }
  }
  const lines = Readable.from(chunks(), { objectMode: false, highWaterMark: 1 });
  lines.on('error', () => res?.destroy());
  res?.once('close', () => lines.destroy());
  return lines;
}

function toLine(entry: object): string {
  return `${JSON.stringify(entry, (_key, value: unknown) => value ?? null)}\n`;
}

/**
 * A message as JSON text, with what is JSON text already under its key: a list of hundreds that hold 16 kB each, parsed and printed again,
 * would hold the process for most of a second.
 */
export function textOf(message: object, json: Record<string, string>): string {
  const text = JSON.stringify(message, (_key, value: unknown) => value ?? null);
  const rest = Object.entries(json).map(([key, value]) => `,${JSON.stringify(key)}:${value}`);
  return `${text.slice(0, -1)}${rest.join('')}}`;
}
