import { action } from '@drawbridge/piece-kit';
import { WHOLE_TASK } from '../answer-fields.js';
import { formWorkspace, requiredFollowers, task } from '../properties.js';

/** Adds users to the followers of a task: https://developers.asana.com/reference/addfollowersfortask */
export const addFollowers = action({
  displayName: 'Add followers',
  description: 'Adds users to the followers of a task, who are notified of its changes. Returns the task.',
  category: 'write',
  adds: true,
  idempotent: true,
  recipients: ['followers'],
  props: { workspace: formWorkspace, task, followers: requiredFollowers },
  call: {
    method: 'POST',
    path: '/api/1.0/tasks/{task}/addFollowers',
    query: WHOLE_TASK,
    body: ['followers'],
    bodyIn: 'data',
    result: 'data',
  },
});
