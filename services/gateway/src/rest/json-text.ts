import { Readable } from 'node:stream';
import { currentContext, runInContext } from '@drawbridge/rpc';
import { type Request } from 'express';

interface Page {
  entries: object[];
  nextCursor?: string;
}

/**
 * Returns all pages as JSON lines. Reads the next page when the client has read the previous page, so that only one page is in memory. Rejects if the
 * first page fails. If a later page fails, the connection is closed, so that a client can detect that the export is incomplete.
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
 * Returns a message as JSON text and inserts values that are already JSON text. Parsing and serializing a list of hundreds of values of 16 kB would
 * block the process for most of a second.
 */
export function textOf(message: object, json: Record<string, string>): string {
  const text = JSON.stringify(message, (_key, value: unknown) => value ?? null);
  const rest = Object.entries(json).map(([key, value]) => `,${JSON.stringify(key)}:${value}`);
  return `${text.slice(0, -1)}${rest.join('')}}`;
}
