import { type HttpRequest, type JsonObject, type JsonValue, type Paging, listAt, member } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';

export const API = 'https://api.dropboxapi.com';
export const CONTENT = 'https://content.dropboxapi.com';

/** Returns the request of an endpoint that has its arguments in the body. */
export const rpc = (endpoint: string, json: JsonObject): HttpRequest => ({
  method: 'POST',
  path: `/2/${endpoint}`,
  json,
});

/**
 * Returns the request of an endpoint that has its arguments in a header, because its body is a file.
 * https://www.dropbox.com/developers/documentation/http/documentation#formats: other characters than those of ASCII are escaped.
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

/** Pages a list of Dropbox: the next page has an endpoint of its own, which takes the cursor alone. */
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

/** Returns the short form of a file, a folder or a deleted item. */
export function toEntry(metadata: JsonValue): JsonObject {
  const tag = member(metadata, '.tag');
  return { ...(typeof tag === 'string' && { type: tag }), ...pickFields(metadata, ENTRY) };
}
