import { action } from '@drawbridge/piece-kit';
import { formProject, formWorkspace, otherTask, requiredSection, task } from '../properties.js';

/** https://developers.asana.com/reference/addtaskforsection */
export const addToSection = action({
  displayName: 'Add to section',
  description: 'Moves a task to a section of a project, and to the project if it is not in it. Returns nothing.',
  category: 'write',
  idempotent: true,
  props: {
    workspace: formWorkspace,
    project: formProject,
    section: requiredSection,
    task,
    insert_before: otherTask('Before', 'The gid of a task in the section. The task is put before it.'),
    insert_after: otherTask('After', 'The gid of a task in the section. The task is put after it.'),
  },
  call: {
    method: 'POST',
    path: '/api/1.0/sections/{section}/addTask',
    body: ['task', 'insert_before', 'insert_after'],
    bodyIn: 'data',
    result: 'data',
  },
});
