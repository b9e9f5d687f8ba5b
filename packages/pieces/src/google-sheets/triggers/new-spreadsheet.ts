import { newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { googlePaging } from '../../google.js';
import { pickFields, same } from '../../pick-fields.js';
import { DRIVE_ORIGIN } from '../origins.js';

const LIMIT = 1_000;

/** https://developers.google.com/workspace/drive/api/guides/search-files */
export const newSpreadsheet = trigger({
  kind: 'polling',
  displayName: 'New spreadsheet',
  description: 'Runs when a spreadsheet is created that the account can read.',
  props: {},
  sample: {
    id: '1qpyC0XzvTcKT6EISywvqESX3A0MwQoFDE8p-Bll4hps',
    name: 'People',
    createdTime: '2026-01-31T09:00:00.000Z',
    webViewLink: 'https://docs.google.com/spreadsheets/d/1qpyC0XzvTcKT6EISywvqESX3A0MwQoFDE8p-Bll4hps/edit',
  },
  poll: newSince({
    list: ({ http }, since) => {
      const created = since && `createdTime >= '${since.toISOString()}'`;
      const q = ["mimeType = 'application/vnd.google-apps.spreadsheet'", 'trashed = false', created].filter(Boolean);
      const query = {
        q: q.join(' and '),
        fields: 'nextPageToken,files(id,name,createdTime,webViewLink)',
        orderBy: 'createdTime desc',
        pageSize: 100,
        ...{ includeItemsFromAllDrives: true, supportsAllDrives: true },
      };
      return http.pages({ method: 'GET', path: `${DRIVE_ORIGIN}/drive/v3/files`, query }, LIMIT, googlePaging('files'));
    },
    time: (file) => textAt(file, 'createdTime'),
    id: (file) => textAt(file, 'id'),
    data: (file) => pickFields(file, same('id', 'name', 'createdTime', 'webViewLink')),
  }),
});
