import { dropdown, dynamic, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { propertiesOf } from './object-properties.js';
import { owners } from './options.js';
import { TYPES } from './records.js';

export const ID = '^[0-9]{1,20}$';

const TEXT = { maxLength: 1_000 } as const;
export const EMAIL = { pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 254 } as const;

export const objectType = staticDropdown('Type', TYPES, { required: true, description: 'The type of the records.' });
export const recordId = shortText('Record', { required: true, description: 'The id of a record.', pattern: ID });

/** The usual properties of a contact. */
export const contactFields = {
  firstname: shortText('First name', { ...TEXT, description: 'The first name.' }),
  lastname: shortText('Last name', { ...TEXT, description: 'The last name.' }),
  phone: shortText('Phone', { ...TEXT, description: 'The phone number.' }),
  company: shortText('Company', { ...TEXT, description: 'The name of the company, as a text.' }),
  jobtitle: shortText('Job title', { ...TEXT, description: 'The position of the person.' }),
};

/** Further properties, by the type of the records. */
export const further = {
  contacts: dynamic('Properties', {
    description: 'Further properties by their internal names: {"lifecyclestage": "lead"}.',
    props: propertiesOf('contacts'),
  }),
  companies: dynamic('Properties', {
    description: 'Further properties by their internal names: {"industry": "ACCOUNTING"}.',
    props: propertiesOf('companies'),
  }),
  deals: dynamic('Properties', {
    description: 'Further properties by their internal names: {"dealtype": "newbusiness"}.',
    props: propertiesOf('deals'),
  }),
};

export const owner = dropdown('Owner', { description: 'The id of a user who owns it.', pattern: ID, options: owners });

/** The record that a note or a task is about. */
export const about = {
  object_type: staticDropdown('About', ['contacts', 'companies', 'deals'], {
    required: true,
    description: 'The type of the record that it is about.',
  }),
  record_id: recordId,
};

export const limit = number('Limit', {
  description: 'Maximum number of records. Defaults to 20.',
  integer: true,
  minimum: 1,
  maximum: 1_000,
});
