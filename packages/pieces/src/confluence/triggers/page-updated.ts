import { scalarAt, textAt, trigger } from '@drawbridge/piece-kit';
import { onlySpace } from '../properties.js';
import { pollPages, SAMPLE, versionOf } from './new-pages.js';

export const pageUpdated = trigger({
  kind: 'polling',
  displayName: 'Page updated',
  description: 'Runs when a page is created or gets a new version.',
  props: { space: onlySpace },
  sample: { ...SAMPLE, version: 2 },
  poll: pollPages({
    sort: '-modified-date',
    time: versionOf,
    id: (page) => {
      const [id, version] = [textAt(page, 'id'), scalarAt(page, 'version', 'number')];
      return id && version ? `${id} ${version}` : undefined;
    },
  }),
});
