import { textAt, trigger } from '@drawbridge/piece-kit';
import { onlySpace } from '../properties.js';
import { pollPages, SAMPLE } from './new-pages.js';

export const pageCreated = trigger({
  kind: 'polling',
  displayName: 'Page created',
  description: 'Runs when a page is created.',
  props: { space: onlySpace },
  sample: SAMPLE,
  poll: pollPages({
    sort: '-created-date',
    time: (page) => textAt(page, 'createdAt'),
    id: (page) => textAt(page, 'id'),
  }),
});
