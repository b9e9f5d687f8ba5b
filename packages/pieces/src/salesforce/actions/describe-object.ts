import { action, listAt } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { fieldsOf } from '../object-fields.js';
import { object } from '../properties.js';

const FIELD = same(
  'name',
  'label',
  'type',
  'length',
  'nillable',
  'createable',
  'updateable',
  'externalId',
  'referenceTo',
);

/** Lists the fields of an object: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_sobject_describe.htm */
export const describeObject = action({
  displayName: 'Describe object',
  description: 'Lists the fields of an object: their API names, labels, types and allowed values.',
  category: 'read',
  props: { object },
  run: async ({ http, input: { object: name } }) =>
    (await fieldsOf(http, name)).map((field) => {
      const values = listAt(field, 'picklistValues').map((value) =>
        pickFields(value, same('label', 'value', 'active')),
      );
      return { ...pickFields(field, FIELD), ...(values.length > 0 && { values }) };
    }),
});
