import { newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { cursorPages, V2 } from '../pages.js';
import { versionOf } from './new-pages.js';

/** The most comments that one poll reads. */
const MAX_COMMENTS = 1_000;
const COMMENT = {
  ...same('id', 'pageId', 'status', 'title'),
  ...{ authorId: 'version.authorId', createdAt: 'version.createdAt', content: 'body.storage.value' },
};

/** https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-comment/#api-footer-comments-get */
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
    list: ({ http }) => {
      const query = { sort: '-created-date', 'body-format': 'storage', limit: 50 };
      return http.pages({ method: 'GET', path: `${V2}/footer-comments`, query }, MAX_COMMENTS, cursorPages);
    },
    // A comment that is changed has the time of its new version, and the same id.
    time: versionOf,
    id: (comment) => textAt(comment, 'id'),
    data: (comment) => pickFields(comment, COMMENT),
  }),
});
