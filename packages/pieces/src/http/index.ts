import { piece } from '@drawbridge/piece-kit';
import { sendRequest } from './actions/send-request.js';
import { authorize } from './authorize.js';
import { catchHook } from './triggers/catch-hook.js';

export const http = piece({
  name: 'http',
  displayName: 'HTTP',
  description: 'Sends requests to any HTTP API and receives webhooks.',
  categories: ['CORE', 'DEVELOPER_TOOLS'],
  auth: {
    types: ['SECRET_TEXT', 'BASIC_AUTH', 'CUSTOM_AUTH', 'OAUTH2', 'PLATFORM_OAUTH2'],
    required: false,
    description:
      'Sends a key or token as Bearer, a username and password as Basic, and each prop of CUSTOM_AUTH as a header.',
    // Callers choose the URL, so a response must not mark the connection as invalid for other callers.
    refusedWhen: [],
  },
  http: { authorize },
  actions: { send_request: sendRequest },
  triggers: { catch_hook: catchHook },
});
