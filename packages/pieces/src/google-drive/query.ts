/** The type of folders. */
export const FOLDER = 'application/vnd.google-apps.folder';

/** Returns a text for a query: https://developers.google.com/workspace/drive/api/guides/ref-search-terms */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Returns the condition that the name contains a word that begins with this text. */
export const isNamed = (name: string): string => `name contains ${quoted(name)}`;

interface Wanted {
  text?: string;
  name?: string;
  folder?: string;
  mime_type?: string;
  modified_after?: string;
  /** The earliest time of creation. */
  created_from?: string;
  query?: string;
}

/** Returns the query for files that match all conditions and are not in the trash. */
export function toQuery({ text, name, folder, mime_type, modified_after, created_from, query }: Wanted): string {
  const conditions = [
    text && `fullText contains ${quoted(text)}`,
    name && isNamed(name),
    folder && `${quoted(folder)} in parents`,
    mime_type && `mimeType = ${quoted(mime_type)}`,
    modified_after && `modifiedTime > ${quoted(modified_after)}`,
    created_from && `createdTime >= ${quoted(created_from)}`,
    query && `(${query})`,
    'trashed = false',
  ];
  return conditions.filter(Boolean).join(' and ');
}
