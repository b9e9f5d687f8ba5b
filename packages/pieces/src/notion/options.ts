import {
  expandPath,
  listOptions,
  member,
  textAt,
  type Http,
  type HttpRequest,
  type JsonValue,
  type LoadOptions,
  type SelectOption,
} from '@drawbridge/piece-kit';
import { titleOf } from './items.js';
import { toPlainText } from './rich-text.js';

const LIMIT = 300;
const PAGE = 100;

/** Finds databases that are shared with the connection, by title: https://developers.notion.com/reference/post-search */
export const dataSources: LoadOptions = ({ http, search }) =>
  list(http, searchFor('data_source', search), (source) => toPlainText(member(source, 'title')));

export const pages: LoadOptions = ({ http, search }) => list(http, searchFor('page', search), titleOf);

/** Lists the most recently changed items. */
export const items: LoadOptions = async ({ http, input }) => {
  const id = textAt(input, 'data_source_id');
  if (!id) return { options: [], disabled: true };
  const path = expandPath('/v1/data_sources/{id}/query', { id });
  return list(http, { method: 'POST', path, json: { page_size: PAGE } }, titleOf);
};

function searchFor(value: 'page' | 'data_source', query: string | undefined): HttpRequest {
  const filter = { property: 'object', value };
  return { method: 'POST', path: '/v1/search', json: { ...(query && { query }), filter, page_size: PAGE } };
}

function list(http: Http, request: HttpRequest, labelOf: (item: JsonValue) => string): Promise<SelectOption[]> {
  return listOptions(http, request, { label: (item) => labelOf(item) || 'Untitled', limit: LIMIT });
}
