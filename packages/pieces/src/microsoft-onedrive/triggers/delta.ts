import {
  type Http,
  type JsonValue,
  listAt,
  member,
  type Polled,
  ProviderError,
  textAt,
  type TriggerContext,
  type TriggerEvent,
} from '@drawbridge/piece-kit';
import { pathOfLink, wholePages } from '../../microsoft.js';
import { FIELDS, itemPath } from '../item.js';

/** The limits of one poll, so that its events fit in one output. The next poll continues after them. */
const MAX_PAGES = 50;
const MAX_ITEMS = 3_000;
const PAGE = 200;

interface Input {
  driveId?: string;
  folderId?: string;
}

/** The link with which the next poll continues, and the time of the last poll that read all changes. */
type Cursor = { link: string; since: number };

type ToEvent = (file: JsonValue, since: number) => TriggerEvent | undefined;

/**
 * Returns the `poll` of a trigger for changed files. Microsoft discards changes after a long time. The trigger then starts again with the current
 * state: https://learn.microsoft.com/graph/api/driveitem-delta
 */
export function pollChanges(toEvent: ToEvent) {
  return async ({
    http,
    input,
    cursor,
  }: TriggerContext<Input> & { cursor: JsonValue | undefined }): Promise<Polled> => {
    const now = Date.now();
    const seen = cursor as Cursor | undefined;
    const changes = seen && (await readChanges(http, seen.link));
    if (!changes) return { events: [], cursor: { link: await newestLink(http, input), since: now } };
    const { items, link, isComplete } = changes;
    const files = items.filter((item) => isFile(item) && isIn(item, input.folderId));
    const events = files.flatMap((file) => toEvent(file, seen.since) ?? []);
    return { events, cursor: { link, since: isComplete ? now : seen.since } };
  };
}

/** Deleted files also have `file`. */
const isFile = (item: JsonValue): boolean =>
  member(item, 'file') !== undefined && member(item, 'deleted') === undefined;

const isIn = (item: JsonValue, folderId: string | undefined): boolean =>
  folderId === undefined || textAt(item, 'parentReference', 'id') === folderId;

async function newestLink(http: Http, { driveId }: Input): Promise<string> {
  const query = { token: 'latest', $select: `${FIELDS},eTag,deleted`, $top: PAGE };
  const changes = await readChanges(http, itemPath({ driveId }, 'folderId', '/delta'), query);
  if (!changes) throw new ProviderError('Microsoft returned no changes of the drive');
  return changes.link;
}

interface Changes {
  /** The last state of each item, in the order of the changes. */
  items: JsonValue[];
  link: string;
  isComplete: boolean;
}

/** Returns undefined if the link is too old. */
async function readChanges(
  http: Http,
  path: string,
  query?: Record<string, string | number>,
): Promise<Changes | undefined> {
  const items = new Map<string, JsonValue>();
  let last: JsonValue = null;
  try {
    for await (last of http.pages({ method: 'GET', path, query }, MAX_PAGES, wholePages)) {
      for (const item of listAt(last, 'value')) setLast(items, item);
      if (items.size > MAX_ITEMS - PAGE) break;
    }
  } catch (error) {
    if (error instanceof ProviderError && error.status === 410) return undefined;
    throw error;
  }
  const end = textAt(last, '@odata.deltaLink');
  return { items: [...items.values()], link: pathOfLink(end ?? textAt(last, '@odata.nextLink')), isComplete: !!end };
}

function setLast(items: Map<string, JsonValue>, item: JsonValue): void {
  const id = textAt(item, 'id') ?? '';
  items.delete(id);
  items.set(id, item);
}
