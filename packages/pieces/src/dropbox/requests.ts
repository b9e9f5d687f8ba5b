import { type HttpRequest, type JsonObject, type JsonValue, type Paging, listAt, member } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';

export const API = 'https://api.dropboxapi.com';
export const CONTENT = 'https://content.dropboxapi.com';

/** Returns the request for an endpoint that takes its arguments in the body. */
export const rpc = (endpoint: string, json: JsonObject): HttpRequest => ({
  method: 'POST',
  path: `/2/${endpoint}`,
  json,
});

/**
 * Returns the request for an endpoint that takes its arguments in a header, because its body is a file. Characters outside of ASCII are escaped:
 * https://www.dropbox.com/developers/documentation/http/documentation#formats
 */
export function contentRequest(endpoint: string, argument: JsonObject, body?: Uint8Array): HttpRequest {
  const text = JSON.stringify(argument).replace(/[\u007f-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  const headers = { 'dropbox-api-arg': text };
  return {
    method: 'POST',
    path: `${CONTENT}/2/${endpoint}`,
    headers,
    ...(body && { body, contentType: 'application/octet-stream' }),
  };
}

/** Pages a list. The next page is requested from a separate endpoint, which takes only the cursor. */
export function cursorPaging(items: string, endpoint: string): Paging {
  return {
    items: (body) => listAt(body, items),
    next: ({ body }) => {
      const cursor = member(body, 'cursor');
      const isMore = member(body, 'has_more') === true && typeof cursor === 'string';
      return isMore ? rpc(endpoint, { cursor }) : undefined;
    },
  };
}

const ENTRY = {
  ...{ type: '.tag', ...same('id', 'name', 'size', 'rev', 'client_modified', 'server_modified', 'is_downloadable') },
  path: 'path_display',
};

/** Returns the fields of a file, a folder or a deleted item that the output contains. */
export function toEntry(metadata: JsonValue): JsonObject {
  const tag = member(metadata, '.tag');
  return { ...(typeof tag === 'string' && { type: tag }), ...pickFields(metadata, ENTRY) };
}
