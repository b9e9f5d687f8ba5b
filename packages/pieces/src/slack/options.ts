import {
  listOptions,
  member,
  ProviderError,
  textAt,
  type Http,
  type JsonValue,
  type LoadOptions,
  type SelectOption,
} from '@drawbridge/piece-kit';
import { byCursor } from './paging.js';
import { isActive, isHuman } from './people.js';

const PAGE = 200;
const SHOWN = 1000;
/** Slack cannot search by name, so at most this number is read and filtered. */
const SEARCHED = 10_000;

/** Lists public and private channels. For a connection that lacks the scope groups:read, lists only public channels. */
export const channels: LoadOptions = async ({ http, search }) => {
  const ofTypes = (types: string) => {
    const query = { types, exclude_archived: true };
    return list(http, { method: 'conversations.list', key: 'channels', query, search }, channelLabel);
  };
  return ofTypes('public_channel,private_channel').catch((error: unknown) => {
    if (error instanceof ProviderError && error.code === 'missing_scope') return ofTypes('public_channel');
    throw error;
  });
};

function channelLabel(channel: JsonValue): string {
  return `#${textAt(channel, 'name') ?? ''}${member(channel, 'is_private') === true ? ' (private)' : ''}`;
}

/** Lists people, without bots and deactivated users. */
export const users: LoadOptions = ({ http, search }) =>
  list(http, { method: 'users.list', key: 'members', query: {}, search }, (user) => {
    const name = textAt(user, 'name') ?? '';
    return isHuman(user) && isActive(user) ? `${textAt(user, 'real_name') ?? name} (@${name})` : undefined;
  });

interface List {
  method: string;
  key: string;
  query: Record<string, boolean | string>;
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
