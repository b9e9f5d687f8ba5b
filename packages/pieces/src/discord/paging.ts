import { type JsonValue, listAt, type Paging, textAt } from '@drawbridge/piece-kit';
import { byAge } from './snowflake.js';

/** Pages a list from its lowest id to its highest. Discord returns the items after `after`, but orders messages from the highest id to the lowest. */
export function ascending(size: number, ...idAt: string[]): Paging {
  const idOf = (item: JsonValue | undefined): string => textAt(item, ...idAt) ?? '';
  const items = (body: JsonValue) => [...listAt(body)].sort((one, other) => byAge(idOf(one), idOf(other)));
  return {
    items,
    next: ({ request, body }) => {
      const page = items(body);
      return page.length < size ? undefined : { ...request, query: { ...request.query, after: idOf(page.at(-1)) } };
    },
  };
}

/** Pages messages, newest first. */
export function descending(size: number): Paging {
  return {
    items: (body) => listAt(body),
    next: ({ request, body }) => {
      const page = listAt(body);
      const before = textAt(page.at(-1), 'id');
      return page.length < size || !before ? undefined : { ...request, query: { ...request.query, before } };
    },
  };
}

/** Reads a list that Discord returns completely, or only its first page. */
export const onePage: Paging = { items: (body) => listAt(body), next: () => undefined };
