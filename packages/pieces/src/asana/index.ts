import { authorizationHeader, piece } from '@drawbridge/piece-kit';
import { addFollowers } from './actions/add-followers.js';
import { addToSection } from './actions/add-to-section.js';
import { comment } from './actions/comment.js';
import { completeTask } from './actions/complete-task.js';
import { createProject } from './actions/create-project.js';
import { createSubtask } from './actions/create-subtask.js';
import { createTask } from './actions/create-task.js';
import { getTask } from './actions/get-task.js';
import { listTasks } from './actions/list-tasks.js';
import { searchTasks } from './actions/search-tasks.js';
import { updateTask } from './actions/update-task.js';
import { uploadAttachment } from './actions/upload-attachment.js';
import { paging } from './paging.js';
import { commentAdded } from './triggers/comment-added.js';
import { taskChanged } from './triggers/task-changed.js';
import { taskCompleted } from './triggers/task-completed.js';
import { taskCreated } from './triggers/task-created.js';

export const asana = piece({
  name: 'asana',
  displayName: 'Asana',
  description: 'Manages tasks, subtasks, comments and projects.',
  categories: ['PRODUCTIVITY'],
  origin: 'https://app.asana.com',
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    description: 'A personal access token has all permissions of its user.',
    test: '/api/1.0/users/me',
    // The OAuth flow of the provider is documented at https://developers.asana.com/docs/oauth
    shares: ['Read and change the tasks and projects that you can access'],
    keysUrl: 'https://app.asana.com/0/my-apps',
    oauth2: {
      authUrl: 'https://app.asana.com/-/oauth_authorize',
      tokenUrl: 'https://app.asana.com/-/oauth_token',
      // No narrower scope lists the sections of a project: https://developers.asana.com/docs/oauth-scopes
      scopes: ['default'],
      pkce: true,
      revoke: { url: 'https://app.asana.com/-/oauth_revoke' },
    },
  },
  http: { authorize: authorizationHeader, paging },
  // Asana may accept the method of a request in its query, so a GET can change data.
  isGetSafe: false,
  actions: {
    create_task: createTask,
    update_task: updateTask,
    complete_task: completeTask,
    get_task: getTask,
    search_tasks: searchTasks,
    list_tasks: listTasks,
    comment,
    add_to_section: addToSection,
    create_subtask: createSubtask,
    create_project: createProject,
    add_followers: addFollowers,
    upload_attachment: uploadAttachment,
  },
  triggers: {
    task_created: taskCreated,
    task_changed: taskChanged,
    task_completed: taskCompleted,
    comment_added: commentAdded,
  },
});
