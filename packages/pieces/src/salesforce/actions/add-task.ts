import { action, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { recordId } from '../properties.js';

/** Creates a task for a user: https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_objects_task.htm */
export const addTask = action({
  displayName: 'Add task',
  description: 'Creates a task for a user, perhaps about a record, and returns its id.',
  category: 'write',
  adds: true,
  props: {
    subject: shortText('Subject', {
      required: true,
      description: 'The title of the task.',
      minLength: 1,
      maxLength: 255,
    }),
    description: longText('Description', { description: 'The details of the task.', maxLength: 32_000 }),
    due: shortText('Due date', { description: 'Such as 2026-01-31.', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    who: recordId('Contact or lead', 'The id of the contact or lead that the task is about.'),
    what: recordId('Related record', 'The account, opportunity or other record of the task.'),
    owner: recordId('Assignee', 'Defaults to the user of the connection.'),
    status: shortText('Status', {
      description: 'A status of your organization, such as "Not Started".',
      maxLength: 255,
    }),
    priority: staticDropdown('Priority', ['High', 'Normal', 'Low'], { description: 'The priority of the task.' }),
  },
  call: {
    method: 'POST',
    path: '/services/data/v66.0/sobjects/Task',
    body: {
      Subject: 'subject',
      Description: 'description',
      ActivityDate: 'due',
      WhoId: 'who',
      WhatId: 'what',
      OwnerId: 'owner',
      Status: 'status',
      Priority: 'priority',
    },
  },
});
