import { scalarAt, textAt } from './answer.js';
import { type Http, type HttpRequest } from './http.js';
import { type JsonValue } from './json.js';
import { type Paging } from './paging.js';
import { type SelectOption } from './property.js';

interface ListOptions {
  /** Returns the label of an item, or undefined to omit the item. Default: its `name`. */
  label?: (item: JsonValue) => string | undefined;
  /** The dotted path of the value. Default: `id`. */
  value?: string;
  /** The maximum number of options to load. Default: 300. */
  limit?: number;
  paging?: Paging;
}

const LIMIT = 300;

/** Returns the options of a dropdown from a list of the provider. Throws as `http.pages` does. */
export async function listOptions(
  http: Http,
  request: HttpRequest,
  { label = (item) => textAt(item, 'name'), value = 'id', limit = LIMIT, paging }: ListOptions = {},
): Promise<SelectOption[]> {
  const options: SelectOption[] = [];
  for await (const item of http.pages(request, limit, paging)) {
    const found = scalarAt(item, ...value.split('.'));
    const shown = label(item);
    if (found && shown) options.push({ label: shown, value: found });
  }
  return options;
}

/** Reads all pages of a list. */
export async function collect(pages: AsyncIterable<JsonValue>): Promise<JsonValue[]> {
  const items: JsonValue[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
