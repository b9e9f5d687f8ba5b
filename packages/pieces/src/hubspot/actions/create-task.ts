import { action, dateTime, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { createEngagement } from '../engagement.js';
import { about, owner } from '../properties.js';

/** https://developers.hubspot.com/docs/guides/api/crm/engagements/tasks */
export const createTask = action({
  displayName: 'Create task',
  description: 'Adds a task with a due date to a contact, company or deal.',
  category: 'write',
  adds: true,
  props: {
    ...about,
    subject: shortText('Subject', { required: true, description: 'What to do.', minLength: 1, maxLength: 1_000 }),
    due: dateTime('Due', { required: true, description: 'When it is due.' }),
    body: longText('Text', { description: 'Details. HTML is formatted.', maxLength: 65_536 }),
    priority: staticDropdown('Priority', ['LOW', 'MEDIUM', 'HIGH'], { description: 'The priority.' }),
    hubspot_owner_id: owner,
  },
  run: ({ http, input: { object_type, record_id, subject, due, body, priority, hubspot_owner_id } }) =>
    createEngagement(
      http,
      'tasks',
      { object_type, record_id },
      {
        ...{ hs_task_subject: subject, hs_timestamp: due, hs_task_status: 'NOT_STARTED' },
        ...(body && { hs_task_body: body }),
        ...(priority && { hs_task_priority: priority }),
        ...(hubspot_owner_id && { hubspot_owner_id }),
      },
    ),
});
