import {
  expandPath,
  type Http,
  type JsonObject,
  type JsonValue,
  member,
  newSince,
  textAt,
  trigger,
} from '@drawbridge/piece-kit';
import { ifStatus } from '../../if-status.js';
import { pickFields, same } from '../../pick-fields.js';
import { cursorPages, V2 } from '../pages.js';
import { versionOf } from './new-pages.js';

/** Maximum number of comments that one poll reads. */
const MAX_COMMENTS = 1_000;
const COMMENT = {
  ...same('id', 'pageId', 'status', 'title'),
  ...{ authorId: 'version.authorId', createdAt: 'version.createdAt', content: 'body.storage.value' },
};

/**
 * Runs when a comment is written below a page: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-comment/#api-footer-comments-get
 */
export const commentCreated = trigger({
  kind: 'polling',
  displayName: 'Comment created',
  description: 'Runs when a comment is written below a page.',
  props: {},
  sample: {
    ...{ id: '98310', pageId: '65577', status: 'current', title: 'Re: Release notes', content: '<p>Good</p>' },
    ...{ authorId: '5b10a2844c20165700ede21g', createdAt: '2026-01-31T09:00:00.000Z' },
  },
  poll: newSince({
    list: ({ http }) => listComments(http),
    time: versionOf,
    id: (comment) => textAt(comment, 'id'),
    data: (comment) => pickFields(comment, COMMENT),
  }),
});

/** Lists comments, newest first, each with its first version. Omits a comment with a deleted first version, because it is not new. */
async function* listComments(http: Http): AsyncGenerator<JsonValue, void, undefined> {
  const query = { sort: '-created-date', 'body-format': 'storage', limit: 50 };
  const request = { method: 'GET', path: `${V2}/footer-comments`, query } as const;
  for await (const comment of http.pages(request, MAX_COMMENTS, cursorPages)) {
    const first = await withFirstVersion(http, comment);
    if (first !== null) yield first;
  }
}

/**
 * Replaces the newest version of a comment by the first one. Returns null if the first one does not exist. A comment has no other time, so a changed
 * comment would otherwise appear to be new:
 * https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-version/#api-footer-comments-id-versions-version-number-get
 */
async function withFirstVersion(http: Http, comment: JsonValue): Promise<JsonValue | null> {
  const number = member(comment, 'version', 'number');
  if (typeof number !== 'number' || number <= 1) return comment;
  const path = expandPath(`${V2}/footer-comments/{id}/versions/1`, { id: textAt(comment, 'id') });
  // An administrator may have deleted old versions.
  const version = await http.json({ method: 'GET', path }).catch(ifStatus(404, null));
  return version === null ? null : { ...(comment as JsonObject), version };
}
