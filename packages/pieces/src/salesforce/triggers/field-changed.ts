import { shortText, trigger } from '@drawbridge/piece-kit';
import { API_NAME } from '../object-fields.js';
import { object } from '../properties.js';
import { pollRecords } from './poll-records.js';

/**
 * Runs when a field of a record changes:
 * https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_associated_objects_history.htm
 */
export const fieldChanged = trigger({
  kind: 'polling',
  displayName: 'Field changed',
  description:
    'Runs when a field of a record changes. The event has the old and the new value. The history of the field must be tracked in Salesforce. A lookup has two events, with the ids and with the names.',
  props: {
    object,
    field: shortText('Field', {
      required: true,
      description: 'The API name of a field, such as StageName or OwnerId.',
      pattern: API_NAME,
    }),
  },
  sample: {
    Id: '017xx0000012345AAA',
    OpportunityId: '006xx000001a2b3AAA',
    Field: 'StageName',
    OldValue: 'Prospecting',
    NewValue: 'Closed Won',
    CreatedById: '005xx000001X8UzAAK',
    CreatedDate: '2026-01-31T09:00:00.000+0000',
  },
  poll: pollRecords<{ object: string; field: string }>({
    from: ({ object: name, field }) => {
      const { history, parent } = historyOf(name);
      const fields = `Id, ${parent}, Field, OldValue, NewValue, CreatedById, CreatedDate`;
      return { object: history, fields, where: `Field IN (${namesOf(field).join(', ')})` };
    },
    time: 'CreatedDate',
  }),
});

/** The history omits "Id" in the name of a standard lookup: "Owner" for OwnerId. */
function namesOf(field: string): string[] {
  return (field.endsWith('Id') ? [field, field.slice(0, -2)] : [field]).map((name) => `'${name}'`);
}

/** The history of a custom object and of opportunities has a special name. */
function historyOf(object: string): { history: string; parent: string } {
  if (object.endsWith('__c')) return { history: `${object.slice(0, -1)}History`, parent: 'ParentId' };
  return { history: object === 'Opportunity' ? 'OpportunityFieldHistory' : `${object}History`, parent: `${object}Id` };
}
