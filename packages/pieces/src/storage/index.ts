import { piece } from '@drawbridge/piece-kit';
import { deleteFile } from './actions/delete.js';
import { get } from './actions/get.js';
import { list } from './actions/list.js';
import { put } from './actions/put.js';

export const storage = piece({
  name: 'storage',
  displayName: 'Storage',
  description: 'Stores files by path for an end user, a workspace or a custom scope.',
  categories: ['CONTENT_AND_FILES'],
  actions: { put, get, list, delete: deleteFile },
});
