import { action, longText, shortText } from '@drawbridge/piece-kit';
import { project } from '../properties.js';

/** Creates a task in a project: https://acme.example/docs/tasks#create */
export const createTask = action({
  displayName: 'Create task',
  description: 'Creates a task in a project and returns it.',
  category: 'write',
  adds: true,
  props: {
    project,
    title: shortText('Title', { required: true, description: 'The title of the task.', minLength: 1, maxLength: 200 }),
    notes: longText('Notes', { description: 'Markdown.', maxLength: 10_000 }),
  },
  call: { method: 'POST', path: '/projects/{project}/tasks', body: ['title', 'notes'] },
});
