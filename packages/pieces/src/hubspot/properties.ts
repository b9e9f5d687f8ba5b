import { dateTime, dropdown, dynamic, json, longText, number, shortText } from '@drawbridge/piece-kit';
import { settableProperties, valuesOf } from './form-fields.js';
import { objects, owners, pipelines, stages } from './options.js';

const ID = '^[0-9]{1,20}$';
const NAME = '^[a-z0-9_]{1,100}$';
const OBJECT = '^[a-zA-Z0-9_-]{1,100}$';

export const objectOf = (displayName: string) =>
  dropdown(displayName, {
    required: true,
    description: 'Such as contacts, companies, deals, tickets or notes, or the id of a custom object.',
    pattern: OBJECT,
    options: objects,
  });

export const recordId = (displayName: string, description = 'A number.') =>
  shortText(displayName, { required: true, description, pattern: ID });

const ids = (displayName: string) =>
  json(displayName, {
    description: 'Ids to associate: ["151"].',
    schema: { type: 'array', maxItems: 50, items: { type: 'string', pattern: ID } },
  });

/** The records with which a new record can be associated. */
export const associated = {
  contact_ids: ids('Contacts'),
  company_ids: ids('Companies'),
};
export const engaged = { ...associated, deal_ids: ids('Deals'), ticket_ids: ids('Tickets') };

export const names = (displayName: string, description: string) =>
  json(displayName, {
    description,
    schema: { type: 'array', maxItems: 100, items: { type: 'string', pattern: NAME } },
  });

export const owner = dropdown('Owner', {
  description: 'The responsible owner.',
  pattern: ID,
  options: owners,
});

export const email = { pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 254 } as const;
const text = (displayName: string, description: string) => shortText(displayName, { description, maxLength: 65_536 });

const further = (object: string, known: readonly string[]) =>
  dynamic('Properties', {
    description: 'Further properties by internal name: {"website": "https://acme.example"}. "" clears one.',
    props: settableProperties(object, known),
  });

const person = {
  firstname: text('First name', 'The given name.'),
  lastname: text('Last name', 'The family name.'),
  phone: text('Phone', 'Such as +49 731 12345.'),
  company: text('Company', 'Name of the company. Associates no company.'),
  jobtitle: text('Job title', 'The job title.'),
  lifecyclestage: dropdown('Lifecycle stage', {
    description: 'Internal name of a stage, such as lead. Moves only forward.',
    pattern: NAME,
    options: valuesOf('contacts', 'lifecyclestage'),
  }),
  hubspot_owner_id: owner,
};

/** The properties of a contact in addition to its email address. */
export const contactFields = { ...person, properties: further('contacts', ['email', ...Object.keys(person)]) };

const company = {
  domain: text('Domain', 'Identifies the company, such as acme.example.'),
  phone: text('Phone', 'The phone number.'),
  city: text('City', 'The city.'),
  country: text('Country', 'The country.'),
  description: longText('Description', { description: 'What the company does.', maxLength: 65_536 }),
  hubspot_owner_id: owner,
};
export const companyFields = { ...company, properties: further('companies', ['name', ...Object.keys(company)]) };

const deal = {
  pipeline: dropdown('Pipeline', {
    description: 'Defaults to "default", or that of the deal.',
    maxLength: 100,
    options: pipelines,
  }),
  dealstage: dropdown('Stage', {
    description: 'A stage of the pipeline, such as appointmentscheduled.',
    maxLength: 100,
    refreshers: ['pipeline'],
    options: stages,
  }),
  amount: number('Amount', { description: 'In the currency of the deal.' }),
  closedate: dateTime('Close date', { description: 'Such as 2026-01-31T09:00:00Z.' }),
  hubspot_owner_id: owner,
};
export const dealFields = { ...deal, properties: further('deals', ['dealname', ...Object.keys(deal)]) };
