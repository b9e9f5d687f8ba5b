import { dropdown, dateTime, number, shortText } from '@drawbridge/piece-kit';
import { pipelines, stages } from './options.js';
import { further, owner } from './properties.js';

const NAME = '^[A-Za-z0-9_-]{1,100}$';

/** The properties of a deal. HubSpot's names differ from those of the form where the latter are clearer. */
export const dealFields = {
  amount: number('Amount', { description: 'In the currency of the account.', minimum: 0 }),
  pipeline: dropdown('Pipeline', {
    description: 'The id of a pipeline. Absent: the default one.',
    pattern: NAME,
    options: pipelines,
  }),
  dealstage: dropdown('Stage', {
    description: 'The id of a stage of the pipeline.',
    pattern: NAME,
    options: stages,
    refreshers: ['pipeline'],
  }),
  closedate: dateTime('Close date', { description: 'When it is expected to close.' }),
  hubspot_owner_id: owner,
  properties: further.deals,
};

export const dealname = (required: boolean) =>
  shortText('Name', { required, description: 'The name of the deal.', minLength: 1, maxLength: 1_000 });
