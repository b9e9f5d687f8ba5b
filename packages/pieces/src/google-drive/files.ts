import { expandPath, type Http, type JsonObject, type JsonValue, multipart } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';

export const FILES = '/drive/v3/files';

/** The most useful fields of a file. Without a selection, Drive returns only four fields. */
export const FILE_FIELDS =
  'id,name,mimeType,size,createdTime,modifiedTime,parents,webViewLink,owners(displayName,emailAddress),driveId,trashed';

/** Every request must state that it includes files in shared drives. */
export const ALL_DRIVES = { supportsAllDrives: true };
/** The query of requests that return a file. */
export const ONE_FILE = { ...ALL_DRIVES, fields: FILE_FIELDS };

export const pathOf = (fileId: string, part = ''): string => expandPath(`${FILES}/{fileId}`, { fileId }) + part;

const SHORT = same(
  'id',
  'name',
  'mimeType',
  'size',
  'createdTime',
  'modifiedTime',
  'parents',
  'webViewLink',
  'driveId',
);

/** Returns the fields of a file that the output contains. */
export function toFileEntry(file: JsonValue): JsonObject {
  return pickFields(file, { ...SHORT, trashed: 'trashed', owners: 'owners.*.emailAddress' });
}

interface Content {
  method: 'POST' | 'PATCH';
  /** The file with content that is replaced. Absent for a new file. */
  fileId?: string;
  metadata: JsonObject;
  mimeType: string;
  bytes: Uint8Array;
}

/** Sends metadata and content in one request: https://developers.google.com/workspace/drive/api/guides/manage-uploads#multipart */
export async function sendContent(
  http: Http,
  { method, fileId, metadata, mimeType, bytes }: Content,
): Promise<JsonObject> {
  const parts = [
    { content: JSON.stringify(metadata), contentType: 'application/json; charset=UTF-8' },
    { content: bytes, contentType: mimeType },
  ];
  const path = `/upload${fileId === undefined ? FILES : pathOf(fileId)}`;
  const query = { uploadType: 'multipart', ...ONE_FILE };
  return toFileEntry(await http.json({ method, path, query, ...multipart(parts, 'related') }));
}

/** Returns the metadata of a new file. */
export function newFile(name: string, { folder, mimeType }: { folder?: string; mimeType?: string }): JsonObject {
  return { name, ...(mimeType && { mimeType }), ...(folder && { parents: [folder] }) };
}
