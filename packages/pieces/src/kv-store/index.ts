import { piece } from '@drawbridge/piece-kit';
import { deleteKey } from './actions/delete.js';
import { get } from './actions/get.js';
import { increment } from './actions/increment.js';
import { list } from './actions/list.js';
import { set } from './actions/set.js';

export const kvStore = piece({
  name: 'kv-store',
  displayName: 'Key-value store',
  description: 'Stores JSON values by key for an end user, a workspace or a custom scope.',
  categories: ['UTILITIES'],
  actions: { get, set, delete: deleteKey, list, increment },
});
