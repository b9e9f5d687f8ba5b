import { dropdown, dynamic, json, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { API_NAME, objects, settableFields } from './object-fields.js';

const ID = '^[A-Za-z0-9]{15}([A-Za-z0-9]{3})?$';

export const object = dropdown('Object', {
  required: true,
  description: 'API name, such as Account or Invoice__c.',
  pattern: API_NAME,
  options: objects,
});

export const record = shortText('Record', {
  required: true,
  description: '15 or 18 characters.',
  pattern: ID,
});
export const recordId = (displayName: string, description: string) =>
  shortText(displayName, { description, pattern: ID });

/** The values of a record. */
export const values = (how: 'createable' | 'updateable') =>
  dynamic('Fields', {
    required: true,
    description: 'By API name: {"Name": "Acme", "Industry": "Energy"}.',
    refreshers: ['object'],
    props: settableFields(how),
  });

const API_NAMES = {
  type: 'array',
  maxItems: 200,
  items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_.]{0,255}$' },
} as const;

export const fieldNames = json('Fields', {
  description: 'API names: ["Name", "Owner.Name"]. Defaults to all fields.',
  schema: API_NAMES,
});
export const foundFields = json('Fields', {
  description:
    'API names of fields to return: ["Id", "Phone"]. Defaults to Id and Name; required for objects without a Name, such as Case.',
  schema: { ...API_NAMES, minItems: 1 },
});

export const limit = itemLimit({ defaultsTo: 200, maximum: 2_000 });
