import { authorizationHeader, piece, textAt, tokenPaging } from '@drawbridge/piece-kit';
import { createTask } from './actions/create-task.js';
import { listTasks } from './actions/list-tasks.js';
import { newTask } from './triggers/new-task.js';
import { taskChanged } from './triggers/task-changed.js';

export const acme = piece({
  name: 'acme',
  displayName: 'Acme',
  description: 'Creates and lists tasks.',
  categories: ['PRODUCTIVITY'],
  origin: 'https://api.acme.example',
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    description: 'Create an API key in the settings of Acme.',
    // A GET that changes nothing. If it rejects a key, the key is not stored.
    test: '/me',
    // The label of the connection is the name of its account.
    afterConnect: async (http) => ({ label: textAt(await http.json({ method: 'GET', path: '/me' }), 'email') }),
    oauth2: {
      authUrl: 'https://acme.example/oauth/authorize',
      tokenUrl: 'https://acme.example/oauth/token',
      scopes: ['tasks:read', 'tasks:write', 'webhooks'],
    },
  },
  http: {
    authorize: authorizationHeader,
    paging: tokenPaging({ items: 'items', next: 'next', param: 'cursor' }),
    failure: { message: ['error.message'], code: ['error.code'] },
  },
  actions: { create_task: createTask, list_tasks: listTasks },
  triggers: { new_task: newTask, task_changed: taskChanged },
});
