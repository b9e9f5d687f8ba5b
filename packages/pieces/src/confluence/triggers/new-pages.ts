import { type JsonValue, newSince, textAt } from '@drawbridge/piece-kit';
import { cursorPages, toPage, V2 } from '../pages.js';

/** Maximum number of items that one poll reads. */
const MAX_ITEMS = 1_000;

interface Selected {
  sort: '-created-date' | '-modified-date';
  time(page: JsonValue): string | undefined;
  id(page: JsonValue): string | undefined;
}

/** Returns the `poll` of a trigger for pages: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/#api-pages-get */
export const pollPages = ({ sort, time, id }: Selected) =>
  newSince<{ space?: string }>({
    list: ({ http, input: { space } }) =>
      http.pages(
        { method: 'GET', path: `${V2}/pages`, query: { 'space-id': space, sort, limit: 50 } },
        MAX_ITEMS,
        cursorPages,
      ),
    time,
    id,
    data: toPage,
  });

export const versionOf = (page: JsonValue): string | undefined => textAt(page, 'version', 'createdAt');

/** An example of an event. */
export const SAMPLE = {
  ...{ id: '65577', title: 'Release notes', status: 'current', spaceId: '65538', parentId: '65545' },
  ...{ authorId: '5b10a2844c20165700ede21g', createdAt: '2026-01-31T09:00:00.000Z', version: 1 },
  ...{ updatedAt: '2026-01-31T09:00:00.000Z', link: '/spaces/ENG/pages/65577/Release+notes' },
};
