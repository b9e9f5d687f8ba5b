import { type Credential, type JsonObject } from '@drawbridge/piece-kit';
import { type files, type sharing } from 'dropbox';
import { json, runPiece } from '../../testing/run-piece.js';
import { dropbox } from './index.js';

const credential: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'bearer' };
const expires = '2026-01-31T08:00:00Z';

const METADATA: files.FileMetadataReference = {
  ...{ '.tag': 'file', id: 'id:1', name: 'a.txt', size: 2, rev: 'a1c10ce0dd78', is_downloadable: true },
  ...{ client_modified: '2026-01-31T09:00:00Z', server_modified: '2026-01-31T09:00:01Z' },
  ...{ path_lower: '/a.txt', path_display: '/A.txt' },
};
const { '.tag': type, path_lower: _lower, path_display: path, ...same } = METADATA;
const entry = { type, path, ...same };
const LINK: sharing.SharedLinkMetadataReference = {
  ...{ '.tag': 'file', url: 'https://www.dropbox.com/s/1', id: 'id:1', name: 'a.txt', expires, path_lower: '/a.txt' },
  link_permissions: {
    can_revoke: true,
    visibility_policies: [],
    can_set_expiry: true,
    can_remove_expiry: true,
  } as never,
};
const match: files.SearchMatchV2 = { metadata: { '.tag': 'metadata', metadata: METADATA } };
const revisions: files.ListRevisionsResult = { is_deleted: false, entries: [METADATA], has_more: false };
const { link_permissions: _permissions, '.tag': _tag, ...link } = LINK;

it.each<[string, JsonObject, unknown, unknown]>([
  ['get_metadata', { path: '/a' }, METADATA satisfies files.FileMetadataReference, entry],
  ['move', { path: '/a', to_path: '/b' }, { metadata: METADATA } satisfies files.RelocationResult, entry],
  ['delete', { path: '/a' }, { metadata: METADATA } satisfies files.DeleteResult, entry],
  ['search', { query: 'a' }, { matches: [match], has_more: false } satisfies files.SearchV2Result, { items: [entry] }],
  ['list_folder', {}, { entries: [METADATA], cursor: 'c', has_more: false }, { items: [entry] }],
  ['list_revisions', { file: '/a' }, revisions, { items: [entry] }],
  ['get_temporary_link', { file: '/a' }, { link: 'https://x', metadata: METADATA }, { link: 'https://x', file: entry }],
  ['share_link', { path: '/a' }, LINK, link],
])('reads the fields that the official client has: %s', async (action, input, answer, output) => {
  const ran = await runPiece({ piece: dropbox, credential, reply: () => json(answer) }, action, input);
  expect(ran.output).toEqual(output);
});
