import { action, dateTime, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { associationsOf } from '../associations.js';
import { engaged, owner } from '../properties.js';
import { createRecord } from '../records.js';

/** Creates a task: https://developers.hubspot.com/docs/api-reference/crm-tasks-v3/guide */
export const createTask = action({
  displayName: 'Create task',
  description: 'Creates a task, perhaps for contacts, companies, deals or tickets, and returns it.',
  category: 'write',
  adds: true,
  props: {
    subject: shortText('Title', { required: true, description: 'What is to be done.', minLength: 1, maxLength: 1_000 }),
    due: dateTime('Due', { description: 'When the task is due. Defaults to now.' }),
    body: longText('Notes', { description: 'The text of the task, with simple HTML.', maxLength: 65_536 }),
    type: staticDropdown('Type', ['TODO', 'CALL', 'EMAIL'], { description: 'The kind of task. Defaults to TODO.' }),
    priority: staticDropdown('Priority', ['LOW', 'MEDIUM', 'HIGH'], { description: 'Defaults to none.' }),
    status: staticDropdown('Status', ['NOT_STARTED', 'IN_PROGRESS', 'WAITING', 'COMPLETED', 'DEFERRED'], {
      description: 'Defaults to NOT_STARTED.',
    }),
    hubspot_owner_id: owner,
    ...engaged,
  },
  run: ({ http, input: { subject, due, body, type, priority, status, hubspot_owner_id, ...ids } }) => {
    const values = {
      ...{ hs_task_subject: subject, hs_timestamp: due ?? new Date().toISOString() },
      ...(body && { hs_task_body: body }),
      ...(type && { hs_task_type: type }),
      ...(priority && { hs_task_priority: priority }),
      ...(status && { hs_task_status: status }),
      ...(hubspot_owner_id && { hubspot_owner_id }),
    };
    return createRecord(http, 'tasks', values, associationsOf('tasks', ids));
  },
});
