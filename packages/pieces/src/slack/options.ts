import {
  listOptions,
  member,
  textAt,
  type Http,
  type JsonValue,
  type LoadOptions,
  type SelectOption,
} from '@drawbridge/piece-kit';
import { byCursor } from './paging.js';

const PAGE = 200;
const SHOWN = 1000;
/** Slack cannot search by name, so the list is read up to this limit. */
const SEARCHED = 10_000;

export const channels: LoadOptions = ({ http, search }) =>
  list(
    http,
    { method: 'conversations.list', key: 'channels', query: { exclude_archived: true }, search },
    (channel) => `#${textAt(channel, 'name') ?? ''}`,
  );

/** Lists people, without bots and deactivated users. */
export const users: LoadOptions = ({ http, search }) =>
  list(http, { method: 'users.list', key: 'members', query: {}, search }, (user) => {
    const isPerson = member(user, 'deleted') !== true && member(user, 'is_bot') !== true;
    const name = textAt(user, 'name') ?? '';
    return isPerson && textAt(user, 'id') !== 'USLACKBOT'
      ? `${textAt(user, 'real_name') ?? name} (@${name})`
      : undefined;
  });

interface List {
  method: string;
  key: string;
  query: Record<string, boolean>;
  search: string | undefined;
}

function list(
  http: Http,
  { method, key, query, search }: List,
  label: (item: JsonValue) => string | undefined,
): Promise<SelectOption[]> {
  const request = { method: 'GET', path: `/api/${method}`, query: { ...query, limit: search ? 5 * PAGE : PAGE } };
  return listOptions(http, request, { label, limit: search ? SEARCHED : SHOWN, paging: byCursor(key) });
}
