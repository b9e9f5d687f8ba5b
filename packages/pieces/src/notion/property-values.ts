import { InputError, listAt, member, textAt, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { toPlainText, toRichText } from './rich-text.js';

const TEXTS: Record<string, (text: string) => JsonValue> = {
  title: toRichText,
  rich_text: toRichText,
  url: (text) => text,
  email: (text) => text,
  phone_number: (text) => text,
  select: (name) => ({ name }),
  status: (name) => ({ name }),
  date: toDate,
};

const LISTS: Record<string, (item: string) => JsonObject> = {
  multi_select: (name) => ({ name }),
  people: (id) => ({ object: 'user', id }),
  relation: (id) => ({ id }),
  files: (url) => ({ name: url.slice(-100), type: 'external', external: { url } }),
};

/** The types that can be written. Notion computes all other types. */
export const WRITABLE: readonly string[] = [...Object.keys(TEXTS), ...Object.keys(LISTS), 'number', 'checkbox'];

/**
 * Converts a value to a property. Null clears the value. Throws InputError for a value of another type:
 * https://developers.notion.com/reference/page-property-values
 */
export function toPropertyValue(type: string, name: string, value: JsonValue): JsonObject {
  const isList = type in LISTS || type === 'title' || type === 'rich_text';
  if (value === null) return { [type]: isList ? [] : type === 'checkbox' ? false : null };

  const [toText, toItem] = [TEXTS[type], LISTS[type]];
  if (toText && ['string', 'number'].includes(typeof value)) return { [type]: toText(String(value)) };
  if (toItem && Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return { [type]: value.map(toItem) };
  if (typeof value === (type === 'checkbox' ? 'boolean' : type)) return { [type]: value };
  throw new InputError(
    'values',
    `must have ${toItem ? 'a list of texts' : `a ${toText ? 'text' : type}`} for "${name}"`,
  );
}

/** Converts a date or a time, or a range of two that are separated by a slash. */
function toDate(text: string): JsonObject {
  const [start = '', end] = text.split('/');
  return { start, ...(end && { end }) };
}

/** Returns a property as a plain value, in the format that `toPropertyValue` accepts. */
export function toPlainValue(property: JsonValue): JsonValue {
  const type = textAt(property, 'type') ?? '';
  const value = member(property, type) ?? null;
  switch (type) {
    case 'title':
    case 'rich_text':
      return toPlainText(value);
    case 'select':
    case 'status':
      return textAt(value, 'name') ?? null;
    case 'multi_select':
      return listAt({ value }, 'value').map((option) => textAt(option, 'name') ?? '');
    case 'people':
    case 'relation':
      return listAt({ value }, 'value').map((one) => textAt(one, 'id') ?? '');
    case 'files':
      return listAt({ value }, 'value').map(
        (one) => textAt(one, 'external', 'url') ?? textAt(one, 'file', 'url') ?? '',
      );
    case 'date':
      return [textAt(value, 'start'), textAt(value, 'end')].filter(Boolean).join('/') || null;
    case 'formula':
      return member(value, textAt(value, 'type') ?? '') ?? null;
    default:
      return value;
  }
}
