import {
  expandPath,
  type Http,
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  type Paging,
  ProviderError,
  textAt,
} from '@drawbridge/piece-kit';
import { toXhtml } from '../markdown.js';
import { pickFields, same } from '../pick-fields.js';

export const V2 = '/wiki/api/v2';
/** Searches, attachments and labels exist only in the first version of the API. */
export const V1 = '/wiki/rest/api';

export const pagePath = (page: string, part = ''): string => `${expandPath(`${V2}/pages/{page}`, { page })}${part}`;

const PAGE = {
  ...same('id', 'title', 'status', 'spaceId', 'parentId', 'authorId', 'createdAt'),
  ...{ version: 'version.number', updatedAt: 'version.createdAt' },
};

/** Returns the fields of a page that the output contains. Its content is XHTML in the storage format. */
export function toPage(page: JsonValue): JsonObject {
  const path = textAt(page, '_links', 'webui');
  // A page in a list has no base URL, so its link is only the path.
  const link = path && `${textAt(page, '_links', 'base') ?? ''}${path}`;
  const content = textAt(page, 'body', 'storage', 'value');
  return { ...pickFields(page, PAGE), ...(link && { link }), ...(content !== undefined && { content }) };
}

interface Written {
  text: string;
  format?: string;
}

/** Returns a body in the storage format: https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html */
export function toStorage({ text, format = 'markdown' }: Written): JsonObject {
  return { representation: 'storage', value: format === 'markdown' ? toXhtml(text) : text };
}

interface Change {
  title?: string;
  /** Returns the new content, given the current content. */
  content?(before: string): string;
  message?: string;
}

/**
 * Changes a page. An update needs all of the page and the next version number, and Confluence refuses it with a 409 if another change came in
 * between: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/#api-pages-id-put
 */
export async function changePage(http: Http, id: string, { title, content, message }: Change): Promise<JsonObject> {
  const path = pagePath(id);
  const before = await http.json({ method: 'GET', path, query: { 'body-format': 'storage' } });
  const version = member(before, 'version', 'number');
  if (typeof version !== 'number') throw new ProviderError('Confluence returned a page without a version');
  const value = textAt(before, 'body', 'storage', 'value') ?? '';
  const json = {
    ...{ id, status: 'current', title: title ?? textAt(before, 'title') ?? '' },
    body: { representation: 'storage', value: content ? content(value) : value },
    version: { number: version + 1, ...(message && { message }) },
  };
  const { content: _content, ...page } = toPage(await http.json({ method: 'PUT', path, json }));
  return page;
}

/** Pages a list by the cursor in the link to the next page. The link itself cannot be used, because it lacks the path of the OAuth origin. */
export const cursorPages: Paging = {
  items: (body) => listAt(body, 'results'),
  next: ({ request, body }) => {
    const link = textAt(body, '_links', 'next');
    const cursor = link && new URL(link, 'https://confluence.example').searchParams.get('cursor');
    return cursor ? { ...request, query: { ...request.query, cursor } } : undefined;
  },
};
