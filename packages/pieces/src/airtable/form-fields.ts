import {
  checkbox,
  dateTime,
  json,
  listAt,
  longText,
  number,
  type Property,
  shortText,
  staticDropdown,
  staticMultiSelect,
  textAt,
} from '@drawbridge/piece-kit';
import { type Field } from './schema.js';

const TEXTS = { type: 'array', items: { type: 'string' } } as const;
const OBJECTS = { type: 'array', items: { type: 'object' } } as const;

/** Returns the form field of a field; undefined if Airtable computes it: https://airtable.com/developers/web/api/field-model */
export function toFormField({ name, type, options }: Field): Property | undefined {
  const choices = listAt(options, 'choices').flatMap((choice) => textAt(choice, 'name') ?? []);
  switch (type) {
    case 'singleLineText':
    case 'email':
    case 'url':
    case 'phoneNumber':
      return shortText(name);
    case 'multilineText':
    case 'richText':
      return longText(name);
    case 'number':
    case 'currency':
      return number(name);
    case 'percent':
      return number(name, { description: '0.5 is 50 %.' });
    case 'duration':
      return number(name, { description: 'Seconds.' });
    case 'rating':
      return number(name, { integer: true, minimum: 1, maximum: 10 });
    case 'checkbox':
      return checkbox(name);
    case 'date':
      return shortText(name, { description: 'A date, such as 2026-01-31.' });
    case 'dateTime':
      return dateTime(name, { description: 'ISO 8601, such as 2026-01-31T09:00:00Z.' });
    case 'singleSelect':
      return choices.length > 0 ? staticDropdown(name, choices) : shortText(name);
    case 'multipleSelects':
      return choices.length > 0 ? staticMultiSelect(name, choices) : json(name, { schema: TEXTS });
    default:
      return toStructured(name, type);
  }
}

function toStructured(name: string, type: string): Property | undefined {
  switch (type) {
    case 'multipleRecordLinks':
      return json(name, { description: 'A list of record ids.', schema: TEXTS });
    case 'multipleCollaborators':
      return json(name, { description: 'A list of user ids.', schema: TEXTS });
    case 'singleCollaborator':
      return json(name, {
        description: 'Such as {"email": "ann@acme.example"} or {"id": "usr…"}.',
        schema: { type: 'object' },
      });
    case 'barcode':
      return json(name, { description: 'Such as {"text": "4006381333931"}.', schema: { type: 'object' } });
    case 'multipleAttachments':
      return json(name, {
        description: 'Files by URL: [{"url": "https://…"}]. Add {"id": "att…"} for each file to keep.',
        schema: OBJECTS,
      });
    default:
      return undefined;
  }
}
