import {
  expandPath,
  firstThatFit,
  type Http,
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  textAt,
  trigger,
} from '@drawbridge/piece-kit';
import { repo } from '../properties.js';

const PAGE = 100;
/** Maximum number of issues between two polls. */
const MAX_ITEMS = 10_000;

/** Lists issues, newest first, including pull requests: https://docs.github.com/rest/issues/issues#list-repository-issues */
export const newIssue = trigger({
  kind: 'polling',
  displayName: 'New issue',
  description: 'Runs when an issue is opened in a repository.',
  props: { repo },
  sample: {
    id: 1,
    number: 1347,
    state: 'open',
    title: 'Found a bug',
    body: 'It does not work.',
    html_url: 'https://github.com/octocat/hello-world/issues/1347',
    user: { login: 'octocat', id: 1 },
    labels: [{ name: 'bug' }],
    assignees: [],
    created_at: '2026-01-31T09:00:00Z',
  },
  poll: async ({ http, input, cursor }) => {
    const path = expandPath('/repos/{+repo}/issues', input);
    const seen = cursor === undefined ? undefined : { at: textAt(cursor, 'at') ?? '', ids: listAt(cursor, 'ids') };
    const items = await since(http, path, seen?.at);
    if (!seen) return { events: [], cursor: markOf(items) };
    const fresh = items.filter((item) => !isSeen(item, seen));
    const { events, read } = firstThatFit(fresh, (item) =>
      member(item, 'pull_request') === undefined ? { id: String(item['id']), data: item } : undefined,
    );
    return { events, cursor: markOf(read, seen) };
  },
});

/** The second of the newest issue, and all ids in that second, because more issues may still appear in it. */
interface Mark {
  at: string;
  ids: JsonValue[];
}

/**
 * Returns the issues since that second, oldest first, without duplicates. During the read, a new issue shifts other issues to the next page, and a
 * deleted issue shifts an issue back to a page that was already read. Therefore a list of several pages is read twice.
 */
async function since(http: Http, path: string, at?: string): Promise<JsonObject[]> {
  const once = await readSince(http, path, at);
  const found = once.size > PAGE ? new Map([...once, ...(await readSince(http, path, at))]) : once;
  return [...found.values()].sort(byAge);
}

function byAge(one: JsonObject, other: JsonObject): number {
  const [made, otherMade] = [madeAt(one), madeAt(other)];
  return made === otherMade ? Number(one['number']) - Number(other['number']) : made < otherMade ? -1 : 1;
}

async function readSince(http: Http, path: string, at?: string): Promise<Map<JsonValue | undefined, JsonObject>> {
  const query = { state: 'all', sort: 'created', direction: 'desc', per_page: PAGE };
  const found = new Map<JsonValue | undefined, JsonObject>();
  let until = at;
  for await (const item of http.pages({ method: 'GET', path, query }, MAX_ITEMS)) {
    until ??= madeAt(item);
    if (madeAt(item) < until) break;
    found.set(member(item, 'id'), item as JsonObject);
  }
  return found;
}

function isSeen(item: JsonValue, { at, ids }: Mark): boolean {
  return madeAt(item) === at && ids.includes(member(item, 'id') ?? null);
}

function markOf(items: readonly JsonObject[], seen: Mark = { at: '', ids: [] }): { at: string; ids: JsonValue[] } {
  const at = items.reduce((newest, item) => (madeAt(item) > newest ? madeAt(item) : newest), seen.at);
  const ids = items.filter((item) => madeAt(item) === at).map((item) => item['id'] ?? null);
  return { at, ids: at === seen.at ? [...new Set([...seen.ids, ...ids])] : ids };
}

const madeAt = (item: JsonValue): string => textAt(item, 'created_at') ?? '';
