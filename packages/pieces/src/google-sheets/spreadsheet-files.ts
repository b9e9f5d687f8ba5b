import { type HttpRequest } from '@drawbridge/piece-kit';
import { DRIVE_ORIGIN } from './origins.js';

interface Wanted {
  /** The beginnings of words in the name. */
  search?: string;
  /** The fields of a file, separated by commas. */
  fields: string;
  orderBy: string;
}

/** Returns the request that lists spreadsheets: https://developers.google.com/workspace/drive/api/guides/search-files */
export function spreadsheetFiles({ search = '', fields, orderBy }: Wanted): HttpRequest {
  const words = search.split(/\s+/).filter(Boolean);
  const q = [
    "mimeType = 'application/vnd.google-apps.spreadsheet'",
    'trashed = false',
    ...words.map((word) => `name contains '${word.replace(/[\\']/g, '\\$&')}'`),
  ].join(' and ');
  const everywhere = { includeItemsFromAllDrives: true, supportsAllDrives: true };
  const query = { q, fields: `nextPageToken,files(${fields})`, orderBy, pageSize: 100, ...everywhere };
  return { method: 'GET', path: `${DRIVE_ORIGIN}/drive/v3/files`, query };
}
