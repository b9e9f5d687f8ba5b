import { action } from '@drawbridge/piece-kit';
import { formProject, formWorkspace, otherTask, requiredSection, task } from '../properties.js';

/** Moves a task to a section, and adds it to the project of the section if necessary: https://developers.asana.com/reference/addtaskforsection */
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
    insert_before: otherTask('Before', 'Puts the task before this one of the section.'),
    insert_after: otherTask('After', 'Puts the task after this one of the section.'),
  },
  call: {
    method: 'POST',
    path: '/api/1.0/sections/{section}/addTask',
    body: ['task', 'insert_before', 'insert_after'],
    bodyIn: 'data',
    result: 'data',
  },
});
