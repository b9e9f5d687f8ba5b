import { dropdown, dynamic, json, longText, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { customFields } from './custom-fields.js';
import { agents, groups } from './options.js';

const ID = '^[0-9]{1,20}$';

export const ticket = number('Ticket', {
  required: true,
  description: 'The number of a ticket.',
  integer: true,
  minimum: 1,
});

const TAGS = { type: 'array', maxItems: 100, items: { type: 'string', minLength: 1, maxLength: 255 } } as const;
export const tags = json('Tags', {
  description: 'Words, replacing the present tags: ["vip", "billing"].',
  schema: TAGS,
});
export const newTags = json('Tags', {
  required: true,
  description: 'Words without spaces: ["vip", "billing"].',
  schema: TAGS,
});

export const uploads = json('Attachments', {
  description: 'Tokens of "Upload attachment".',
  schema: { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 200 } },
});

export const body = longText('Text', {
  required: true,
  description: 'The text of the comment.',
  minLength: 1,
  maxLength: 65_536,
});

export const status = staticDropdown('Status', ['new', 'open', 'pending', 'hold', 'solved', 'closed'], {
  description: 'The status of the ticket.',
});

/** The fields of a ticket that creating and updating accept. */
export const ticketFields = {
  status,
  priority: staticDropdown('Priority', ['urgent', 'high', 'normal', 'low'], {
    description: 'The urgency of the ticket.',
  }),
  type: staticDropdown('Type', ['problem', 'incident', 'question', 'task'], { description: 'The type of the ticket.' }),
  assignee_id: dropdown('Assignee', {
    description: 'The agent who works on it.',
    pattern: ID,
    options: agents,
  }),
  group_id: dropdown('Group', { description: 'The group of agents.', pattern: ID, options: groups }),
  tags,
  custom_fields: dynamic('Custom fields', {
    description: 'By field id: {"360001234567": "blue"}.',
    props: customFields,
  }),
};

export const requester = {
  requester_email: shortText('Requester email', {
    description: 'Defaults to the agent of the connection.',
    pattern: '^[^\\s@]+@[^\\s@]+$',
    maxLength: 254,
  }),
  requester_name: shortText('Requester name', {
    description: 'Names a requester who is not a user yet. Needs the email.',
    maxLength: 255,
  }),
};

export const limit = itemLimit({ defaultsTo: 100, maximum: 1_000 });
