import { action, checkbox, longText } from '@drawbridge/piece-kit';
import { COMMENT } from '../answer-fields.js';
import { formWorkspace, task } from '../properties.js';

/** Adds a comment to a task, as text or as HTML: https://developers.asana.com/reference/createstoryfortask */
export const comment = action({
  displayName: 'Comment',
  description: 'Adds a comment to a task, as text or as HTML, and returns it.',
  category: 'write',
  adds: true,
  props: {
    workspace: formWorkspace,
    task,
    text: longText('Text', { description: 'Plain text.' }),
    html_text: longText('Text as HTML', {
      description: 'Instead of the text: <body>Hi <a data-asana-gid="1201"/></body> mentions a user.',
    }),
    is_pinned: checkbox('Pinned', { description: 'Pins the comment to the top of the task.' }),
  },
  call: {
    method: 'POST',
    path: '/api/1.0/tasks/{task}/stories',
    query: COMMENT,
    body: ['text', 'html_text', 'is_pinned'],
    bodyIn: 'data',
    result: 'data',
  },
});
